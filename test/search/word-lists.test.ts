import { describe, expect, test } from "vitest";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { firstByCounts } from "#dist/search/counted-scores.js";
import { exclusionExpression, matchExpression } from "#dist/search/match.js";
import { tokenOf } from "#dist/search/token.js";
import { WordLists } from "#dist/search/word-lists.js";
import { binary64Hex } from "#dist/store/bm25-probe.js";
import { deleteChunk } from "#dist/store/chunks.js";
import type { Database } from "#dist/store/database.js";
import { deleteDocument } from "#dist/store/documents.js";
import { rebuildLengths, wrongLength } from "#dist/store/lengths.js";
import { openDatabase } from "#dist/store/open.node.js";
import { prepareSchema } from "#dist/store/schema.js";
import { IN_HEADINGS, WordIndex } from "#dist/store/word-list.js";
import { splitmix32 } from "../reference/prng.ts";
import { sampleChunk, sampleDocument, sampleId } from "../store/sample.ts";

const HISTORIES = import.meta.env.MODE === "long" ? 120 : 5;
const QUERIES = 40;
const SLOTS = 120;

/** A word index with a history: chunks come, go and come back, in runs that are partly merged, on small pages. */
class Shelf {
  readonly random: () => number;
  readonly there = new Set<number>();

  constructor(
    readonly database: Database,
    seed: number,
  ) {
    this.random = splitmix32(seed);
    prepareSchema(database);
    const pageBytes = [32, 60, 200, 4050][this.below(4)]!;
    database.run("INSERT INTO search (search, rank) VALUES ('pgsz', ?)", [pageBytes]);
    database.run("INSERT INTO search (search, rank) VALUES ('automerge', ?)", [[0, 2, 4][this.below(3)]!]);
    for (let batch = 0; batch < 25; batch++) {
      database.transaction(() => {
        for (let i = 1 + this.below(25); i > 0; i--) this.step();
      });
      const upkeep = this.below(10);
      if (upkeep === 0) database.run("INSERT INTO search (search) VALUES ('optimize')");
      if (upkeep < 4) database.run("INSERT INTO search (search, rank) VALUES ('merge', ?)", [upkeep + 1]);
    }
    if (this.below(2) === 0) database.transaction(() => rebuildLengths(database));
  }

  below(limit: number): number {
    return this.random() % limit;
  }

  words(count: number): string {
    const word = () => `w${Math.min(this.below(150), this.below(150), this.below(150))}`;
    return Array.from({ length: count }, word).join(" ");
  }

  step(): void {
    const slot = this.below(SLOTS);
    if (this.there.has(slot)) {
      if (this.below(2) === 0) {
        deleteDocument(this.database, sampleId(1, slot));
        this.there.delete(slot);
        return;
      }
      deleteChunk(this.database, sampleId(slot, 0));
    } else sampleDocument(this.database, slot, `${slot % 7}/${slot}.md`, "");
    this.there.add(slot);
    // Few lengths, so that scores tie. Some chunks have a word so often that its positions need several pages.
    const text = this.words([3, 3, 4, 40][this.below(4)]!) + " w0".repeat(this.below(9) === 0 ? 300 : 0);
    sampleChunk(this.database, slot, 0, text, this.words(this.below(3)));
  }

  query() {
    const item = () => this.words(this.below(4) === 0 ? 2 : 1);
    const items = (count: number) => [...new Set(Array.from({ length: count }, item))];
    const phrases = this.below(3) === 0 ? items(1 + this.below(2)) : [];
    const terms = items(this.below(5)).filter((each) => !phrases.includes(each));
    const excluded = this.below(4) === 0 ? items(1).filter((each) => !terms.includes(each)) : [];
    return { phrases, terms, excluded };
  }
}

/** What FTS5 itself says of a token. */
function instances(database: Database, token: string): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const sql =
    "SELECT doc AS chunk, col = 'headings' AS head, offset FROM temp.instances WHERE term = ? ORDER BY 1, 2, 3";
  for (const row of database.all<{ chunk: number; head: number; offset: number }>(sql, [token]))
    found.set(row.chunk, [...(found.get(row.chunk) ?? []), row.offset + row.head * IN_HEADINGS]);
  return found;
}

function firstByFts5(
  database: Database,
  query: ReturnType<Shelf["query"]>,
  k: number,
  hasCandidates: boolean,
): string[] {
  // With NOT in the expression, FTS5's bm25() depends on the order of rowids.
  const match = matchExpression({ ...query, excluded: [] });
  if (match === null) return [];
  const excluding = exclusionExpression(query.excluded);
  const candidates = "SELECT chunk FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates)";
  const restriction = [
    hasCandidates ? `AND +search.rowid IN (${candidates})` : "",
    excluding === null ? "" : "AND +search.rowid NOT IN (SELECT rowid FROM search WHERE search MATCH ?)",
  ].join(" ");
  return database
    .all<{ chunk: number; score: number }>(
      `SELECT search.rowid AS chunk, bm25(search) AS score FROM search JOIN chunks ON chunk = search.rowid
       JOIN documents USING (documentId) WHERE search MATCH ? ${restriction} ORDER BY score, path, sequence LIMIT ?`,
      [match, ...(excluding === null ? [] : [excluding]), k],
    )
    .map(({ chunk, score }) => `${chunk} ${binary64Hex(score)}`);
}

describe("FTS5's own lists (SPEC §25.2)", () => {
  test("hold what FTS5 says of every token, after any history", async () => {
    let read = 0;
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const database = await openDatabase(":memory:");
      new Shelf(database, seed);
      database.exec("CREATE VIRTUAL TABLE temp.instances USING fts5vocab ('main', 'search', 'instance')");
      const index = new WordIndex(database);
      for (let word = 0; word < 155; word++) {
        const token = tokenOf(`w${word}`);
        const expected = instances(database, token);
        const list = index.list(new TextEncoder().encode(token), true);
        const got = new Map<number, number[]>();
        for (let i = 0; i < list.size; i++)
          got.set(list.chunks[i]!, [
            ...list.positions.subarray(list.starts[i]!, list.starts[i]! + list.times[i]!),
          ]);
        expect(got, `${seed} ${token}`).toEqual(expected);
        const counts = index.list(new TextEncoder().encode(token));
        expect(counts.size).toBe(expected.size);
        expect([...counts.times.subarray(0, counts.size)]).toEqual(
          [...expected.values()].map((positions) => positions.length),
        );
        read += expected.size;
      }
      database.close();
    }
    expect(read).toBeGreaterThan(500 * HISTORIES);
  });

  test("give the first chunks of FTS5, with its scores to the last bit (SPEC §20.3)", async () => {
    let found = 0;
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const database = await openDatabase(":memory:");
      const shelf = new Shelf(database, seed + 1000);
      expect(wrongLength(database)).toBeNull();
      database.exec("CREATE TEMP TABLE candidates (documentId BLOB PRIMARY KEY) WITHOUT ROWID");
      for (const slot of shelf.there)
        if (slot % 3 > 0)
          database.run("INSERT INTO temp.candidates (documentId) VALUES (?)", [sampleId(1, slot)]);
      for (let i = 0; i < QUERIES; i++) {
        const query = shelf.query();
        const k = 1 + shelf.below(12);
        const hasCandidates = shelf.below(4) === 0;
        const got = firstByCounts(database, query, "bm25", k, hasCandidates)
          .sort((a, b) => a.bm25 - b.bm25 || (a.path < b.path ? -1 : 1))
          .slice(0, k)
          .map(({ chunk, bm25 }) => `${chunk} ${binary64Hex(bm25)}`);
        expect(got, JSON.stringify([seed, k, query])).toEqual(firstByFts5(database, query, k, hasCandidates));
        found += got.length;
      }
      database.close();
    }
    expect(found).toBeGreaterThan(100 * HISTORIES);
  });

  test("of a damaged index are an error, or some list, and never anything else", async () => {
    let refused = 0;
    for (let seed = 1; seed <= 4 * HISTORIES; seed++) {
      const database = await openDatabase(":memory:");
      const shelf = new Shelf(database, 1 + (seed % 4));
      const pages = database.all<{ id: number; wordPage: Uint8Array }>(
        "SELECT id, block AS wordPage FROM search_data WHERE id >= 10 ORDER BY id",
      );
      for (let i = 0; i < 20; i++) {
        const { id, wordPage } = pages[i === 0 ? 0 : shelf.below(pages.length)]!;
        const bytes = wordPage.slice(0, shelf.below(3) === 0 ? shelf.below(wordPage.length) : undefined);
        if (bytes.length > 0) bytes[shelf.below(Math.min(bytes.length, 40))] = shelf.below(256);
        database.run("UPDATE search_data SET block = ? WHERE id = ?", [bytes, id]);
        const lists = new WordLists(database);
        for (const item of ["w0", "w1 w2", "w77"]) {
          try {
            expect(lists.of(item).size).toBeLessThan(100_000);
          } catch (error) {
            if (!(error instanceof SelfsameError)) throw error;
            expect(error.code).toBe("DATABASE_CORRUPT");
            refused++;
          }
        }
      }
      database.close();
    }
    expect(refused).toBeGreaterThan(0);
  });
});
