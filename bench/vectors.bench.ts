// Vectors: recall and speed against classic HNSW, the exact scan against the memory, updates, builds, loads, growth.
// `npm run bench -- vectors`. Figures are of real MiniLM vectors where bench/embed-corpus.ts has made them, else of
// pseudo-random clusters; the tables say which. `--growth` adds 200,000 vectors with a graph and 1,000,000 without
// (minutes), `--peers` leaves out all but the comparison, `--own` the comparison.
import { loadEngine, VectorIndex } from "selfsame";
import { readGraph, unreachable } from "../test/read-graph.ts";
import { compile } from "./compile.ts";
import {
  clusteredVectors,
  DIM,
  firstOf,
  idOf,
  numberOf,
  realVectors,
  stressVectors,
  type VectorSet,
} from "./vectors/data.ts";
import { loadPeers, type Peer, RIVALS } from "./vectors/peers.ts";

type Row = Record<string, string | number>;
interface Table {
  title: string;
  rows: Row[];
}

const QUERIES = 1000;
const SIZE = 60_000;
const EFS = [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 120, 150];
const flag = (name: string) => process.argv.includes(`--${name}`);
const round = (value: number, digits = 2) => Number(value.toFixed(digits));
const verdict = (pass: boolean) => (pass ? "yes" : "NO");
const say = (text: string) => process.stderr.write(`${text}\n`);

/** What is indexed, and queries that are not. */
interface Split {
  readonly set: VectorSet;
  readonly queries: Int16Array[];
}

function split(all: VectorSet): Split {
  const count = all.count - QUERIES;
  return {
    set: firstOf(all, count),
    queries: Array.from({ length: QUERIES }, (_, i) => all.at(count + i)),
  };
}

async function filled(set: VectorSet, graph: boolean): Promise<VectorIndex> {
  const { engine } = await loadEngine();
  const index = VectorIndex.create(engine, { dim: DIM, graph });
  for (let i = 0; i < set.count; i++) index.add(idOf(i), set.at(i));
  return index;
}

async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The best of several passes over all queries, in µs per query: other work on the machine only adds. */
function microseconds(
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
function exactly(
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

function recall(found: number[][], exact: Set<number>[]): number {
  let hits = 0;
  let all = 0;
  for (const [i, numbers] of found.entries()) {
    all += exact[i]!.size;
    for (const number of numbers.slice(0, exact[i]!.size)) if (exact[i]!.has(number)) hits++;
  }
  return hits / all;
}

interface Point {
  readonly ef: number;
  readonly recall10: number;
  readonly recall20: number;
  readonly us: number;
}

/** Recall and time of each ef, k 10 timed as a user asks. */
function sweep(
  search: (i: number, k: number, ef: number) => number[],
  exact: { ten: Set<number>[]; twenty: Set<number>[] },
  efs: number[],
): Point[] {
  const numbers = exact.ten.map((_, i) => i);
  return efs.map((ef) => ({
    ef,
    recall10: recall(
      numbers.map((i) => search(i, 10, ef)),
      exact.ten,
    ),
    recall20: recall(
      numbers.map((i) => search(i, 20, ef)),
      exact.twenty,
    ),
    us: microseconds(numbers, (i: number) => search(i, 10, ef)),
  }));
}

async function comparison({ set, queries }: Split, index: VectorIndex): Promise<Table[]> {
  const exact = { ten: exactly(index, queries, 10).numbers, twenty: exactly(index, queries, 20).numbers };
  const own = sweep(
    (i, k, ef) => index.search(queries[i]!, { k, ef }).map(({ id }) => numberOf(id)),
    exact,
    EFS,
  );
  const row = (name: string, { ef, recall10, recall20, us }: Point): Row => ({
    index: name,
    ef,
    "recall@10": round(recall10, 4),
    "recall@20": round(recall20, 4),
    "µs/query": round(us, 1),
  });
  const rows = own.filter(({ ef }) => [20, 50, 100].includes(ef)).map((point) => row("selfsame", point));
  const ratios: Row[] = [];
  if (!flag("own")) {
    const peers = await loadPeers();
    for (const { name, goal, load } of RIVALS) {
      const peer = await peers[load](DIM, set.count);
      say(`${name}: building`);
      const built = await seconds(() => fillPeer(peer, set));
      const points = queries.map((query) => peer.prepare(query));
      const theirs = sweep(
        (i, k, ef) => {
          peer.setEf(ef);
          return peer.search(points[i], k);
        },
        exact,
        [50, 100],
      );
      for (const point of theirs) {
        rows.push({ ...row(name, point), "build s": round(built, 1) });
        const equal = own.find(({ recall10 }) => recall10 >= point.recall10);
        if (equal === undefined) continue;
        // Once more, in turns, so that a change of the machine's speed meets both alike.
        const [ours, other] = inTurns(index, queries, equal.ef, peer, points, point.ef);
        ratios.push({
          against: `${name}, ef ${point.ef}`,
          "its recall@10": round(point.recall10, 4),
          "our ef": equal.ef,
          "our recall@10": round(equal.recall10, 4),
          "its µs": round(other, 1),
          "our µs": round(ours, 1),
          "times as fast": round(other / ours, 2),
          goal,
          pass: verdict(other / ours >= goal),
        });
      }
    }
  }
  const what = `${set.count} ${set.name}, ${QUERIES} queries, one thread`;
  return [
    { title: `Recall and time: ${what}`, rows },
    ...(ratios.length === 0 ? [] : [{ title: `At equal recall: ${what}`, rows: ratios }]),
  ];
}

function fillPeer(peer: Peer, set: VectorSet): void {
  for (let i = 0; i < set.count; i++) peer.add(peer.prepare(set.at(i)), i);
}

function inTurns(
  index: VectorIndex,
  queries: Int16Array[],
  ef: number,
  peer: Peer,
  points: unknown[],
  peerEf: number,
): [ours: number, theirs: number] {
  peer.setEf(peerEf);
  let ours = Number.POSITIVE_INFINITY;
  let theirs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 7; turn++) {
    ours = Math.min(
      ours,
      microseconds(queries, (query: Int16Array) => index.search(query, { k: 10, ef }), 1),
    );
    theirs = Math.min(
      theirs,
      microseconds(points, (point) => peer.search(point, 10), 1),
    );
  }
  return [ours, theirs];
}

/** The set with clusters of near-duplicates: recall, and nodes that cannot be reached. */
async function stress(base: VectorSet): Promise<Table> {
  const { set, queries } = split(stressVectors(firstOf(base, 11_000)));
  const index = await filled(set, false);
  await index.buildGraph({ workers: 2 });
  const graph = readGraph(index.serialize());
  const lost = [0, 1, 2, 3].map(
    (level) => unreachable(graph, level, "along") + unreachable(graph, level, "against"),
  );
  const exact = exactly(index, queries, 10);
  const rows = [50, 100].map((ef) => {
    // Near-duplicates tie: a hit counts if it is as near as the tenth.
    let hits = 0;
    for (const [i, query] of queries.entries())
      hits += index.search(query, { k: 10, ef }).filter(({ dot }) => dot >= exact.dots[i]!).length;
    return { ef, "recall@10": round(hits / (10 * QUERIES), 4), "unreachable, by level": lost.join(" ") };
  });
  index.close();
  return { title: `Stress: ${set.count} ${set.name} (18 clusters of 40 to 1,500)`, rows };
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

/** One by one at the end of a set: what is added is removed again, other vectors are removed and come back. */
async function updateTimes(
  index: VectorIndex,
  set: VectorSet,
  extra: Int16Array[],
): Promise<{ insert: number; remove: number }> {
  const half = extra.length / 2;
  const warm = extra.slice(0, half);
  const timed = extra.slice(half);
  for (const [i, vector] of warm.entries()) index.add(idOf(set.count + i), vector);
  for (const [i] of warm.entries()) index.remove(idOf(set.count + i));
  const insert = await seconds(() => {
    for (const [i, vector] of timed.entries()) index.add(idOf(set.count + i), vector);
  });
  const step = Math.floor(set.count / timed.length);
  const remove = await seconds(() => {
    for (const [i] of timed.entries()) index.remove(idOf(i * step));
  });
  for (const [i] of timed.entries()) {
    index.remove(idOf(set.count + i));
    index.add(idOf(i * step), set.at(i * step));
  }
  return { insert: (insert * 1000) / timed.length, remove: (remove * 1000) / timed.length };
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

async function growth(): Promise<Table[]> {
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
    const { insert, remove } = await updateTimes(index, set, queries.slice(0, 100));
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
  const { insert, remove } = await updateTimes(index, set, queries.slice(0, 200));
  if (Buffer.compare(index.digest(), digest) !== 0) throw new Error("the updates left a mark");
  tables.push({
    title: `Updates and builds: ${set.count} ${set.name}`,
    rows: [
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
