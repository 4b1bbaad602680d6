/**
 * `npm run test:engines`: the conformance run on the engines of the common matrix; `-- --all` on every engine that can be
 * had, and docs/engines.md is rewritten. Then Node, Deno and Bun write to one library at once. `-- --only <text>` runs the
 * engines whose names contain the text (`--only "shared library"` the last part alone), `--jobs <n>` that many at once,
 * `--verbose` reports each suite.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { document } from "./document.ts";
import { NotThere } from "./install.ts";
import { type Row, resultOf } from "./result.ts";
import { ENGINES, type Engine } from "./rows.ts";
import { shareLibrary } from "./shared-library.ts";
import { faults } from "./verdict.ts";

const args = process.argv.slice(2);
const argument = (flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const only = argument("--only");
const jobs = Number(argument("--jobs") ?? availableParallelism());
const isAll = args.includes("--all");
const isLoud = args.includes("--verbose");
const chosen = ENGINES.filter(({ name, isCommon }) =>
  only === undefined ? isAll || isCommon : name.includes(only),
);

const started = performance.now();
const rows = await inParallel(chosen, askEngine, jobs);
const problems = faults(chosen, rows);
const isShared = only === undefined || only === "shared library";
if (isShared) {
  problems.push(...(await shareLibrary().catch((error: Error) => [`shared library: ${error.message}`])));
}
if (isAll && only === undefined) {
  writeFileSync(join(import.meta.dirname, "../../docs/engines.md"), document(ENGINES, rows, problems));
}
for (const problem of problems) console.error(`fault: ${problem}`);
const ran = rows.filter(resultOf).length;
console.log(
  `${ran} of ${rows.length} engines ran, ${problems.length === 0 ? "all the same" : `${problems.length} faults`}, ${seconds(started)} s`,
);
process.exitCode = problems.length === 0 && (ran > 0 || isShared) ? 0 : 1;

async function askEngine(engine: Engine): Promise<Row> {
  const began = performance.now();
  const outcome = await engine
    .ask((line) => isLoud && console.error(`${engine.name}: ${line}`))
    .catch((error: Error) =>
      error instanceof NotThere ? { missing: error.message } : { failed: error.message },
    );
  const row: Row = { engine: engine.name, kind: engine.kind, seconds: seconds(began), outcome };
  console.log(summary(row));
  return row;
}

function summary(row: Row): string {
  const result = resultOf(row);
  if (result === null) return `${row.engine}: ${Object.entries(row.outcome).flat().join(": ")}`;
  const runs = result.runs.map(({ build, refused, suites, digest }) => {
    if (refused !== null) return `${build} refused`;
    const [passed, cases] = [sum(suites, "passed"), sum(suites, "cases")];
    return `${build} ${passed}/${cases} ${digest?.slice(0, 8)}`;
  });
  return `${row.engine} ${result.version}, ${result.cpu}: ${runs.join("; ")}; ${row.seconds} s`;
}

function sum(suites: readonly { passed: number; cases: number }[], what: "passed" | "cases"): number {
  return suites.reduce((total, suite) => total + suite[what], 0);
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}

/** Results in the order of the engines. Those that interpret begin: one of them would else be waited for at the end. */
async function inParallel(
  engines: readonly Engine[],
  ask: (engine: Engine) => Promise<Row>,
  width: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = [...engines.keys()].sort((a, b) => rank(engines[a]!) - rank(engines[b]!) || a - b);
  const worker = async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) rows[i] = await ask(engines[i]!);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return rows;
}

function rank({ kind }: Engine): number {
  return kind === "self tests" ? 0 : 1;
}
