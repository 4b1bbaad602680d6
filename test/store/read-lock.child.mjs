// node read-lock.child.mjs <database>: reads under a lock file, says so, and holds the lock until it is killed.
import { writeSync } from "node:fs";
import { openDatabase } from "#dist/store/open.node.js";

const database = await openDatabase(process.argv[2], { locks: "file" });
database.snapshot(() => {
  database.get("SELECT count(*) FROM sqlite_schema");
  writeSync(1, "held");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
