// Writes test-vectors/<suite>.json from every <suite>.vectors.ts beside this file: `npm run vectors [-- suite …]`.
// Vectors come from the reference alone; nothing here imports the engine.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const suites = readdirSync(here)
  .sort()
  .flatMap((file) => /^(.+)\.vectors\.ts$/.exec(file)?.[1] ?? []);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((suite) => !suites.includes(suite));
if (unknown.length > 0) {
  process.stderr.write(`expected a suite, got ${unknown.join(", ")}. There are ${suites.join(", ")}\n`);
  process.exit(2);
}
for (const suite of wanted.length === 0 ? suites : wanted) {
  const { generate } = (await import(join(here, `${suite}.vectors.ts`))) as { generate: () => unknown };
  writeFileSync(
    join(here, "../../test-vectors", `${suite}.json`),
    `${JSON.stringify(await generate(), null, 1)}\n`,
  );
  process.stdout.write(`test-vectors/${suite}.json\n`);
}
