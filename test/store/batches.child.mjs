// node batches.child.mjs <database> <locks>: writes batch after batch of documents, chunks and index rows, a
// transaction each, from where the last run ended, and says each number after its commit. Until it is killed.
import { writeSync } from "node:fs";
import { insertChunk } from "#dist/store/chunks.js";
import { deleteDocument, insertDocument } from "#dist/store/documents.js";
import { openDatabase } from "#dist/store/open.node.js";
import { prepareSchema } from "#dist/store/schema.js";

const [path, locks] = process.argv.slice(2);
const database = await openDatabase(path, { locks, timeoutMs: 60_000 });
prepareSchema(database);
// A small cache spills into the file in mid-transaction: more moments at which a kill can do harm.
database.exec("PRAGMA cache_size = 20");

function id(kind, number, part = 0) {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(kind, 0);
  bytes.writeUInt32BE(number, 4);
  bytes.writeUInt32BE(part, 8);
  return bytes;
}

const last = database.get("SELECT value FROM meta WHERE key = 'batch'")?.value ?? 0;
for (let batch = last + 1; ; batch++) {
  database.transaction(() => {
    const text = `batch ${batch} ${"some words to index ".repeat(20)}`;
    const document = {
      documentId: id(1, batch),
      path: `batch/${batch}.md`,
      format: "markdown",
      textHash: id(2, batch),
    };
    insertDocument(
      database,
      { ...document, textBytes: text.length, modifiedAt: null, mime: null, metadata: null },
      text,
    );
    for (let part = 0; part < 20; part++) {
      insertChunk(database, {
        chunkId: id(3, batch, part),
        documentId: id(1, batch),
        sequence: part,
        startByte: 0,
        endByte: 1,
        line: 1,
        page: 1,
        tokens: 1,
        textHash: id(4, batch, part),
        headings: "[]",
        searchHeadings: "",
        text: `${text} part ${part}`,
        searchText: null,
        simHash: id(5, batch, part).subarray(0, 8),
        termNorm: 1,
      });
    }
    // Every third batch also takes an old one away.
    if (batch % 3 === 0) deleteDocument(database, id(1, batch / 3));
    database.run("INSERT OR REPLACE INTO meta VALUES ('batch', ?)", [batch]);
  });
  writeSync(1, `${batch}\n`);
}
