/** Vectors by key: the hash of a text (32 bytes), or the UUID of an outside chunk (16 bytes). SPEC §27.4 */
import { DIGEST_BYTES, ID_BYTES } from "../engine/digest.ts";
import { compareBytes } from "../identity/tree-node.ts";
import { packDamaged } from "./damage.ts";
import type { PackHeader } from "./pack-header.ts";

export interface VectorEntry {
  readonly key: Uint8Array;
  /** i16, little-endian. */
  readonly vector: Uint8Array;
}

/** The most vectors of a section. */
export const ENTRIES_MAX = 1024;

/** Returns the number of bytes of a key, and of a vector. */
export function entryShape({ canon, dimension }: Pick<PackHeader, "canon" | "dimension">): {
  readonly key: number;
  readonly vector: number;
} {
  return { key: canon["vectors"] === "model" ? DIGEST_BYTES : ID_BYTES, vector: 2 * dimension };
}

/** Returns the contents of sections, for entries by key ascending. */
export function* encodeEntries(entries: readonly VectorEntry[]): Generator<Uint8Array> {
  for (let from = 0; from < entries.length; from += ENTRIES_MAX) {
    const some = entries.slice(from, from + ENTRIES_MAX);
    const size = some[0]!.key.length + some[0]!.vector.length;
    const bytes = new Uint8Array(some.length * size);
    for (const [i, { key, vector }] of some.entries()) {
      bytes.set(key, i * size);
      bytes.set(vector, i * size + key.length);
    }
    yield bytes;
  }
}

/**
 * Reads the vectors of a section, as views.
 *
 * @param after the last key of the section before, if there is one: keys ascend over both
 * @throws {SelfsameError} PACK_DAMAGED
 */
export function decodeEntries(
  bytes: Uint8Array,
  shape: { readonly key: number; readonly vector: number },
  after: Uint8Array | null,
): VectorEntry[] {
  const size = shape.key + shape.vector;
  const count = bytes.length / size;
  if (!Number.isInteger(count) || count < 1 || count > ENTRIES_MAX)
    throw packDamaged(`1 to ${ENTRIES_MAX} vectors of ${size} bytes`, `${bytes.length} bytes`);
  let last = after;
  const entries: VectorEntry[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const key = bytes.subarray(at, at + shape.key);
    if (last !== null && compareBytes(last, key) >= 0)
      throw packDamaged("vectors by key, each once", "others");
    const vector = bytes.subarray(at + shape.key, at + size);
    if (!isAdmitted(vector)) throw packDamaged("vectors of at most unit length", "a longer one");
    entries.push({ key, vector });
    last = key;
  }
  return entries;
}

/** SPEC §10.1 */
function isAdmitted(vector: Uint8Array): boolean {
  let norm = 0;
  for (let i = 0; i < vector.length; i += 2) {
    const value = ((vector[i]! | (vector[i + 1]! << 8)) << 16) >> 16;
    if (value === -32768) return false;
    norm += value * value;
  }
  return norm <= 0x7fff_ffff;
}
