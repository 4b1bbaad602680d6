import { expect, test } from "vitest";
import { binary64Hex } from "#dist/store/bm25-probe.js";
import { deleteChunk } from "#dist/store/chunks.js";
import type { Database } from "#dist/store/database.js";
import { deleteDocument } from "#dist/store/documents.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { splitmix32 } from "../reference/prng.ts";
import { sampleChunk, sampleDocument, sampleId } from "./sample.ts";

const HISTORIES = import.meta.env.MODE === "long" ? 60 : 6;
const QUERIES = 50;
const SLOTS = 80;

interface Chunk {
  readonly text: string;
  readonly headings: string;
  readonly searchText: string | null;
}

class History {
  readonly random: () => number;
  /** What must be there in the end, by document. */
  readonly state = new Map<number, Chunk>();

  constructor(seed: number) {
    this.random = splitmix32(seed);
  }

  below(limit: number): number {
    return this.random() % limit;
  }

  /** Few words are frequent and many rare, as in language. */
  words(count: number): string {
    return Array.from(
      { length: count },
      () => `w${Math.min(this.below(300), this.below(300), this.below(300))}`,
    ).join(" ");
  }

  chunk(): Chunk {
    const isSpaced = this.below(5) === 0;
    const text = this.words(3 + this.below(60));
    return { text, headings: this.words(this.below(6)), searchText: isSpaced ? `漢 字 ${text}` : null };
  }

  /** A random walk of inserts, updates and deletes, in transactions of random size, with merges in between. */
  walk(database: Database, steps: number): void {
    let left = steps;
    while (left > 0) {
      const batch = Math.min(left, 1 + this.below(40));
      database.transaction(() => {
        for (let i = 0; i < batch; i++) this.step(database);
      });
      left -= batch;
      const upkeep = this.below(12);
      if (upkeep === 0) database.run("INSERT INTO search (search) VALUES ('optimize')");
      if (upkeep === 1) database.run("INSERT INTO search (search, rank) VALUES ('merge', 50)");
      if (upkeep === 2) database.run("INSERT INTO search (search) VALUES ('rebuild')");
      if (upkeep === 3) database.exec("VACUUM");
    }
  }

  step(database: Database): void {
    const slot = this.below(SLOTS);
    const chunk = this.chunk();
    if (!this.state.has(slot)) {
      put(database, slot, chunk);
      this.state.set(slot, chunk);
    } else if (this.below(2) === 0) {
      deleteDocument(database, sampleId(1, slot));
      this.state.delete(slot);
    } else {
      deleteChunk(database, sampleId(slot, 0));
      sampleChunk(database, slot, 0, chunk.text, chunk.headings, chunk.searchText);
      this.state.set(slot, chunk);
    }
  }
}

function put(database: Database, slot: number, chunk: Chunk): void {
  sampleDocument(database, slot, `${slot}.md`, "");
  sampleChunk(database, slot, 0, chunk.text, chunk.headings, chunk.searchText);
}

function scores(database: Database, query: string): string[] {
  return database
    .all<{ path: string; score: number }>(
      `SELECT path, bm25(search) AS score
       FROM search JOIN chunks ON chunks.chunk = search.rowid JOIN documents USING (documentId)
       WHERE search MATCH ? ORDER BY score, path, sequence`,
      [query],
    )
    .map(({ path, score }) => `${path} ${binary64Hex(score)}`);
}

async function prepared(): Promise<Database> {
  const database = await openDatabase(":memory:");
  prepareSchema(database);
  return database;
}

test("bm25 depends on the set of chunks alone, to the bit", async () => {
  let compared = 0;
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const history = new History(seed);
    const walked = await prepared();
    history.walk(walked, 400 + history.below(800));
    checkIntegrity(walked);
    const fresh = await prepared();
    fresh.transaction(() => {
      const slots = [...history.state.keys()].sort((a, b) => a - b);
      for (const slot of slots) put(fresh, slot, history.state.get(slot)!);
    });
    for (let i = 0; i < QUERIES; i++) {
      const terms = history
        .words(1 + history.below(5))
        .split(" ")
        .map((word) => `"${word}"`);
      const query =
        i % 7 === 0 ? `"漢 字" OR ${terms.join(" OR ")}` : terms.join(i % 5 === 0 ? " AND " : " OR ");
      const expected = scores(fresh, query);
      expect(scores(walked, query)).toStrictEqual(expected);
      compared += expected.length;
    }
    walked.close();
    fresh.close();
  }
  expect(compared).toBeGreaterThan(HISTORIES * QUERIES);
});
