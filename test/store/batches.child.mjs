// node batches.child.mjs <database> <locks>: writes batch after batch of documents, chunks and index rows, a
// transaction each, from where the last run ended, and says each number after its commit. Until it is killed.
import { writeSync } from "node:fs";
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
    database.run("INSERT INTO documents (documentId, path, textHash, textBytes) VALUES (?, ?, ?, ?)", [
      id(1, batch),
      `batch/${batch}.md`,
      id(2, batch),
      text.length,
    ]);
    for (let part = 0; part < 20; part++) {
      database.run(
        `INSERT INTO chunks
           (chunkId, documentId, sequence, startByte, endByte, tokens, textHash, headings, searchHeadings, text)
         VALUES (?, ?, ?, 0, 1, 1, ?, '[]', '', ?)`,
        [id(3, batch, part), id(1, batch), part, id(4, batch, part), `${text} part ${part}`],
      );
    }
    // Every third batch also takes an old one away.
    if (batch % 3 === 0) database.run("DELETE FROM documents WHERE documentId = ?", [id(1, batch / 3)]);
    database.run("INSERT OR REPLACE INTO meta VALUES ('batch', ?)", [batch]);
  });
  writeSync(1, `${batch}\n`);
}
