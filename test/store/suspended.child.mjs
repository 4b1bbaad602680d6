// node suspended.child.mjs <database> <write | read | busy> <file>: begins a transaction, says "held", waits until the
// file is there, goes on with the transaction, and says how it ended. "busy" reads pages while it waits; the others
// do nothing, like a process that is stopped.
import { existsSync, writeSync } from "node:fs";
import { openDatabase } from "#dist/store/open.node.js";

const [path, kind, signal] = process.argv.slice(2);
const idle = new Int32Array(new SharedArrayBuffer(4));
const database = await openDatabase(path, { locks: "file" });
// Every statement reads its pages from the file.
database.exec("PRAGMA cache_size = 1");
const countFiller = () => database.get("SELECT count(x) AS n FROM filler").n;
const insert = () => database.run("INSERT INTO filler VALUES (?)", ["x".repeat(1000)]);

const wait = () => {
  writeSync(1, "held ");
  while (!existsSync(signal)) {
    Atomics.wait(idle, 0, 0, 20);
    if (kind === "busy") countFiller();
  }
};

try {
  if (kind === "read") {
    database.snapshot(() => {
      countFiller();
      wait();
      return countFiller();
    });
  } else {
    database.transaction(() => {
      database.run("UPDATE counter SET n = -1000");
      for (let i = 0; i < 100; i++) insert();
      wait();
      for (let i = 0; i < 100; i++) insert();
    });
  }
  writeSync(1, "ended: done");
} catch (error) {
  writeSync(1, `ended: ${error.code} ${error.message}`);
}
// The connection is whole again: it waits for its turn and reads what is there.
writeSync(1, `\nthen: ${database.get("SELECT n FROM counter").n} ${countFiller()}`);
database.close();
