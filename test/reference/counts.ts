// BM25 from counts (SPEC §25), written for clarity. The logarithm's bits are taken apart with BigInt.

/** A binary64 by its 16 hex digits. */
export function fromBits64(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

export function bits64(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

const LN2_HIGH = fromBits64("3fe62e42fee00000");
const LN2_LOW = fromBits64("3dea39ef35793c76");
const L = [
  "3fe5555555555593",
  "3fd999999997fa04",
  "3fd2492494229359",
  "3fcc71c51d8e78af",
  "3fc7466496cb03de",
  "3fc39a09d078c69f",
  "3fc2f112df3e5244",
].map(fromBits64);

/** SPEC §25.1 */
export function logarithm(x: number): number {
  const bits = BigInt(`0x${bits64(x)}`);
  const shifted = bits + (BigInt(0x3ff00000 - 0x3fe6a09e) << 32n);
  const k = Number(shifted >> 52n) - 1023;
  const z = fromBits64((bits - (BigInt(k) << 52n)).toString(16).padStart(16, "0"));
  const f = z - 1;
  const h = 0.5 * f * f;
  const s = f / (2 + f);
  const t = s * s;
  const w = t * t;
  const even = w * (L[1]! + w * (L[3]! + w * L[5]!));
  const odd = t * (L[0]! + w * (L[2]! + w * (L[4]! + w * L[6]!)));
  const r = odd + even;
  let sum = s * (h + r);
  sum = sum + k * LN2_LOW;
  sum = sum - h;
  sum = sum + f;
  return sum + k * LN2_HIGH;
}

/** SPEC §25.3 */
export function idf(chunks: number, having: number): number {
  const value = logarithm((chunks - having + 0.5) / (having + 0.5));
  return value <= 0 ? 1e-6 : value;
}

export interface Counted {
  chunks: number;
  tokens: number;
  having: number[];
  counts: number[];
  length: number;
}

/** SPEC §25.3 with delta 0, SPEC §25.4 with delta 1. */
export function bm25({ chunks, tokens, having, counts, length }: Counted, delta: number): number {
  const average = tokens / chunks;
  let score = 0;
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    const saturated = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    score = score + idf(chunks, having[i]!) * (delta + saturated);
  }
  return -score;
}

/** How often the words of an item follow each other in a text of words. */
export function occurrences(item: string, text: string): number {
  const wanted = item.split(" ");
  const words = text.split(" ").filter((word) => word !== "");
  return words.filter((_, at) => wanted.every((word, i) => words[at + i] === word)).length;
}
