// node increment.child.mjs <database> <locks> <count>: adds 1 to the counter `count` times, a transaction each, and
// writes a line after each commit.
import { writeSync } from "node:fs";
import { openDatabase } from "#dist/store/open.node.js";

const [path, locks, count] = process.argv.slice(2);
const database = await openDatabase(path, { locks, timeoutMs: 120_000 });
for (let i = 0; i < Number(count); i++) {
  database.transaction(() => {
    const { n } = database.get("SELECT n FROM counter");
    database.run("UPDATE counter SET n = ?", [n + 1]);
  });
  writeSync(1, "+");
}
database.close();
