// docs/engines.md: always the same tables, filled by a run.
import type { Row, Run } from "./result.ts";
import { resultOf } from "./result.ts";
import type { Engine } from "./rows.ts";
import { suiteDigests } from "./verdict.ts";

export function document(
  engines: readonly Engine[],
  rows: readonly Row[],
  problems: readonly string[],
): string {
  const packages = rows.filter(({ kind }) => kind === "package");
  const callers = rows.filter(({ kind }) => kind === "self tests");
  const suites = suiteDigests(rows);
  const verdict =
    problems.length === 0
      ? `All rows that run a suite have the same digest of what they computed: ${suites.length} suites, ${count(rows)} runs, no difference.`
      : `**${problems.length} faults**, listed at the end.`;
  return [
    "# Engines",
    "",
    "Written by `npm run test:engines -- --all`; do not edit. Each engine runs the published package (the built wasm and",
    "the host's modules) on the vectors of `test-vectors/`. A digest is of what the engine computed, never of what was",
    "expected, so equal digests mean equal results.",
    "",
    verdict,
    "",
    "## The package on each engine",
    "",
    "Each row uses the build that a user gets there: the first of simd, soft and scalar that gives every known answer of",
    "the probe (SPEC §1.4). x64 runs every case. Emulated CPUs run all suites of the engine, the model `tiny` in full and",
    "three sentences by all-MiniLM-L6-v2. So there are two digests, one for each amount of work. The first is what",
    "`selfsame verify` prints. The number of cases includes `library, tiny` (below), which is not in that digest. Times are",
    "of this run: several rows at once, on a machine with other work.",
    "",
    ...table(
      ["engine", "version", "CPU", "build", "cases", "digest of all results", "s"],
      packages.map((row) => packageLine(row)),
    ),
    "",
    "## Every build",
    "",
    "The suites of the engine on each of the three builds: the first eight digits of the digest of all results, or the",
    "reason why the probe refuses the build.",
    "",
    ...table(
      ["engine", "CPU", "simd", "soft", "scalar"],
      packages.filter(resultOf).map((row) => buildsLine(row)),
    ),
    "",
    "## Without JavaScript, and on bare engines",
    "",
    "These runtimes have none of the host's code. They call the exports that need no argument (SPEC §2.14, §7.8, §9.5,",
    "§10.9): arithmetic, every kernel, a forward pass, a graph.",
    "",
    ...table(
      ["engine", "version", "CPU", "build", "cases", "digest of all results", "s"],
      callers.flatMap(callerLines),
    ),
    "",
    "## Suites",
    "",
    "`library, tiny` is not a file of vectors. It is the published corpus in a library (SQLite, FTS5, vectors) with the",
    "small model: its root, and the receipts of 82 queries in three modes. `self-test` is the file of that name.",
    "`arithmetic alone` is its oldest part, the export `self_test` (SPEC §2.14).",
    "",
    ...table(
      ["suite", "cases", "runs", "digest"],
      suites.map(({ suite, cases, runs, digest }) => [
        suite,
        `${cases}`,
        `${runs}`,
        `\`${digest.slice(0, 16)}\``,
      ]),
    ),
    "",
    ...remarks(engines, rows, problems),
  ].join("\n");
}

function packageLine(row: Row): string[] {
  const result = resultOf(row);
  const first = result?.runs[0];
  if (result === null || first === undefined) return [row.engine, why(row), "", "", "", "", ""];
  return [row.engine, result.version, result.cpu, first.build, ...measures(first)];
}

function callerLines(row: Row): string[][] {
  const result = resultOf(row);
  if (result === null) return [[row.engine, why(row), "", "", "", "", ""]];
  return result.runs
    .filter(({ refused }) => refused === null)
    .map((run) => [row.engine, result.version, result.cpu, run.build, ...measures(run)]);
}

function measures(run: Run): string[] {
  const cases = run.suites.reduce((sum, { passed }) => sum + passed, 0);
  return [
    cases.toLocaleString("en"),
    run.digest === null ? "" : `\`${run.digest.slice(0, 16)}\``,
    (run.millis / 1000).toFixed(1),
  ];
}

/** Of the first run, at full effort, the digest is another one: its verdict stands in the first table. */
function buildsLine(row: Row): string[] {
  const result = resultOf(row)!;
  const cells = (["simd", "soft", "scalar"] as const).map((build) => {
    const run = result.runs.find((one) => one.build === build);
    if (run === undefined) return "";
    if (run.refused !== null) return `refused: ${run.refused}`;
    return run.effort === "full" ? "all cases, above" : `\`${run.digest!.slice(0, 8)}\``;
  });
  return [row.engine, result.cpu, ...cells];
}

function remarks(engines: readonly Engine[], rows: readonly Row[], problems: readonly string[]): string[] {
  const lines = [
    ...rows.flatMap((row, i) =>
      resultOf(row) === null
        ? []
        : Object.entries(engines[i]!.without).map(
            ([suite, reason]) => `${row.engine} does not run \`${suite}\`: ${reason}.`,
          ),
    ),
    ...rows.flatMap((row) =>
      "missing" in row.outcome ? [`${row.engine} was not run: ${row.outcome.missing}`] : [],
    ),
    ...problems.map((problem) => `**Fault.** ${problem}`),
  ];
  return lines.length === 0 ? [] : ["## Remarks", "", ...lines.map((line) => `- ${line}`), ""];
}

function why(row: Row): string {
  if ("missing" in row.outcome) return "not run, see below";
  return "failed" in row.outcome ? "failed, see below" : "";
}

function count(rows: readonly Row[]): number {
  return rows.reduce(
    (sum, row) => sum + (resultOf(row)?.runs.filter(({ refused }) => refused === null).length ?? 0),
    0,
  );
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const widths = head.map((cell, i) => Math.max(3, cell.length, ...lines.map((line) => line[i]!.length)));
  const print = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [print(head), print(widths.map((width) => "-".repeat(width))), ...lines.map(print)];
}
