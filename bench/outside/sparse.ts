// Sparse search: the engine's postings beside the same search as a plain SQL join, over the same chunks and queries.
import { loadEngine } from "selfsame/engine";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { SparseIndex } from "#dist/vectors/sparse-index.js";
import { splitmix32 } from "../../test/reference/prng.ts";
import type { Table } from "../run.ts";

const CHUNKS = 100_000;
const TERMS_EACH = 120;
const QUERY_TERMS = 30;
const QUERIES = 100;
/** The join takes a second for a query. */
const JOINED_QUERIES = 5;
/** BERT's vocabulary has about as many words. */
const VOCABULARY = 30_000;
const K = 80;

interface Chunk {
  readonly id: Uint8Array;
  /** Pairs (term, weight). */
  readonly entries: Uint32Array;
}

/** Few terms are frequent, most are rare, as in the vectors of SPLADE. */
function drawTerms(next: () => number, count: number): Uint32Array {
  const terms = new Set<number>();
  while (terms.size < count) terms.add(Math.floor(VOCABULARY * (next() / 2 ** 32) ** 3));
  return Uint32Array.from([...terms].flatMap((term) => [term, 1 + (next() % 6000)]));
}

function drawChunks(): Chunk[] {
  const next = splitmix32(15);
  const chunks = Array.from({ length: CHUNKS }, () => {
    const id = new Uint8Array(Uint32Array.from({ length: 4 }, () => next()).buffer);
    return { id, entries: drawTerms(next, TERMS_EACH) };
  });
  return chunks.sort((a, b) => Buffer.compare(a.id, b.id));
}

async function indexOf(chunks: readonly Chunk[]): Promise<SparseIndex> {
  const { engine } = await loadEngine();
  return new SparseIndex(engine, {
    chunks: chunks.length,
    termNumbers: VOCABULARY,
    entries: chunks.length * TERMS_EACH,
    eachTerm: (visit) => {
      for (let term = 0; term < VOCABULARY; term++) visit(term, String(term));
    },
    eachChunk: (visit) => {
      for (const { id, entries } of chunks) visit(id, new Uint8Array(entries.buffer));
    },
  });
}

/**
 * Postings as rows of one table, clustered by term: the best form for the join. It has the terms of the queries alone,
 * since a join reads no others, and twelve million rows take minutes to insert.
 */
async function joinOf(chunks: readonly Chunk[], queries: readonly Uint32Array[]): Promise<Database> {
  const database = await openDatabase(":memory:");
  database.exec(
    `CREATE TABLE chunks (chunk INTEGER PRIMARY KEY, id BLOB);
     CREATE TABLE query (term INTEGER PRIMARY KEY, weight INTEGER);
     CREATE TABLE postings (term INTEGER, chunk INTEGER, weight INTEGER, PRIMARY KEY (term, chunk)) WITHOUT ROWID`,
  );
  const lists = new Map(
    queries
      .flatMap((query) => [...query].filter((_, i) => i % 2 === 0))
      .map((term) => [term, [] as number[]]),
  );
  for (const [chunk, { entries }] of chunks.entries())
    for (let i = 0; i < entries.length; i += 2) lists.get(entries[i]!)?.push(chunk, entries[i + 1]!);
  database.transaction(() => {
    for (const [chunk, { id }] of chunks.entries())
      database.run("INSERT INTO chunks VALUES (?, ?)", [chunk, id]);
    for (const [term, list] of [...lists].sort(([a], [b]) => a - b))
      for (let i = 0; i < list.length; i += 2)
        database.run("INSERT INTO postings VALUES (?, ?, ?)", [term, list[i]!, list[i + 1]!]);
  });
  return database;
}

function searchByJoin(database: Database, query: Uint32Array): string[] {
  database.run("DELETE FROM query");
  for (let i = 0; i < query.length; i += 2)
    database.run("INSERT INTO query VALUES (?, ?)", [query[i]!, query[i + 1]!]);
  return database
    .all<{ id: Uint8Array; score: number }>(
      `SELECT id, sum(query.weight * postings.weight) AS score
       FROM query CROSS JOIN postings USING (term) JOIN chunks USING (chunk)
       GROUP BY chunk ORDER BY score DESC, id LIMIT ?`,
      [K],
    )
    .map(({ id, score }) => `${Buffer.from(id).toString("hex")} ${score}`);
}

function searchByEngine(index: SparseIndex, query: Uint32Array): string[] {
  const terms: string[] = [];
  const weights: number[] = [];
  for (let i = 0; i < query.length; i += 2) {
    terms.push(String(query[i]));
    weights.push(query[i + 1]!);
  }
  return index.search({ terms, weights }, K).map(({ id, score }) => `${id} ${score}`);
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;

function timed<T>(work: () => T): { result: T; millis: number } {
  const began = performance.now();
  const result = work();
  return { result, millis: performance.now() - began };
}

/** 100,000 chunks of 120 terms: the engine under 5 ms at the median, and the same hits as the join. */
export async function sparseTable(): Promise<Table> {
  const chunks = drawChunks();
  const next = splitmix32(16);
  const queries = Array.from({ length: QUERIES }, () => drawTerms(next, QUERY_TERMS));
  const began = performance.now();
  const index = await indexOf(chunks);
  const load = performance.now() - began;
  for (const query of queries.slice(0, 10)) searchByEngine(index, query); // until the code is compiled
  const engine = queries.map((query) => timed(() => searchByEngine(index, query)));
  const asked = queries.slice(0, JOINED_QUERIES);
  const database = await joinOf(chunks, asked);
  const joined = asked.map((query) => timed(() => searchByJoin(database, query)));
  database.close();
  const isSame = joined.every(({ result }, i) => result.join() === engine[i]!.result.join());
  const [ours, theirs] = [
    median(engine.map(({ millis }) => millis)),
    median(joined.map(({ millis }) => millis)),
  ];
  const round = (value: number) => Number(value.toPrecision(3));
  return {
    title: `Sparse search: ${CHUNKS} chunks of ${TERMS_EACH} terms, queries of ${QUERY_TERMS}, first ${K}`,
    rows: [
      {
        "engine, ms": round(ours),
        "SQL join, ms": round(theirs),
        "join / engine": round(theirs / ours),
        "load, ms": round(load),
        "same hits": String(isSame),
        "pass (< 5 ms)": ours < 5 && isSame ? "yes" : "NO",
      },
    ],
  };
}
