// A library of a million chunks, and how its costs grow: 60,000, 250,000 and 1,000,000 chunks of real words and vectors
// (bench/million/corpus.ts says how they are made). `npm run bench -- million`; the first run makes the libraries, every
// run builds their graphs from scratch: more than half an hour on two cores, as much again for the peer.
// `--sizes=60000,250000` runs some of the sizes, `--own` leaves out the peer, `--kept` uses the graphs of the last run and
// builds those that are missing, `--build` stops after that: so a run can be done in parts. A library whose making was
// stopped is continued.
// `--segment=16384` makes segments smaller, so that small sizes have several.
import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { loadEngine, VectorIndex } from "selfsame/engine";
import { Library } from "#dist/library/library.js";
import type { SegmentedIndex } from "#dist/vectors/segmented-index.js";
import { median } from "./embed/timing.ts";
import { type Corpus, millionCorpus } from "./million/corpus.ts";
import { fileOf, forgetIndex, makeLibrary, type Opened, openLibrary } from "./million/library.ts";
import { stalls } from "./million/stalls.ts";
import { makeQueries, readPassages } from "./search/passages.ts";
import { DIM, idOf, numberOf } from "./vectors/data.ts";
import { flag, type Row, round, say, seconds, type Table, verdict } from "./vectors/measure.ts";
import { loadPeers } from "./vectors/peers.ts";

const SIZES = [60_000, 250_000, 1_000_000];
const ASKED = 200; // queries by vector
const HYBRID = 90;
const COMMON = 30;
const UPDATES = 40;
const K = 10;
const EFS = [10, 20, 50, 100, 200];
const RECALL = 0.97;

const sizesGiven = process.argv.find((each) => each.startsWith("--sizes="))?.slice(8);

export async function bench(): Promise<Table[]> {
  const corpus = millionCorpus();
  const tables: Record<"build" | "search" | "hybrid" | "peer", Row[]> = {
    ...{ build: [], search: [], hybrid: [], peer: [] },
  };
  for (const chunks of sizesGiven?.split(",").map(Number) ?? SIZES) {
    await makeLibrary(chunks, corpus);
    await measure(chunks, corpus, tables);
  }
  const load = `load of the machine at the end ${loadavg()[0]!.toFixed(1)}`;
  return [
    { title: `Graphs: building, changing, opening (${load})`, rows: tables.build },
    {
      title: `By vector, k ${K}, ${ASKED} queries, one thread unless it says more`,
      rows: [...tables.search, ...tables.peer],
    },
    { title: "Against hnswlib-node (M 16, efConstruction 200)", rows: ratios(tables) },
    { title: `Hybrid: ${HYBRID} queries, and ${COMMON} of one common word`, rows: tables.hybrid },
    { title: "Additions one by one, one of which splits a segment of 16,384", rows: await stalls(corpus) },
    { title: "Growth: the exponent of the number of chunks", rows: slopes(tables.build, tables.search) },
  ];
}

async function measure(
  chunks: number,
  corpus: Corpus,
  tables: Record<"build" | "search" | "hybrid" | "peer", Row[]>,
): Promise<void> {
  const file = fileOf(chunks);
  let shown = 0;
  const building = await openLibrary(file, {
    onShare: (share) => {
      if (share < shown + 0.05) return;
      shown = share;
      say(`${chunks}: graphs ${Math.round(share * 100)} %`);
    },
  });
  if (!flag("kept")) forgetIndex(building.parts);
  const cpu = process.cpuUsage();
  const build = await seconds(() => building.library.prepare());
  const used = process.cpuUsage(cpu);
  await building.library.close();
  if (flag("build")) return;
  const alone = await opened(file, 1);
  const { insert, remove } = updates(alone.index, corpus, chunks);
  tables.search.push(...byVector(alone.index, corpus, chunks, "selfsame"));
  await alone.library.close();
  const all = await opened(file, availableParallelism());
  const cores = new Set(all.index.segments.map(({ thread }) => thread)).size;
  if (cores > 1) tables.search.push(...byVector(all.index, corpus, chunks, `selfsame on ${cores} threads`));
  tables.hybrid.push(...(await hybrid(all, chunks)));
  const { segments, memoryBytes } = (await all.library.stats()).index;
  await all.library.close();
  const child = join(import.meta.dirname, "million/open.child.ts");
  const { ms, peakMb } = JSON.parse(
    // The flags, too: S is part of the library's canon.
    execFileSync("npx", ["tsx", child, ...process.argv.slice(2)], {
      encoding: "utf8",
      env: { ...process.env, MILLION_FILE: file, MILLION_QUERY: corpus.queries[0]! },
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ) as { ms: number; peakMb: number };
  tables.build.push({
    chunks,
    segments,
    [flag("kept") ? "load s" : "build s (1M: < 900)"]: round(build, 1),
    "its CPU s": round((used.user + used.system) / 1e6, 1),
    "insert ms (< 15)": round(insert),
    "delete ms (< 15)": round(remove),
    "open to answer s (< 4)": round(ms / 1000),
    "peak MB (< 3,000)": round(peakMb, 0),
    "index bytes/chunk": round(memoryBytes / chunks, 0),
  });
  if (!flag("own")) tables.peer.push(...(await peer(chunks, corpus)));
}

/** Opens a library and loads its index. */
async function opened(file: string, workers: number): Promise<Opened & { readonly index: SegmentedIndex }> {
  const { library, parts } = await openLibrary(file, { workers });
  return { library, parts, index: await parts.semantic.current(await library.root()) };
}

/** The median of one insert and of one delete, of vectors that are in no chunk. All is undone. */
function updates(index: SegmentedIndex, corpus: Corpus, chunks: number): { insert: number; remove: number } {
  const ids = Array.from({ length: UPDATES }, (_, i) => idOf(chunks + i));
  const timed = (work: () => unknown) => {
    const started = performance.now();
    work();
    return performance.now() - started;
  };
  // The first change of a segment loads what only changes need.
  for (const [i, id] of ids.entries()) index.add(id, id, corpus.queryVectors[i]!);
  for (const id of ids) index.remove(id, id);
  const insert = ids.map((id, i) => timed(() => index.add(id, id, corpus.queryVectors[i]!)));
  const remove = ids.map((id) => timed(() => index.remove(id, id)));
  index.settle();
  return { insert: median(insert), remove: median(remove) };
}

function byVector(index: SegmentedIndex, corpus: Corpus, chunks: number, name: string): Row[] {
  const queries = corpus.queryVectors.slice(-ASKED);
  const exactly = queries.map((query) => index.exact(query, { k: K }).map(({ id }) => id.join()));
  const exactMs = median(queries.slice(0, 30).map((query) => timedMs(() => index.exact(query, { k: K }))));
  const rows: Row[] = [
    { index: `${name}, exact`, chunks, "recall@10": 1, "µs/query": round(exactMs * 1000, 0) },
  ];
  if (!index.answersByGraph) return rows;
  for (const ef of EFS) {
    let found = 0;
    const times = queries.map((query, i) => {
      let hits: string[] = [];
      const ms = best(() => {
        hits = index.search(query, { k: K, ef }).map(({ id }) => id.join());
      });
      found += hits.filter((id) => exactly[i]!.includes(id)).length;
      return ms;
    });
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    rows.push({
      index: `${name}, ef ${ef}`,
      chunks,
      "recall@10": round(found / (K * ASKED), 4),
      "µs/query": round(mean * 1000, 0),
    });
  }
  return rows;
}

const timedMs = (work: () => unknown) => {
  const started = performance.now();
  work();
  return performance.now() - started;
};
/** The best of three: other work on the machine only adds. */
const best = (work: () => unknown) => Math.min(timedMs(work), timedMs(work), timedMs(work));

async function hybrid({ parts }: Opened, chunks: number): Promise<Row[]> {
  const passages = readPassages();
  const common = COMMON_WORDS.slice(0, COMMON);
  const rows: Row[] = [];
  for (const [what, queries] of [
    ["1 to 6 words", makeQueries(passages, HYBRID)],
    ["one common word", common],
  ] as const) {
    const times: number[] = [];
    for (const query of queries) {
      await new Library(parts).search(query);
      const library = new Library(parts); // without answers in its cache
      const started = performance.now();
      await library.search(query);
      times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]!;
    const p50 = median(times);
    rows.push({
      queries: what,
      chunks,
      "p50 ms (< 60)": round(p50, 1),
      "p99 ms (< 100)": round(p99, 1),
      pass: verdict(p50 < 60 && p99 < 100),
    });
  }
  return rows;
}

/** Words that many passages have. */
const COMMON_WORDS =
  "value type object name string returns time used list number default set data user specified service request make great state people new given first information resource file called model day".split(
    " ",
  );

async function peer(chunks: number, corpus: Corpus): Promise<Row[]> {
  const peers = await loadPeers();
  const index = await peers.hnswlibNode(DIM, chunks);
  say(`${chunks}: hnswlib-node: building`);
  const cpu = process.cpuUsage();
  const built = await seconds(() => {
    for (let i = 0; i < chunks; i++) index.add(index.prepare(corpus.vector(i)), i);
  });
  const used = process.cpuUsage(cpu);
  say(
    `${chunks}: hnswlib-node: ${built.toFixed(0)} s, ${((used.user + used.system) / 1e6).toFixed(0)} s of CPU`,
  );
  const queries = corpus.queryVectors.slice(-ASKED);
  const points = queries.map((query) => index.prepare(query));
  const exactly = await exactNumbers(corpus, chunks, queries);
  return EFS.map((ef) => {
    index.setEf(ef);
    let found = 0;
    const times = points.map((point, i) => {
      let hits: number[] = [];
      const ms = best(() => {
        hits = index.search(point, K);
      });
      found += hits.filter((number) => exactly[i]!.includes(number)).length;
      return ms;
    });
    return {
      index: `hnswlib-node, ef ${ef}`,
      chunks,
      "recall@10": round(found / (K * ASKED), 4),
      "µs/query": round((times.reduce((sum, ms) => sum + ms, 0) / times.length) * 1000, 0),
      "build s": round(built, 1),
      "its CPU s": round((used.user + used.system) / 1e6, 1),
    };
  });
}

/** Our times divided by the peer's: of a build, in CPU time, and of a query at a recall that both reach. */
function ratios({ build, search, peer: theirs }: Record<"build" | "search" | "peer", Row[]>): Row[] {
  return build.flatMap(({ chunks, "its CPU s": cpu }) => {
    const of = (rows: readonly Row[], name: string) =>
      rows.filter((row) => row["chunks"] === chunks && String(row["index"]).startsWith(name));
    const [ours, others] = [of(search, "selfsame, ef"), of(theirs, "hnswlib-node")];
    if (ours.length === 0 || others.length === 0) return [];
    const [at, least] = [timeAt(ours, RECALL), timeAt(others, RECALL)];
    return [
      {
        chunks: chunks!,
        [`µs at recall ${RECALL}`]: round(at, 0),
        "hnswlib-node µs": round(least, 0),
        "ratio (≤ 1.5)": round(at / least),
        "build CPU ratio (≤ 1)": flag("kept") ? "–" : round(Number(cpu) / Number(others[0]!["its CPU s"])),
      },
    ];
  });
}

/** The time per query at a recall, between those of neighbouring values of ef. */
function timeAt(rows: readonly Row[], recall: number): number {
  const points = rows.map((row) => [Number(row["recall@10"]), Number(row["µs/query"])] as const);
  const above = points.findIndex(([reached]) => reached >= recall);
  if (above <= 0) return above === 0 ? points[0]![1] : Number.NaN;
  const [[r0, t0], [r1, t1]] = [points[above - 1]!, points[above]!];
  return t0 + ((recall - r0) / (r1 - r0)) * (t1 - t0);
}

/** The exact neighbours by number, from an index of its own. */
async function exactNumbers(
  corpus: Corpus,
  chunks: number,
  queries: readonly Int16Array[],
): Promise<number[][]> {
  const { engine } = await loadEngine();
  const index = VectorIndex.create(engine, { dim: DIM, graph: false });
  for (let i = 0; i < chunks; i++) index.add(idOf(i), corpus.vector(i));
  return queries.map((query) => index.exact(query, { k: K }).map(({ id }) => numberOf(id)));
}

/** The exponents between neighbouring sizes: 1 would be proportional, 0 constant. */
function slopes(build: readonly Row[], search: readonly Row[]): Row[] {
  const rows: Row[] = [];
  const add = (what: string, of: (chunks: number) => number | undefined) => {
    for (const [i, { chunks }] of build.entries()) {
      if (i === 0) continue;
      const before = Number(build[i - 1]!["chunks"]);
      const [small, large] = [of(before), of(Number(chunks))];
      if (small === undefined || large === undefined) continue;
      const exponent = Math.log(large / small) / Math.log(Number(chunks) / before);
      rows.push({ what, from: before, to: Number(chunks), exponent: round(exponent) });
    }
  };
  const inBuild = (name: string) => (chunks: number) =>
    build.find((row) => row["chunks"] === chunks)?.[name] as number | undefined;
  for (const name of ["its CPU s", "insert ms (< 15)", "delete ms (< 15)", "open to answer s (< 4)"])
    add(name, inBuild(name));
  const bySearch = (index: string) => (chunks: number) =>
    search.find((row) => row["chunks"] === chunks && row["index"] === index)?.["µs/query"] as
      | number
      | undefined;
  add("exact scan", bySearch("selfsame, exact"));
  add("graphs, ef 50", bySearch("selfsame, ef 50"));
  return rows;
}
