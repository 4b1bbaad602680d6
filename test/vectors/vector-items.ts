/** Vectors and ids for tests of the index, from the integer PRNG. */
import { splitmix32 } from "../reference/prng.ts";
import type { Item } from "../reference/vectors.ts";

export function drawVector(next: () => number, dim: number, span: number): Int16Array {
  return Int16Array.from({ length: dim }, () => (next() % (2 * span + 1)) - span);
}

/** 16 bytes that name i. */
export function idOf(i: number): Uint8Array {
  const next = splitmix32(i);
  const id = Uint8Array.from({ length: 16 }, () => next());
  new DataView(id.buffer).setUint32(12, i);
  return id;
}

/** Unit vectors around a few centres, as embeddings of one subject lie together. */
export function clusteredItems(count: number, dim: number, seed: number): Item[] {
  const next = splitmix32(seed);
  const centres = Array.from({ length: 40 }, () => drawVector(next, dim, 1000));
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = [centres[next() % 40]!, centres[next() % 40]!];
    const sum = Float64Array.from(a, (x, j) => 3 * x + b[j]! + (next() % 3001) - 1500);
    return { id: idOf(i), vector: unit(sum) };
  });
}

/** `base` items, and clusters of the given sizes around some of them: near-duplicates, every tenth an exact one. */
export function stressItems(base: Item[], sizes: readonly number[], seed: number): Item[] {
  const next = splitmix32(seed);
  const items = [...base];
  for (const size of sizes) {
    const centre = base[next() % base.length]!.vector;
    for (let i = 0; i < size; i++) {
      const near = Float64Array.from(centre, (x) => x + (next() % 401) - 200);
      items.push({ id: idOf(items.length), vector: i % 10 === 9 ? centre : unit(near) });
    }
  }
  return items;
}

function unit(values: Float64Array): Int16Array {
  let norm = 0;
  for (const x of values) norm += x * x;
  return Int16Array.from(values, (x) => Math.round((x * 32767) / Math.sqrt(norm)));
}
