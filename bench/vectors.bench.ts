// Vectors: recall and speed against classic HNSW, the exact scan against the memory, updates, builds, loads, growth.
// `npm run bench -- vectors`. Figures are of real MiniLM vectors where bench/embed-corpus.ts has made them, else of
// pseudo-random clusters; the tables say which. `--growth` adds 200,000 vectors with a graph and 1,000,000 without
// (minutes), `--peers` leaves out all but the comparison, `--own` the comparison.
import { loadEngine, VectorIndex } from "selfsame/engine";
import { readGraph, unreachable } from "../test/vectors/read-graph.ts";
import { compile } from "./compile.ts";
import { comparison } from "./vectors/comparison.ts";
import {
  clusteredVectors,
  DIM,
  firstOf,
  nearVectors,
  realVectors,
  stressVectors,
  type VectorSet,
} from "./vectors/data.ts";
import { growth, updateTimes } from "./vectors/growth.ts";
import {
  exactly,
  filled,
  flag,
  QUERIES,
  type Row,
  round,
  SIZE,
  type Split,
  say,
  seconds,
  split,
  type Table,
  verdict,
} from "./vectors/measure.ts";

/** The set with clusters of near-duplicates: recall, and nodes that cannot be reached. */
async function stress(all: VectorSet): Promise<Table> {
  const { set, clusters } = stressVectors(firstOf(all, 10_000));
  // Half of the queries are vectors that are not in the set, half lie beside a near-duplicate.
  const near = nearVectors(set, clusters, QUERIES / 2);
  const queries = near.flatMap((vector, i) => [vector, all.at(10_000 + i)]);
  const index = await filled(set, false);
  await index.buildGraph({ workers: 2 });
  const lost = unreachableNodes(index);
  const exact = exactly(index, queries, 10);
  const rows = [50, 100].map((ef) => {
    // Near-duplicates tie: a hit counts if it is as near as the tenth.
    let hits = 0;
    for (const [i, query] of queries.entries())
      hits += index.search(query, { k: 10, ef }).filter(({ dot }) => dot >= exact.dots[i]!).length;
    const recall = hits / (10 * QUERIES);
    return {
      ef,
      "recall@10": round(recall, 4),
      unreachable: lost,
      "pass (≥ 0.96, 0)": verdict(recall >= 0.96 && lost === 0),
    };
  });
  index.close();
  return { title: `Stress: ${set.count} ${set.name} (18 clusters of 40 to 1,500)`, rows };
}

/** Nodes that a walk from the first one does not reach, along edges or against them, over all levels. */
function unreachableNodes(index: VectorIndex): number {
  const graph = readGraph(index.serialize());
  const levels = graph.adjacency.reduce((most, lists) => Math.max(most, lists.length), 0);
  let lost = 0;
  for (let level = 0; level < levels; level++)
    for (const direction of ["along", "against"] as const) lost += unreachable(graph, level, direction);
  return lost;
}

/** The exact scan against a loop that reads the same number of bytes and does nothing else. */
async function scan({ set, queries }: Split, index: VectorIndex): Promise<Table> {
  const { reserve, read_v128 } = await compile("read", "f32");
  const bytes = set.count * DIM * 2;
  const at = reserve!(bytes);
  let ours = Number.POSITIVE_INFINITY;
  let limit = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 60; turn++) {
    ours = Math.min(ours, await seconds(() => index.exact(queries[turn]!, { k: 10 })));
    limit = Math.min(limit, await seconds(() => read_v128!(at, bytes)));
  }
  const share = limit / ours;
  return {
    title: `Exact scan of ${set.count} vectors`,
    rows: [
      {
        ms: round(ours * 1000),
        "GB/s": round(bytes / ours / 1e9, 1),
        "read loop GB/s": round(bytes / limit / 1e9, 1),
        share: round(share),
        "pass (≥ 0.7)": verdict(share >= 0.7),
      },
    ],
  };
}

async function loadTimes(set: VectorSet): Promise<Row> {
  const index = await filled(set, false);
  await index.buildGraph({ workers: 2 });
  const bytes = index.serialize();
  const memory = index.memoryBytes;
  index.close();
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 4; turn++) {
    const { engine } = await loadEngine();
    let loaded: VectorIndex | undefined;
    best = Math.min(
      best,
      await seconds(() => {
        loaded = VectorIndex.deserialize(engine, bytes);
      }),
    );
    loaded?.close();
  }
  return {
    vectors: set.count,
    "load ms": round(best * 1000, 0),
    "pass (≤ 300)": verdict(best <= 0.3),
    "bytes/vector in memory": round(memory / set.count, 0),
    "bytes/vector saved": round(bytes.length / set.count, 0),
  };
}

export async function bench(): Promise<Table[]> {
  const all = realVectors() ?? clusteredVectors(SIZE + QUERIES);
  const first = split(all);
  const { set, queries } = first;
  say(`${set.count} ${set.name}: building`);
  const index = await filled(set, false);
  const oneThread = flag("peers") ? Number.NaN : await seconds(() => index.buildGraph());
  let digest = index.hasGraph ? index.digest() : new Uint8Array();
  let twin = index;
  if (!flag("peers")) twin = await filled(set, false);
  const twoWorkers = await seconds(() => twin.buildGraph({ workers: 2 }));
  if (digest.length > 0 && Buffer.compare(twin.digest(), digest) !== 0)
    throw new Error("the two graphs differ");
  digest = twin.digest();
  if (twin !== index) twin.close();
  const tables = await comparison(first, index);
  if (flag("peers")) return tables;
  say("scan, updates, loads");
  tables.push(await scan(first, index));
  const { insert, remove } = updateTimes(index, set, queries.slice(0, 200));
  if (Buffer.compare(index.digest(), digest) !== 0) throw new Error("the updates left a mark");
  const lost = unreachableNodes(index);
  tables.push({
    title: `Connectivity, updates and builds: ${set.count} ${set.name}`,
    rows: [
      { what: "unreachable nodes", value: lost, goal: 0, pass: verdict(lost === 0) },
      { what: "insert, ms", value: round(insert), goal: 10, pass: verdict(insert <= 10) },
      { what: "delete, ms", value: round(remove), goal: 10, pass: verdict(remove <= 10) },
      {
        what: "from scratch, one thread, s",
        value: round(oneThread, 1),
        goal: 45,
        pass: verdict(oneThread <= 45),
      },
      {
        what: "from scratch, two workers, s",
        value: round(twoWorkers, 1),
        goal: 26,
        pass: verdict(twoWorkers <= 26),
      },
    ],
  });
  index.close();
  tables.push(await stress(all));
  say("load at 100,000");
  tables.push({
    title: "Snapshots: pseudo-random clusters",
    rows: [await loadTimes(clusteredVectors(100_000))],
  });
  tables.push(...(await growth()));
  return tables;
}
