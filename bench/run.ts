// `npm run bench -- <name> …`: runs bench/<name>.bench.ts, which prints tables; `--json` prints the figures instead.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** What the command line says to a benchmark. */
export interface BenchOptions {
  /** Of `quality`: the folder that holds the judged collections. */
  readonly sets?: string;
}

export type Table = { readonly title: string; readonly rows: Record<string, string | number>[] };

const names = readdirSync(import.meta.dirname).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);
const usage = () => {
  process.stderr.write(
    `usage: npm run bench -- <name> [--json] [--sets <folder>], names: ${names.sort().join(", ")}\n`,
  );
  process.exit(2);
};
// Some benchmarks read flags of their own, such as --peers.
const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { json: { type: "boolean" }, sets: { type: "string" } },
});
if (positionals.length === 0 || positionals.some((name) => !names.includes(name))) usage();
for (const name of positionals) {
  const { bench } = (await import(join(import.meta.dirname, `${name}.bench.ts`))) as {
    bench: (options: BenchOptions) => Promise<Table[]>;
  };
  const tables = await bench(typeof values.sets === "string" ? { sets: values.sets } : {});
  if (values.json) process.stdout.write(`${JSON.stringify({ name, tables }, null, 1)}\n`);
  else
    for (const { title, rows } of tables) {
      process.stdout.write(`\n${title}\n`);
      console.table(rows);
    }
}
