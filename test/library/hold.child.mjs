// node hold.child.mjs <library>: begins to write, says so, and holds the lock until it is killed.
import { writeSync } from "node:fs";
import { openParts } from "#dist/library/open.js";

const { database } = await openParts(process.argv[2], { model: "tiny", workers: 1 });
database.transaction(() => {
  database.run("UPDATE documents SET mime = 'text/never'");
  writeSync(1, "held");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
