/** How search, updates and the exact scan grow with the set. */
import { loadEngine, VectorIndex } from "selfsame/engine";
import { median } from "../embed/timing.ts";
import { clusteredVectors, DIM, idOf, numberOf, type VectorSet } from "./data.ts";
import {
  exactly,
  filled,
  flag,
  microseconds,
  QUERIES,
  type Row,
  recall,
  round,
  say,
  seconds,
  split,
  type Table,
  verdict,
} from "./measure.ts";

/**
 * The median time of one insert and of one delete, in ms: of vectors that are new, and of ones from all over the set. All
 * is undone again.
 */
export function updateTimes(
  index: VectorIndex,
  set: VectorSet,
  extra: Int16Array[],
): { insert: number; remove: number } {
  const numbers = extra.map((_, i) => i);
  const step = Math.floor(set.count / extra.length);
  const insert = numbers.map((i) => milliseconds(() => index.add(idOf(set.count + i), extra[i]!)));
  const remove = numbers.map((i) => milliseconds(() => index.remove(idOf(i * step))));
  for (const i of numbers) {
    index.remove(idOf(set.count + i));
    index.add(idOf(i * step), set.at(i * step));
  }
  return { insert: median(insert), remove: median(remove) };
}

function milliseconds(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export async function growth(): Promise<Table[]> {
  const large = flag("growth");
  const rows: Row[] = [];
  for (const count of large ? [1_000, 10_000, 60_000, 200_000] : [1_000, 10_000]) {
    say(`growth: ${count}`);
    const { set, queries } = split(clusteredVectors(count + QUERIES));
    const index = await filled(set, false);
    const build = await seconds(() => index.buildGraph({ workers: 2 }));
    const exact = exactly(index, queries, 10).numbers;
    const find = (query: Int16Array) => index.search(query, { k: 10, ef: 50 }).map(({ id }) => numberOf(id));
    const found = queries.map(find);
    const us = microseconds(queries, find, 3);
    const scanned = microseconds(
      queries.slice(0, 50),
      (query: Int16Array) => index.exact(query, { k: 10 }),
      3,
    );
    const { insert, remove } = updateTimes(index, set, queries.slice(0, 100));
    rows.push({
      vectors: count,
      "build s, 2 workers": round(build, 1),
      "recall@10": round(recall(found, exact), 4),
      "search µs": round(us, 1),
      "exact µs": round(scanned, 0),
      "insert ms": round(insert),
      "delete ms": round(remove),
      "bytes/vector": round(index.memoryBytes / count, 0),
    });
  }
  const tables = [{ title: "Growth: pseudo-random clusters, ef 50", rows }];
  if (!large) return tables;
  const scans: Row[] = [];
  const all = clusteredVectors(250_000);
  const { engine } = await loadEngine();
  const index = VectorIndex.create(engine, { dim: DIM, graph: false });
  for (const count of [250_000, 500_000, 1_000_000]) {
    say(`exact: ${count}`);
    // Beyond 250,000 the same vectors with one element changed: what they hold does not matter to a scan.
    for (let i = index.size; i < count; i++) {
      const vector = all.at(i % all.count).slice();
      vector[i % DIM]! ^= Math.floor(i / all.count);
      index.add(idOf(i), vector);
    }
    const us = microseconds(
      Array.from({ length: 10 }, (_, i) => all.at(i)),
      (query: Int16Array) => index.exact(query, { k: 10 }),
      3,
    );
    scans.push({ vectors: count, "exact ms": round(us / 1000, 1), "pass (1M < 100)": verdict(us < 100_000) });
  }
  return [...tables, { title: "Growth of the exact scan", rows: scans }];
}
