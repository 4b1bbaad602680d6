// The sparse channel (SPEC §24), written for clarity: sums in BigInt over the terms as strings.
import { nearEven } from "./arith.ts";
import { logarithm } from "./counts.ts";

export type Sparse = Record<string, number>;

/** SPEC §24.1. Terms without weight are left out. */
export function integers(weights: Readonly<Sparse>): Sparse {
  const entries = Object.entries(weights).map(([term, weight]): [string, number] => {
    if (!(weight >= 0) || !Number.isFinite(Math.fround(weight))) throw new Error("BAD_VECTOR");
    const scaled = Math.fround(weight) * 2048;
    return [term, scaled >= 2 ** 20 - 1 ? 2 ** 20 - 1 : nearEven(scaled)];
  });
  return Object.fromEntries(entries.filter(([, integer]) => integer > 0));
}

export interface SparseChunk {
  id: string;
  terms: Sparse;
}

/** SPEC §24.2: [id, score] of the first k. */
export function sparseSearch(
  chunks: readonly SparseChunk[],
  query: Readonly<Sparse>,
  k: number,
): [string, bigint][] {
  const scored = chunks.map(({ id, terms }): [string, bigint] => {
    let score = 0n;
    for (const [term, weight] of Object.entries(query)) {
      if (Object.hasOwn(terms, term)) score += BigInt(weight) * BigInt(terms[term]!);
    }
    return [id, score];
  });
  const found = scored.filter(([, score]) => score > 0n);
  found.sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1)); // ids are hexadecimal
  return found.slice(0, k);
}

/** SPEC §24.3: the integer idf of each distinct token that a chunk has. */
export function idfTerms(chunks: readonly SparseChunk[], tokens: readonly string[]): Sparse {
  const weights: Sparse = {};
  for (const token of new Set(tokens)) {
    const having = chunks.filter(({ terms }) => Object.hasOwn(terms, token)).length;
    if (having > 0) weights[token] = logarithm(1 + (chunks.length - having + 0.5) / (having + 0.5));
  }
  return integers(weights);
}
