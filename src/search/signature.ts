import { log2 } from "./metrics.ts";
import { tokenOf } from "./token.ts";
import { wordsOf } from "./words.ts";

/** What is kept with a chunk about its terms. */
export interface Signature {
  /** The SimHash of the terms of its text: 8 bytes, the highest bit first. SPEC §16.6 */
  readonly simHash: Uint8Array<ArrayBuffer>;
  /** The squared length of its vector of term weights, as the bits of a binary32. SPEC §26.3 */
  readonly termNorm: number;
}

/** The number of times that each token occurs. */
export type TermCounts = ReadonlyMap<string, number>;

const view = new DataView(new ArrayBuffer(8));

/**
 * Returns the signature of a chunk from what is indexed of it. Headings count for the norm, as they count for BM25, and
 * not for the SimHash: the same text under two headings is a duplicate.
 */
export function signatureOf(searchText: string, searchHeadings: string): Signature {
  const counts = new Map<string, number>();
  count(counts, searchText);
  const simHash = simHashOf(counts);
  count(counts, searchHeadings);
  return { simHash, termNorm: binary32Bits(squaredLength(counts)) };
}

/** Words repeat, and a stem costs more than a look into this table. It is emptied before it grows large. */
const TOKENS = new Map<string, string>();
const TOKENS_MAX = 16_384;

function count(counts: Map<string, number>, text: string): void {
  for (const word of wordsOf(text)) {
    let token = TOKENS.get(word);
    if (token === undefined) {
      if (TOKENS.size >= TOKENS_MAX) TOKENS.clear();
      token = tokenOf(word);
      TOKENS.set(word, token);
    }
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
}

/**
 * Returns the SimHash: bit b is 1 if the counts of the terms whose hash has bit b outweigh those of the others. SPEC §16.6
 */
export function simHashOf(counts: TermCounts): Uint8Array<ArrayBuffer> {
  const sums = new Int32Array(64);
  for (const [token, times] of counts) {
    const high = tokenHash(token, HIGH_BASIS);
    const low = tokenHash(token, LOW_BASIS);
    for (let bit = 0; bit < 32; bit++) {
      sums[bit]! += (high >>> (31 - bit)) & 1 ? times : -times;
      sums[32 + bit]! += (low >>> (31 - bit)) & 1 ? times : -times;
    }
  }
  const out = new Uint8Array(8);
  for (let bit = 0; bit < 64; bit++) if (sums[bit]! > 0) out[bit >>> 3]! |= 0x80 >>> (bit & 7);
  return out;
}

/** The two halves of a token's hash are FNV-1a from these bases, finished by MurmurHash3's mixer. */
const HIGH_BASIS = 0x811c9dc5;
const LOW_BASIS = 0x9747b28c;

function tokenHash(token: string, basis: number): number {
  let hash = basis;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the number of bits in which two SimHashes differ. SPEC §16.6 */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < 8; i++) {
    for (let bits = a[i]! ^ b[i]!; bits !== 0; bits &= bits - 1) distance++;
  }
  return distance;
}

/** Σ (1 + ln n)² over the counts n ascending, so that the order of terms cannot matter. SPEC §26.3 */
function squaredLength(counts: TermCounts): number {
  const termsWith = new Map<number, number>();
  for (const n of counts.values()) termsWith.set(n, (termsWith.get(n) ?? 0) + 1);
  let sum = 0;
  for (const n of [...termsWith.keys()].sort((a, b) => a - b)) {
    const weight = countWeight(n);
    sum += termsWith.get(n)! * (weight * weight);
  }
  return sum;
}

/** ln 2, the nearest binary64. */
const { LN2 } = Math;

/** Returns 1 + ln n of a count. SPEC §26.3 */
export function countWeight(n: number): number {
  return 1 + naturalLog(n);
}

/** Returns ln of a whole number from 1: log2 of SPEC §19.1 times ln 2, the same bits everywhere. */
export function naturalLog(n: number): number {
  return n === 1 ? 0 : log2(n) * LN2;
}

function binary32Bits(value: number): number {
  view.setFloat32(0, value);
  return view.getUint32(0);
}
