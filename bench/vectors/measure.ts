/** What all parts of the vector benchmark share. */
import { loadEngine, VectorIndex } from "selfsame/engine";
import { DIM, firstOf, idOf, numberOf, type VectorSet } from "./data.ts";

export type Row = Record<string, string | number>;
export interface Table {
  title: string;
  rows: Row[];
}

export const QUERIES = 1000;
export const SIZE = 60_000;
export const flag = (name: string) => process.argv.includes(`--${name}`);
export const round = (value: number, digits = 2) => Number(value.toFixed(digits));
export const verdict = (pass: boolean) => (pass ? "yes" : "NO");
export const say = (text: string) => process.stderr.write(`${text}\n`);

/** What is indexed, and queries that are not. */
export interface Split {
  readonly set: VectorSet;
  readonly queries: Int16Array[];
}

export function split(all: VectorSet): Split {
  const count = all.count - QUERIES;
  return {
    set: firstOf(all, count),
    queries: Array.from({ length: QUERIES }, (_, i) => all.at(count + i)),
  };
}

export async function filled(set: VectorSet, graph: boolean): Promise<VectorIndex> {
  const { engine } = await loadEngine();
  const index = VectorIndex.create(engine, { dim: DIM, graph });
  for (let i = 0; i < set.count; i++) index.add(idOf(i), set.at(i));
  return index;
}

export async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The best of several passes over all queries, in µs per query: other work on the machine only adds. */
export function microseconds(
  queries: readonly unknown[],
  search: (query: never, i: number) => unknown,
  passes = 5,
): number {
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < passes; pass++) {
    const start = performance.now();
    for (const [i, query] of queries.entries()) search(query as never, i);
    best = Math.min(best, performance.now() - start);
  }
  return (best * 1000) / queries.length;
}

/** Exact neighbours of each query, by number: distinct vectors of the set may share one. */
export function exactly(
  index: VectorIndex,
  queries: Int16Array[],
  k: number,
): { dots: number[]; numbers: Set<number>[] } {
  const hits = queries.map((query) => index.exact(query, { k }));
  return {
    dots: hits.map((list) => list.at(-1)!.dot),
    numbers: hits.map((list) => new Set(list.map(({ id }) => numberOf(id)))),
  };
}

export function recall(found: number[][], exact: Set<number>[]): number {
  let hits = 0;
  let all = 0;
  for (const [i, numbers] of found.entries()) {
    all += exact[i]!.size;
    for (const number of numbers.slice(0, exact[i]!.size)) if (exact[i]!.has(number)) hits++;
  }
  return hits / all;
}
