// `npm run bench -- <room>`: runs bench/<room>.bench.ts, which prints a table; `--json` prints the figures instead.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const rooms = readdirSync(import.meta.dirname).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = wanted.find((room) => !rooms.includes(room));
if (wanted.length === 0 || unknown !== undefined) {
  process.stderr.write(`usage: npm run bench -- <room> [--json], rooms: ${rooms.sort().join(", ")}\n`);
  process.exit(2);
}
for (const room of wanted) {
  const { bench } = (await import(join(import.meta.dirname, `${room}.bench.ts`))) as {
    bench: () => Promise<{ title: string; rows: Record<string, string | number>[] }[]>;
  };
  const tables = await bench();
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ room, tables }, null, 1)}\n`);
  else
    for (const { title, rows } of tables) {
      process.stdout.write(`\n${title}\n`);
      console.table(rows);
    }
}
