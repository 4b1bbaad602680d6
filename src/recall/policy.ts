import type { DocumentMetadata } from "./features.ts";
import { textsOf } from "./features.ts";
import { BANDS, type Band, type ResolvedFilters } from "./request.ts";

/** The kinds of spaces whose documents belong to several people. SPEC §26.5 */
const SHARED_SPACES = ["selective", "shared", "extended", "interfamily"];

/** Who asks, and what may be seen. */
export interface Reader {
  readonly person: string | null;
  readonly filters: Pick<ResolvedFilters, "allow_shared" | "max_band" | "roles">;
  /** The library's namespace, the space of documents that state none. */
  readonly space: string;
}

/**
 * Returns whether policy lets a reader see a document with this metadata. What cannot be understood is refused: a band
 * that is none counts as the highest, readers that are no names admit nobody. SPEC §26.5
 */
export function isPermitted(metadata: DocumentMetadata, { person, filters, space }: Reader): boolean {
  const { allow_shared, max_band, roles } = filters;
  if (BANDS.indexOf(bandOf(metadata)) > BANDS.indexOf(max_band)) return false;
  const readers = metadata?.["readers"];
  const named = readers === undefined || readers === null ? null : textsOf(readers);
  const isNamed = (name: string) => named!.includes(name);
  if (named !== null && !(person !== null && isNamed(person)) && !roles.some(isNamed)) return false;
  return allow_shared || !isShared(metadata, named, person, space);
}

/** No band is GREEN. */
function bandOf(metadata: DocumentMetadata): Band {
  const band = metadata?.["band"] ?? "GREEN";
  return BANDS.find((each) => each === band) ?? "BLACK";
}

function isShared(
  metadata: DocumentMetadata,
  readers: readonly string[] | null,
  person: string | null,
  space: string,
): boolean {
  if (metadata?.["shared"] === true) return true;
  if (readers?.some((each) => each !== person) === true) return true;
  const stated = metadata?.["space"];
  return isSharedSpace(typeof stated === "string" ? stated : space);
}

/** Whether a space belongs to several people: `shared:household` does, `personal:alice` and any other name do not. */
export function isSharedSpace(space: string): boolean {
  return SHARED_SPACES.includes(space.slice(0, Math.max(0, space.indexOf(":"))));
}
