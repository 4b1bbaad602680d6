// What a hybrid search costs beside its bare parts: embedding the query, asking the vectors, and the same MATCH ordered
// by bm25, in turns in the same run. `npm run bench -- search`; the first run makes the libraries (minutes).
import { Library } from "#dist/library/library.js";
import { parseQuery } from "#dist/search/parse-query.js";
import { median } from "./embed/timing.ts";
import { type Opened, openLibrary } from "./search/library.ts";
import { makeQueries, readPassages } from "./search/passages.ts";

type Row = Record<string, string | number>;

const SIZES = [1_000, 10_000, 100_000];
const QUERIES = 90;
const WARM_UP = 40;
const TURNS = 5;
const CANDIDATES = 20; // of each channel, by default
const BARE_MATCH = `SELECT rowid, bm25(search) AS score FROM search WHERE search MATCH ? ORDER BY score LIMIT ${CANDIDATES}`;
const GOAL_RATIO = 1.3;
const GOAL_MS = 40;

const round = (value: number, digits = 2) => Number(value.toFixed(digits));
const verdict = (pass: boolean) => (pass ? "yes" : "NO");

/** In ms. */
interface Times {
  readonly words: number;
  readonly first: number;
  readonly embedding: number;
  readonly vectors: number;
  readonly match: number;
  readonly hybrid: number;
}

export async function bench(): Promise<{ title: string; rows: Row[] }[]> {
  const passages = readPassages();
  const queries = makeQueries(passages, WARM_UP + QUERIES);
  const summary: Row[] = [];
  const byLength: Row[] = [];
  for (const chunks of SIZES) {
    const opened = await openLibrary(chunks, passages);
    try {
      for (const query of queries.slice(0, WARM_UP)) await measure(opened, query);
      const times: Times[] = [];
      for (const query of queries.slice(WARM_UP)) times.push(await measure(opened, query));
      summary.push(row(chunks, times));
      for (const words of [...new Set(times.map((each) => each.words))].sort())
        byLength.push({
          words,
          ...row(
            chunks,
            times.filter((each) => each.words === words),
          ),
        });
    } finally {
      await opened.library.close();
    }
  }
  return [
    {
      title: `Hybrid search and its bare parts, p50 of ${QUERIES} queries over ${passages.name}`,
      rows: summary,
    },
    { title: "By words of the query", rows: byLength },
  ];
}

/**
 * A query as it is met for the first time; then the whole and its bare parts in turns, all of it in memory by then, each at
 * its best: other work on the machine only adds.
 */
async function measure({ parts }: Opened, query: string): Promise<Times> {
  const { engine, database, embedder, semantic } = parts;
  const fresh = () => new Library(parts); // without answers in its cache
  const index = await semantic.current(await fresh().root());
  const { semanticText } = parseQuery(engine, query);
  let match: string | null = null;
  const first = await timed(async () => {
    match = (await fresh().search(query, { explain: true })).explanation!.matchExpression;
  });
  let vector = new Int16Array(0);
  const bare = {
    embedding: async () => {
      vector = await embedder.embed(semanticText);
    },
    vectors: () =>
      index.answersByGraph
        ? index.search(vector, { k: CANDIDATES, ef: 50 })
        : index.exact(vector, { k: CANDIDATES }),
    match: () => database.all(BARE_MATCH, [match]),
  };
  const best = { embedding: Infinity, vectors: Infinity, match: Infinity, hybrid: Infinity };
  const run = async (name: keyof typeof best, work: () => unknown) => {
    best[name] = Math.min(best[name], await timed(work));
  };
  for (let turn = 0; turn < TURNS; turn++) {
    const library = fresh();
    await run("hybrid", () => library.search(query));
    for (const name of ["embedding", "vectors", "match"] as const) await run(name, bare[name]);
  }
  return { words: query.split(" ").length, first, ...best };
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function row(chunks: number, times: readonly Times[]): Row {
  const p50 = (pick: (each: Times) => number) => median(times.map(pick));
  const sum = p50(({ embedding, vectors, match }) => embedding + vectors + match);
  const [hybrid, first] = [p50((each) => each.hybrid), p50((each) => each.first)];
  return {
    chunks,
    "embedding ms": round(p50((each) => each.embedding)),
    "vectors ms": round(p50((each) => each.vectors)),
    "MATCH ms": round(p50((each) => each.match)),
    "sum ms": round(sum),
    "hybrid ms": round(hybrid),
    [`ratio (≤ ${GOAL_RATIO})`]: round(hybrid / sum),
    [`first time ms (≤ ${GOAL_MS})`]: round(first),
    pass: verdict(hybrid <= GOAL_RATIO * sum && first <= GOAL_MS),
  };
}
