/** Vectors to measure with: real MiniLM ones where they were embedded before, else clusters from the integer PRNG. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { splitmix32 } from "../../test/reference/prng.ts";

export const DIM = 384;
const REAL = join(import.meta.dirname, "../../.cache/minilm-60k.i16");
const DIRECTIONS = 400; // shared; each vector is the sum of a few of them and noise
const PARTS = 4;
const NOISE = 0.6;

/** Vectors of DIM numbers, one after the other. */
export interface VectorSet {
  readonly name: string;
  readonly real: boolean;
  readonly count: number;
  at(i: number): Int16Array;
}

export function realVectors(): VectorSet | null {
  if (!existsSync(REAL)) return null;
  const bytes = readFileSync(REAL);
  const all = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return vectorSet("real MiniLM vectors", true, all);
}

/** Unit vectors times 32767: sums of a few shared directions with noise, so that neighbourhoods have some structure. */
export function clusteredVectors(count: number, seed = 1): VectorSet {
  const next = splitmix32(seed);
  const normal = () => (next() + next() + next() + next()) / 2 ** 32 - 2; // sum of uniforms: near enough
  const directions = Array.from({ length: DIRECTIONS }, () => Float64Array.from({ length: DIM }, normal));
  const all = new Int16Array(count * DIM);
  const sum = new Float64Array(DIM);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < DIM; j++) sum[j] = NOISE * normal();
    for (let part = 0; part < PARTS; part++) {
      // Low numbers are drawn more often: clusters of many sizes.
      const direction = directions[Math.floor((next() / 2 ** 32) ** 2 * DIRECTIONS)]!;
      const weight = 0.25 + next() / 2 ** 32;
      for (let j = 0; j < DIM; j++) sum[j]! += weight * direction[j]!;
    }
    quantise(all.subarray(i * DIM, (i + 1) * DIM), sum);
  }
  return vectorSet("pseudo-random clusters", false, all);
}

/**
 * `base`, and 18 clusters of 40 to 1,500 near-duplicates around some of its vectors, every tenth an exact duplicate.
 * `clusters` is where these begin.
 */
export function stressVectors(base: VectorSet, seed = 2): { set: VectorSet; clusters: number } {
  const next = splitmix32(seed);
  const sizes = Array.from({ length: 18 }, (_, i) => Math.round(40 * (1500 / 40) ** (i / 17)));
  const near = sizes.reduce((sum, size) => sum + size, 0);
  const all = new Int16Array((base.count + near) * DIM);
  for (let i = 0; i < base.count; i++) all.set(base.at(i), i * DIM);
  let at = base.count;
  for (const size of sizes) {
    const centre = base.at(next() % base.count);
    for (let i = 0; i < size; i++, at++) {
      all.set(i % 10 === 9 ? centre : perturbed(centre, next), at * DIM);
    }
  }
  const set = vectorSet(`${base.name} and near-duplicates`, base.real, all);
  return { set, clusters: base.count };
}

/** Vectors beside those of `set` from number `from` on. */
export function nearVectors(set: VectorSet, from: number, count: number, seed = 3): Int16Array[] {
  const next = splitmix32(seed);
  return Array.from({ length: count }, () => perturbed(set.at(from + (next() % (set.count - from))), next));
}

function perturbed(vector: Int16Array, next: () => number): Int16Array {
  const out = new Int16Array(DIM);
  quantise(
    out,
    Float64Array.from(vector, (x) => x + (next() / 2 ** 31 - 1) * 200),
  );
  return out;
}

export function firstOf(set: VectorSet, count: number): VectorSet {
  return { name: set.name, real: set.real, count: Math.min(count, set.count), at: set.at };
}

function quantise(out: Int16Array, values: Float64Array): void {
  let norm = 0;
  for (const value of values) norm += value * value;
  const scale = 32767 / Math.sqrt(norm);
  for (let j = 0; j < DIM; j++) out[j] = Math.round(values[j]! * scale);
}

function vectorSet(name: string, real: boolean, all: Int16Array): VectorSet {
  return { name, real, count: all.length / DIM, at: (i) => all.subarray(i * DIM, (i + 1) * DIM) };
}

/** An id for number i: 16 bytes, well spread. */
export function idOf(i: number): Uint8Array {
  const next = splitmix32(i ^ 0x5eed);
  const words = Uint32Array.of(next(), next(), next(), i);
  return new Uint8Array(words.buffer);
}

/** The number that `idOf` was given. */
export function numberOf(id: Uint8Array): number {
  return new Uint32Array(id.slice().buffer)[3]!;
}
