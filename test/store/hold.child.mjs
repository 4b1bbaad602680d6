// node hold.child.mjs <database> <locks>: begins to write, says so, and holds the lock until it is killed.
import { writeSync } from "node:fs";
import { openDatabase } from "#dist/store/open.node.js";

const [path, locks] = process.argv.slice(2);
const database = await openDatabase(path, { locks });
database.transaction(() => {
  database.run("UPDATE counter SET n = -1000");
  // Over what the cache may hold, so that half of the transaction is in the file and a journal is hot.
  database.exec("PRAGMA cache_size = 5");
  for (let i = 0; i < 200; i++) database.run("INSERT INTO filler VALUES (?)", ["x".repeat(1000)]);
  writeSync(1, "held");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
