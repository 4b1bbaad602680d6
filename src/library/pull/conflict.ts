import { toHex } from "../../engine/digest.ts";
import { badArgument } from "../../errors/arguments.ts";
import { compareBytes } from "../../identity/tree-node.ts";
import type { PackedDocument } from "../../packs/pack-options.ts";
import { documentOf } from "../contents.ts";
import type { DocumentInput } from "../document-input.ts";
import type { LibraryParts } from "../library-parts.ts";
import { isMetadataOnly, type PlannedChange } from "./plan.ts";
import type { ConflictSide, PullOptions, Resolution } from "./pull-options.ts";

/** What becomes of a document that both sides changed. */
export interface Outcome {
  /** Whether theirs takes its place. */
  readonly isTheirs: boolean;
  /** The path at which the version that did not win is kept; null if it is not kept. */
  readonly copy: string | null;
}

const NAME_DIGITS = 12;

/**
 * Decides about a document that both sides have and changed. With `both`, the newer one keeps the path, or the one with
 * the greater value if neither is newer; so both devices decide alike, whoever pulls. SPEC §28.5
 */
export async function outcomeOf(
  parts: LibraryParts,
  change: PlannedChange,
  theirs: PackedDocument,
  conflicts: NonNullable<PullOptions["conflicts"]>,
): Promise<Outcome> {
  const ours = documentOf(parts.database, change.id)!;
  const resolution =
    typeof conflicts !== "function" || !change.isConflict
      ? "both"
      : await conflicts({ path: theirs.path, ours: sideOf(ours), theirs });
  if (checkedResolution(resolution) !== "both") return { isTheirs: resolution === "theirs", copy: null };
  const isTheirs = isTheirsNewer(change, ours.modifiedAt, theirs.modifiedAt);
  if (isMetadataOnly(change)) return { isTheirs, copy: null };
  // The ids of chunks that were made elsewhere belong to one document: there is no copy of it.
  if (theirs.isOutside || isOutside(parts, change.id)) return { isTheirs: false, copy: null };
  return { isTheirs, copy: copyPath(theirs.path, (isTheirs ? change.here! : change.there!).text) };
}

/** Asks the application about a document that they deleted and that was changed here. */
export async function isDeletedToo(
  parts: LibraryParts,
  change: PlannedChange,
  path: string,
  conflicts: NonNullable<PullOptions["conflicts"]>,
): Promise<boolean> {
  if (typeof conflicts !== "function") return conflicts === "theirs";
  const ours = sideOf(documentOf(parts.database, change.id)!);
  return checkedResolution(await conflicts({ path, ours, theirs: null })) === "theirs";
}

/** Asks about a document that was deleted here and that they changed: whether it comes back. */
export async function isBack(
  theirs: PackedDocument,
  conflicts: NonNullable<PullOptions["conflicts"]>,
): Promise<boolean> {
  if (typeof conflicts !== "function") return true;
  return checkedResolution(await conflicts({ path: theirs.path, ours: null, theirs })) !== "ours";
}

function isOutside({ database }: LibraryParts, id: Uint8Array): boolean {
  const sql = "SELECT isOutside FROM documents WHERE documentId = ?";
  return database.get<{ isOutside: number }>(sql, [id])?.isOutside === 1;
}

/** Returns our version of a document, to be added at another path. */
export function oursAt(parts: LibraryParts, id: Uint8Array, path: string): DocumentInput {
  const { text, format, modifiedAt, mime, metadata } = documentOf(parts.database, id)!;
  return { path, text, format, modifiedAt, mime, metadata: metadata as DocumentInput["metadata"] & object };
}

/** Returns the path of a copy: the name, the first digits of the version's value, the extension. */
export function copyPath(path: string, value: Uint8Array): string {
  const name = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > name ? dot : path.length;
  return `${path.slice(0, end)}.conflict-${toHex(value).slice(0, NAME_DIGITS)}${path.slice(end)}`;
}

function isTheirsNewer(change: PlannedChange, ours: number | null, theirs: number | null): boolean {
  const [a, b] = [ours ?? Number.NEGATIVE_INFINITY, theirs ?? Number.NEGATIVE_INFINITY];
  if (a !== b) return b > a;
  const tree = isMetadataOnly(change) ? "metadata" : "text";
  return compareBytes(change.there![tree], change.here![tree]) > 0;
}

function sideOf({
  modifiedAt,
  text,
}: {
  readonly modifiedAt: number | null;
  readonly text: string;
}): ConflictSide {
  return { modifiedAt, text: () => text };
}

function checkedResolution(value: Resolution): Resolution {
  if (value === "ours" || value === "theirs" || value === "both") return value;
  throw badArgument("what conflicts() returns", '"ours", "theirs" or "both"', value);
}
