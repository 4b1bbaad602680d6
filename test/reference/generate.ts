// Writes test-vectors/<room>.json from every <room>.vectors.ts beside this file: `npm run vectors [-- room …]`.
// Vectors come from the reference alone; nothing here imports the engine.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const rooms = readdirSync(here)
  .sort()
  .flatMap((file) => /^(.+)\.vectors\.ts$/.exec(file)?.[1] ?? []);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((room) => !rooms.includes(room));
if (unknown.length > 0) {
  process.stderr.write(`expected a room, got ${unknown.join(", ")}. There are ${rooms.join(", ")}\n`);
  process.exit(2);
}
for (const room of wanted.length === 0 ? rooms : wanted) {
  const { generate } = (await import(join(here, `${room}.vectors.ts`))) as { generate: () => unknown };
  writeFileSync(
    join(here, "../../test-vectors", `${room}.json`),
    `${JSON.stringify(await generate(), null, 1)}\n`,
  );
  process.stdout.write(`test-vectors/${room}.json\n`);
}
