import { toHex } from "../engine/digest.ts";
import { isPlainObject } from "../errors/plain-object.ts";
import { utf8, utf8ToString } from "../text/canonical.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { parseNestedJson } from "../text/nested-json.ts";
import { isPrefix } from "../vectors/prefix.ts";
import { DIM_MAX } from "../vectors/vector.ts";
import { packDamaged } from "./damage.ts";

const CONTENTS = ["documents", "texts", "vectors"] as const;
/** What a pack holds. */
export type PackContents = (typeof CONTENTS)[number];

/** What a pack says of itself. SPEC §27.1 */
export interface PackHeader {
  /** Documents with their vectors, documents without, or vectors alone. */
  readonly contents: PackContents;
  /** The parts of the canon of the library, by name. */
  readonly canon: { readonly [name: string]: string };
  /** The length of a vector. */
  readonly dimension: number;
  /** The bit prefixes whose documents it has, ascending, none within another; null if documents were chosen by path. */
  readonly prefixes: readonly string[] | null;
  /** The patterns that its documents were chosen by; null if they were chosen by prefix. */
  readonly paths: readonly string[] | null;
  readonly counts: PackCounts;
  /** The root of its documents, in hexadecimal. */
  readonly root: string;
  /** Their metadata root, in hexadecimal. */
  readonly metadataRoot: string;
}

/** How much a pack holds. In a pack of vectors alone, all but `vectors` is 0, which otherwise is 0. */
export interface PackCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Of the canonical texts, in UTF-8. */
  readonly textBytes: number;
  readonly vectors: number;
}

/** The most prefixes, and the most patterns, of a pack. */
export const SELECTION_MAX = 4096;
const NAMES_MAX = 64;
const DIGEST = /^[0-9a-f]{64}$/;

/** Returns the contents of the header's section. */
export function encodeHeader({ prefixes, paths, canon, counts, ...rest }: PackHeader): Uint8Array {
  return utf8(
    canonicalJson({
      ...rest,
      canon: { ...canon },
      counts: { ...counts },
      ...(prefixes === null ? {} : { prefixes }),
      ...(paths === null ? {} : { paths }),
    }),
  );
}

/** Reads the header. @throws {SelfsameError} PACK_DAMAGED */
export function decodeHeader(bytes: Uint8Array): PackHeader {
  const json = parsed(bytes);
  const { contents, canon, dimension, prefixes, paths, counts, root, metadataRoot } = json as Record<
    string,
    Json
  >;
  if (!isContents(contents)) throw bad("contents");
  if (!isTexts(canon)) throw bad("canon");
  if (!isCount(dimension) || dimension < 1 || dimension > DIM_MAX) throw bad("dimension");
  const checked = { documents: 0, chunks: 0, textBytes: 0, vectors: 0 };
  for (const name of Object.keys(checked) as (keyof PackCounts)[]) {
    const count = isPlainObject(counts) ? (counts as Record<string, Json>)[name] : undefined;
    if (!isCount(count)) throw bad(`counts.${name}`);
    checked[name] = count;
  }
  if (typeof root !== "string" || !DIGEST.test(root)) throw bad("root");
  if (typeof metadataRoot !== "string" || !DIGEST.test(metadataRoot)) throw bad("metadataRoot");
  if (prefixes !== undefined && !isPrefixes(prefixes)) throw bad("prefixes");
  if (paths !== undefined && !isList(paths)) throw bad("paths");
  if ((prefixes === undefined) === (paths === undefined)) throw bad("either prefixes or paths");
  const header: PackHeader = {
    contents,
    canon,
    dimension,
    counts: checked,
    root,
    metadataRoot,
    prefixes: (prefixes as readonly string[] | undefined) ?? null,
    paths: (paths as readonly string[] | undefined) ?? null,
  };
  // One header has one form: no further members, no other order, no white space.
  if (toHex(encodeHeader(header)) !== toHex(bytes)) throw bad("canonical JSON of these members alone");
  return header;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    const json = parseNestedJson(utf8ToString(bytes));
    if (isPlainObject(json)) return json;
  } catch {
    // told below
  }
  throw bad("JSON");
}

function isContents(value: unknown): value is PackContents {
  return (CONTENTS as readonly unknown[]).includes(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTexts(value: unknown): value is Record<string, string> {
  if (!isPlainObject(value)) return false;
  const texts = Object.values(value as object);
  return texts.length <= NAMES_MAX && texts.every((text) => typeof text === "string");
}

function isList(value: unknown): value is readonly string[] {
  const isShort = Array.isArray(value) && value.length >= 1 && value.length <= SELECTION_MAX;
  return isShort && value.every((each) => typeof each === "string");
}

/** Ascending, and none within another: the one before would be its start. */
export function isPrefixes(value: unknown): value is readonly string[] {
  if (!isList(value) || !value.every(isPrefix)) return false;
  return value.every((prefix, i) => i === 0 || (value[i - 1]! < prefix && !prefix.startsWith(value[i - 1]!)));
}

function bad(what: string) {
  return packDamaged(`a header with ${what}`, "something else");
}
