/** Counting distinct vectors over several indexes, by the digests of their nodes. SPEC §10.10 */
import { DIGEST_BYTES } from "../engine/digest.ts";

/** Returns how many distinct digests several lists hold together. Each list is in priority order, 32 bytes a digest. */
export function countDistinct(lists: readonly Uint8Array[]): number {
  return lists.reduce(union, new Uint8Array(0)).length / DIGEST_BYTES;
}

/** Both lists ascend by their first eight bytes; of digests that are equal in these, the order is not known. */
function union(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  let [i, j, end] = [0, 0, 0];
  const take = (digest: Uint8Array) => {
    out.set(digest, end);
    end += DIGEST_BYTES;
  };
  while (i < a.length || j < b.length) {
    const order = i === a.length ? 1 : j === b.length ? -1 : compare8(a, i, b, j);
    if (order < 0) {
      take(a.subarray(i, i + DIGEST_BYTES));
      i += DIGEST_BYTES;
    } else if (order > 0) {
      take(b.subarray(j, j + DIGEST_BYTES));
      j += DIGEST_BYTES;
    } else {
      const [fromA, fromB] = [runAt(a, i), runAt(b, j)];
      for (const digest of fromA) take(digest);
      for (const digest of fromB) if (!fromA.some((other) => isSame(other, digest))) take(digest);
      i += fromA.length * DIGEST_BYTES;
      j += fromB.length * DIGEST_BYTES;
    }
  }
  return out.subarray(0, end);
}

/** Returns the digests from `at` on that are equal in their first eight bytes: nearly always one. */
function runAt(list: Uint8Array, at: number): Uint8Array[] {
  const run: Uint8Array[] = [];
  for (let i = at; i < list.length && compare8(list, i, list, at) === 0; i += DIGEST_BYTES)
    run.push(list.subarray(i, i + DIGEST_BYTES));
  return run;
}

function compare8(a: Uint8Array, i: number, b: Uint8Array, j: number): number {
  for (let n = 0; n < 8; n++) if (a[i + n] !== b[j + n]) return a[i + n]! - b[j + n]!;
  return 0;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i]);
}
