// What the store costs: chunks with their documents and index rows per second, commits, reads.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertChunk } from "#dist/store/chunks.js";
import type { Database } from "#dist/store/database.js";
import { insertDocument } from "#dist/store/documents.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { splitmix32 } from "../test/reference/prng.ts";

const DOCUMENTS = 2000;
const CHUNKS_EACH = 10;
const WORDS_EACH = 160;
const BATCH = 100;

type Rows = Record<string, string | number>[];

function makeDocuments(): { path: string; chunks: string[] }[] {
  const random = splitmix32(1);
  const words = Array.from({ length: 8000 }, (_, i) =>
    Array.from({ length: 3 + (i % 7) }, () => String.fromCharCode(97 + (random() % 26))).join(""),
  );
  // A few words are frequent and most are rare, as in language.
  const word = () => words[Math.floor(8000 * (random() / 2 ** 32) ** 3)]!;
  const chunk = () => Array.from({ length: WORDS_EACH }, word).join(" ");
  return Array.from({ length: DOCUMENTS }, (_, i) => ({
    path: `notes/${i}.md`,
    chunks: Array.from({ length: CHUNKS_EACH }, chunk),
  }));
}

function id(kind: number, number: number): Uint8Array {
  // Spread like digests: ids arrive in no order.
  const random = splitmix32(kind * 1_000_003 + number);
  return Uint8Array.from({ length: 16 }, () => random());
}

function fill(database: Database, documents: { path: string; chunks: string[] }[]): void {
  for (let start = 0; start < documents.length; start += BATCH) {
    database.transaction(() => {
      documents.slice(start, start + BATCH).forEach(({ path, chunks }, i) => {
        const number = start + i;
        const documentId = id(1, number);
        const text = chunks.join("\n");
        const row = { documentId, path, textHash: id(2, number), textBytes: text.length };
        insertDocument(
          database,
          { ...row, format: "markdown", modifiedAt: 0, mime: null, metadata: null },
          text,
        );
        chunks.forEach((chunk, sequence) => {
          const at = { startByte: 0, endByte: chunk.length, line: 1, page: 1, tokens: 200 };
          insertChunk(database, {
            chunkId: id(3, number * CHUNKS_EACH + sequence),
            documentId,
            sequence,
            ...at,
            textHash: id(4, number * CHUNKS_EACH + sequence),
            headings: '["Guide","Install"]',
            searchHeadings: "Guide Install",
            text: chunk,
            searchText: null,
            simHash: new Uint8Array(8),
            termNorm: 0,
          });
        });
      });
    });
  }
}

function timed(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

export async function bench(): Promise<{ title: string; rows: Rows }[]> {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-bench-"));
  const documents = makeDocuments();
  const total = DOCUMENTS * CHUNKS_EACH;
  const inserts: Rows = [];
  const others: Rows = [];
  try {
    for (const name of [":memory:", join(folder, "a.db")]) {
      const database = await openDatabase(name);
      prepareSchema(database);
      const ms = timed(() => fill(database, documents));
      inserts.push({
        where: name === ":memory:" ? "memory" : "file",
        "chunks/s": Math.round((total / ms) * 1000),
        "MB on disk": name === ":memory:" ? "" : Math.round(statSync(name).size / 1e6),
      });
      if (name !== ":memory:") others.push(...operations(database));
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    {
      title: `Insert ${total} chunks of ${WORDS_EACH} words, ${BATCH * CHUNKS_EACH} per transaction`,
      rows: inserts,
    },
    { title: "Other operations, on that file", rows: others },
  ];
}

function operations(database: Database): Rows {
  const read = () => database.get("SELECT path FROM documents WHERE documentId = ?", [id(1, 7)]);
  const repeat = (count: number, work: () => void) =>
    timed(() => {
      for (let i = 0; i < count; i++) work();
    }) / count;
  let key = 0;
  return [
    {
      operation: "a small commit",
      ms: repeat(50, () => database.run("INSERT INTO meta VALUES (?, 1)", [`k${key++}`])),
    },
    { operation: "a read by itself", ms: repeat(2000, read) },
    { operation: "a read in a snapshot", ms: database.snapshot(() => repeat(2000, read)) },
    { operation: "checkIntegrity", ms: repeat(1, () => checkIntegrity(database)) },
  ].map(({ operation, ms }) => ({ operation, ms: Number(ms.toPrecision(3)) }));
}
