// node steps.child.mjs <library> <steps.json> <first> [<options>]: takes the steps from number <first> on, a call of the
// library each, and says how many are done after each. Every few steps it brings the index up, which keeps a graph. One
// that `waits` reads a byte before each step.
import { readFileSync, readSync, writeSync } from "node:fs";
import { Library } from "#dist/library/library.js";
import { openParts } from "#dist/library/open.js";

const [name, stepsFile, first, options = "{}"] = process.argv.slice(2);
const { lookEvery = 0, waits = false, ...rest } = JSON.parse(options);
const steps = JSON.parse(readFileSync(stepsFile, "utf8"));
const parts = await openParts(name, { model: "tiny", workers: 1, timeoutMs: 120_000, ...rest });
const library = new Library(parts);
// A small cache spills into the file in mid-transaction: more moments at which a kill can do harm.
parts.database.exec("PRAGMA cache_size = 20");
writeSync(1, `${first}\n`);
for (let number = Number(first); number < steps.length; number++) {
  if (waits) readSync(0, new Uint8Array(1));
  const { add, remove } = steps[number];
  if (add !== undefined) await library.add(add);
  else await library.remove(remove);
  writeSync(1, `${number + 1}\n`);
  if (lookEvery > 0 && number % lookEvery === 0) await parts.semantic.current(await library.root());
}
await library.close();
