import { leavesBelow } from "../../identity/leaves-below.ts";
import type { MerkleTree } from "../../identity/root.ts";
import { compareBytes, digitAt, SLOTS } from "../../identity/tree-node.ts";

/** Bit prefixes that are asked for at once, and the wanted documents below them. */
export interface Request {
  readonly prefixes: readonly string[];
  readonly ids: readonly Uint8Array[];
}

interface Subtree {
  readonly prefix: string;
  readonly ids: readonly Uint8Array[];
}

/** At most this many documents and prefixes are asked for at once: what a stop may lose is little. */
const REQUEST_DOCUMENTS = 1024;
const REQUEST_PREFIXES = 256;
/** A prefix is taken if at most one in this many documents below it is not wanted. */
const WASTE = 8;

/**
 * Divides the documents that are wanted from a remote into requests for subtrees: the fewest prefixes below which little
 * else lies. `here` is the tree of this library, and `differing` has the wanted documents and all others that differ,
 * both by id ascending. So what else lies there is known without asking. SPEC §28.3
 */
export function requestsFor(
  here: MerkleTree,
  wanted: readonly Uint8Array[],
  differing: readonly Uint8Array[],
): Request[] {
  const found: Subtree[] = [];
  const cover = (prefix: string, ids: readonly Uint8Array[], others: readonly Uint8Array[]): void => {
    if (ids.length === 0) return;
    if (ids.length === 1) {
      found.push({ prefix: bitsOf(ids[0]!), ids });
      return;
    }
    if (ids.length <= REQUEST_DOCUMENTS && hasLittleElse(here, prefix, others, ids.length / WASTE)) {
      found.push({ prefix: bitsOfDigits(prefix), ids });
      return;
    }
    for (let digit = 0; digit < SLOTS; digit++) {
      const isBelow = (id: Uint8Array) => digitAt(id, prefix.length) === digit;
      cover(prefix + digit.toString(16), ids.filter(isBelow), others.filter(isBelow));
    }
  };
  cover("", wanted, differing);
  return batched(found);
}

function batched(found: readonly Subtree[]): Request[] {
  const requests: { prefixes: string[]; ids: Uint8Array[] }[] = [];
  for (const { prefix, ids } of found) {
    const last = requests.at(-1);
    const fits =
      last !== undefined &&
      last.prefixes.length < REQUEST_PREFIXES &&
      last.ids.length + ids.length <= REQUEST_DOCUMENTS;
    if (!fits) requests.push({ prefixes: [prefix], ids: [...ids] });
    else {
      last.prefixes.push(prefix);
      last.ids.push(...ids);
    }
  }
  return requests;
}

/** Returns whether at most `most` documents below a prefix are the same on both sides. */
function hasLittleElse(
  here: MerkleTree,
  prefix: string,
  differing: readonly Uint8Array[],
  most: number,
): boolean {
  let shared = 0;
  let next = 0;
  for (const { id } of leavesBelow(here, bitsOfDigits(prefix))) {
    while (next < differing.length && compareBytes(differing[next]!, id) < 0) next++;
    if (next < differing.length && compareBytes(differing[next]!, id) === 0) continue;
    if (++shared > most) return false;
  }
  return true;
}

export function bitsOfDigits(digits: string): string {
  return Array.from(digits, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}

function bitsOf(id: Uint8Array): string {
  return Array.from(id, (byte) => byte.toString(2).padStart(8, "0")).join("");
}
