import { beginPass, eachKnownWord, type KnownToken, type KnownWord } from "./known-words.ts";
import { log2 } from "./metrics.ts";

/** What is kept with a chunk about its terms. */
export interface Signature {
  /** The SimHash of the terms of its text: 8 bytes, the highest bit first. SPEC §16.6 */
  readonly simHash: Uint8Array<ArrayBuffer>;
  /** The squared length of its vector of term weights, as the bits of a binary32. SPEC §26.3 */
  readonly termNorm: number;
  /** Its distinct words as the vocabulary holds them. SPEC §15.9 */
  readonly words: ReadonlySet<string>;
}

const view = new DataView(new ArrayBuffer(8));

/**
 * Returns the signature of a chunk from what is indexed of it. Headings count for the norm, as they count for BM25, and
 * not for the SimHash: the same text under two headings is a duplicate.
 */
export function signatureOf(searchText: string, searchHeadings: string): Signature {
  const pass = beginPass();
  const tokens: KnownToken[] = [];
  const words = new Set<string>();
  const count = (word: KnownWord) => {
    const { token } = word;
    if (token.pass !== pass) {
      token.pass = pass;
      token.times = 0;
      tokens.push(token);
    }
    token.times++;
    if (word.pass === pass) return;
    word.pass = pass;
    if (word.vocabulary !== null) words.add(word.vocabulary);
  };
  eachKnownWord(searchText, count);
  const simHash = simHashOf(tokens);
  eachKnownWord(searchHeadings, count);
  return { simHash, termNorm: binary32Bits(squaredLength(tokens)), words };
}

/**
 * Returns the SimHash: bit b is 1 if the counts of the tokens whose hash has bit b outweigh those of the others. Eight
 * bits at a time are counted in lanes of 8 bits, which are emptied before one overflows. SPEC §16.6
 */
function simHashOf(tokens: readonly KnownToken[]): Uint8Array<ArrayBuffer> {
  const ones = new Int32Array(64);
  const lanes = new Uint32Array(16);
  let [all, held] = [0, 0];
  for (const { high, low, times } of tokens) {
    all += times;
    for (let left = times; left > 0; ) {
      if (held === LANE_MAX) held = emptyLanes(lanes, ones);
      const now = Math.min(left, LANE_MAX - held);
      for (let byte = 0; byte < 4; byte++) {
        const a = (high >>> (24 - 8 * byte)) & 0xff;
        const b = (low >>> (24 - 8 * byte)) & 0xff;
        lanes[2 * byte]! += now * SPREAD[2 * a]!;
        lanes[2 * byte + 1]! += now * SPREAD[2 * a + 1]!;
        lanes[2 * byte + 8]! += now * SPREAD[2 * b]!;
        lanes[2 * byte + 9]! += now * SPREAD[2 * b + 1]!;
      }
      held += now;
      left -= now;
    }
  }
  emptyLanes(lanes, ones);
  const out = new Uint8Array(8);
  for (let bit = 0; bit < 64; bit++) if (2 * ones[bit]! > all) out[bit >>> 3]! |= 0x80 >>> (bit & 7);
  return out;
}

const LANE_MAX = 255;
/** The bits of a byte, the highest first, each in a lane of two words. */
const SPREAD = Uint32Array.from({ length: 512 }, (_, i) => {
  let word = 0;
  for (let lane = 0; lane < 4; lane++)
    word |= (((i >>> 1) >>> (7 - 4 * (i & 1) - lane)) & 1) << (24 - 8 * lane);
  return word;
});

function emptyLanes(lanes: Uint32Array, ones: Int32Array): 0 {
  for (let bit = 0; bit < 64; bit++) ones[bit]! += (lanes[bit >>> 2]! >>> (24 - 8 * (bit & 3))) & 0xff;
  lanes.fill(0);
  return 0;
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
function squaredLength(tokens: readonly KnownToken[]): number {
  const termsWith = new Map<number, number>();
  for (const { times: n } of tokens) termsWith.set(n, (termsWith.get(n) ?? 0) + 1);
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
