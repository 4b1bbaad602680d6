/**
 * BLAKE3, hash mode, read straight off SPEC §4.1: the tree by recursion, the state as an array. Slow and clear.
 */
const IV = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;

export function blake3(input: Uint8Array): Uint8Array {
  const words = node(input, 0, ROOT);
  const out = new Uint8Array(32);
  const view = new DataView(out.buffer);
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true);
  return out;
}

/** The chaining value of the subtree over `input`, whose first chunk has this index. */
function node(input: Uint8Array, index: number, flags: number): number[] {
  if (input.length <= 1024) return chunk(input, index, flags);
  // The left subtree is the largest power of two of whole chunks that leaves at least one byte to the right.
  let left = 1024;
  while (2 * left < input.length) left *= 2;
  const message = [
    ...node(input.subarray(0, left), index, 0),
    ...node(input.subarray(left), index + left / 1024, 0),
  ];
  return compress([...IV], message, 0, 64, PARENT | flags);
}

function chunk(input: Uint8Array, index: number, flags: number): number[] {
  let cv: number[] = [...IV];
  const blocks = Math.max(1, Math.ceil(input.length / 64));
  for (let i = 0; i < blocks; i++) {
    const bytes = input.subarray(64 * i, 64 * i + 64);
    const block = new Uint8Array(64);
    block.set(bytes);
    const view = new DataView(block.buffer);
    const message = Array.from({ length: 16 }, (_, word) => view.getUint32(4 * word, true));
    const start = i === 0 ? CHUNK_START : 0;
    const end = i === blocks - 1 ? CHUNK_END | flags : 0;
    cv = compress(cv, message, index, bytes.length, start | end);
  }
  return cv;
}

function compress(cv: number[], message: number[], counter: number, length: number, flags: number): number[] {
  const v = [...cv, ...IV.slice(0, 4), counter >>> 0, Math.floor(counter / 2 ** 32), length, flags];
  let m = message;
  for (let round = 0; round < 7; round++) {
    for (let i = 0; i < 4; i++) mix(v, [i, 4 + i, 8 + i, 12 + i], m[2 * i]!, m[2 * i + 1]!);
    for (let i = 0; i < 4; i++) {
      const diagonal = [i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)] as const;
      mix(v, diagonal, m[8 + 2 * i]!, m[9 + 2 * i]!);
    }
    m = PERMUTATION.map((from) => m[from]!);
  }
  return Array.from({ length: 8 }, (_, i) => (v[i]! ^ v[i + 8]!) >>> 0);
}

function mix(
  v: number[],
  [a, b, c, d]: readonly [number, number, number, number],
  x: number,
  y: number,
): void {
  v[a] = (v[a]! + v[b]! + x) >>> 0;
  v[d] = rotateRight(v[d]! ^ v[a]!, 16);
  v[c] = (v[c]! + v[d]!) >>> 0;
  v[b] = rotateRight(v[b]! ^ v[c]!, 12);
  v[a] = (v[a]! + v[b]! + y) >>> 0;
  v[d] = rotateRight(v[d]! ^ v[a]!, 8);
  v[c] = (v[c]! + v[d]!) >>> 0;
  v[b] = rotateRight(v[b]! ^ v[c]!, 7);
}

function rotateRight(x: number, bits: number): number {
  return ((x >>> bits) | (x << (32 - bits))) >>> 0;
}
