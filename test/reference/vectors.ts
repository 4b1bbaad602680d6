/**
 * Quantised vectors the plain way: dot products, the check on vectors from outside, the exact search.
 * Written for clarity, not speed; the oracle of assembly/vectors/. SPEC §10.1, §10.2
 */

/** One item of an index: a 16-byte id and the vector that it carries. */
export interface Item {
  readonly id: Uint8Array;
  readonly vector: Int16Array;
}

/** One answer: an id and its dot product with the query. */
export interface Hit {
  readonly id: Uint8Array;
  readonly dot: number;
}

/** Σ a[i]·b[i], exact: every partial sum of checked vectors is below 2⁵³. SPEC §10.1 */
export function dot(a: Int16Array, b: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Whether an index takes this vector: no −32768, squared norm at most 2³¹ − 1. SPEC §10.1 */
export function isAdmissible(vector: Int16Array): boolean {
  return !vector.includes(-32768) && dot(vector, vector) <= 2 ** 31 - 1;
}

/** The bytes of a vector: two's complement, little-endian, whatever the host's order is. */
export function vectorBytes(vector: Int16Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * 2);
  const view = new DataView(bytes.buffer);
  vector.forEach((value, i) => {
    view.setInt16(i * 2, value, true);
  });
  return bytes;
}

/** Unsigned lexicographic order. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

/** The order of everything that is returned: dot descending, id ascending. SPEC §10.2 */
export function compareHits(a: Hit, b: Hit): number {
  return b.dot - a.dot || compareBytes(a.id, b.id);
}

/** The first k of all items in the order of hits. SPEC §10.2 */
export function exactSearch(items: readonly Item[], query: Int16Array, k: number): Hit[] {
  return items
    .map(({ id, vector }) => ({ id, dot: dot(query, vector) }))
    .sort(compareHits)
    .slice(0, k);
}
