// Writes test-vectors/<room>.json from every <room>.vectors.ts beside this file: `npm run vectors [-- room …]`.
// Vectors come from the reference alone; nothing here imports the engine.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const wanted = process.argv.slice(2);
for (const file of readdirSync(here).sort()) {
  const room = /^(.+)\.vectors\.ts$/.exec(file)?.[1];
  if (room === undefined || (wanted.length > 0 && !wanted.includes(room))) continue;
  const { generate } = (await import(join(here, file))) as { generate: () => unknown };
  writeFileSync(
    join(here, "../../test-vectors", `${room}.json`),
    `${JSON.stringify(await generate(), null, 1)}\n`,
  );
  process.stdout.write(`test-vectors/${room}.json\n`);
}
