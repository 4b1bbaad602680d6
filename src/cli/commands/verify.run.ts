import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type ConformanceReport,
  type Effort,
  runConformance,
  SUITE_NAMES,
  type SuiteResult,
} from "../../conformance/index.ts";
import { counted } from "../../errors/index.ts";
import type { Build } from "../../index.ts";
import { nearest } from "../nearest-name.ts";
import { bold, cyan, dim, green, print, printFields, printJson, red } from "../output.ts";
import { duration } from "../progress-bar.ts";
import { StatusLine } from "../status-line.ts";
import { UsageError } from "../usage-error.ts";

export interface VerifyCommandOptions {
  readonly build: Build | "auto";
  readonly only?: string[];
  readonly effort: Effort;
  readonly vectors?: string;
  readonly json?: boolean;
}

/** The longest suite name is "embedding, all-MiniLM-L6-v2, first 3". */
const SUITE_WIDTH = { full: 27, engine: 36 };
/** The number of digits that two people compare. */
const DIGEST_DIGITS = 16;
/** Digits shown on each side of the place where two long values diverge. */
const AROUND = 16;

/** Runs `selfsame verify`. The exit code is 0 if every case passes, 1 if not. */
export async function verify(options: VerifyCommandOptions): Promise<void> {
  const { build, only, effort, vectors, json = false } = options;
  const status = new StatusLine();
  const width = SUITE_WIDTH[effort];
  checkSuites(only ?? []);
  let hasHead = json;
  const report = await runConformance({
    build,
    effort,
    workers: availableParallelism(),
    ...(only === undefined ? {} : { only }),
    ...(vectors === undefined ? {} : { vectorsUrl: pathToFileURL(resolve(vectors)) }),
    onStart: (suite) => status.show(`${suite} …`),
    onProgress: (done, total) => status.show(`search … ${done}/${total} chunks embedded`),
    onSuite: (result) => {
      status.clear();
      if (!hasHead) print(dim(row(width, "suite", "cases", "passed", "time", "digest")));
      hasHead = true;
      if (!json) printSuite(result, width);
    },
  }).finally(() => status.clear());
  if (json) printJson(report);
  else printVerdict(report);
  if (!report.isSame) process.exitCode = 1;
}

function checkSuites(names: readonly string[]): void {
  for (const name of names) {
    if (SUITE_NAMES.includes(name)) continue;
    const near = nearest(name, SUITE_NAMES);
    throw new UsageError(
      `expected --only to name ${SUITE_NAMES.join(", ")}, got ${JSON.stringify(name)}`,
      near === null ? "" : `Did you mean ${near}?`,
    );
  }
}

function row(
  width: number,
  suite: string,
  cases: string,
  passed: string,
  time: string,
  digest: string,
): string {
  return `${suite.padEnd(width)}  ${cases.padStart(6)}  ${passed.padStart(6)}  ${time.padStart(8)}  ${digest}`;
}

function printSuite({ suite, cases, passed, millis, digest }: SuiteResult, width: number): void {
  const time = duration(millis / 1000);
  const line = row(width, suite, `${cases}`, `${passed}`, time, digest.slice(0, DIGEST_DIGITS));
  print(passed === cases ? line : red(line));
}

function printVerdict(report: ConformanceReport): void {
  const { isSame, suites, build, canon, specVersion, digest, millis, effort } = report;
  const sum = (key: "cases" | "passed") => suites.reduce((total, suite) => total + suite[key], 0);
  print("");
  for (const suite of suites) if (suite.firstMismatch !== null) printMismatch(suite);
  const [cases, passed] = [sum("cases"), sum("passed")];
  const part = effort === "full" ? "" : `, effort ${effort}`;
  const took = dim(`(build ${build}${part}, ${duration(millis / 1000)})`);
  if (isSame) print(`${green(bold("Same."))} All ${counted(cases, "case")} passed, to the bit ${took}`);
  else
    print(`${red(bold("Different."))} ${cases - passed} of ${counted(cases, "case")} did not pass ${took}`);
  printFields([
    ["digest", isSame ? bold(green(digest)) : digest],
    ...(canon === null ? [] : [["canon", canon] as const]),
    ["SPEC", `version ${specVersion}`],
  ]);
}

/** Prints the first mismatch in full: fixing a device requires the exact bits. */
function printMismatch({ suite, cases, passed, firstMismatch }: SuiteResult): void {
  const { case: name, what, expected, got } = firstMismatch!;
  print(
    red(
      bold(
        `${suite}: ${cases - passed} of ${counted(cases, "case")} ${cases - passed === 1 ? "differs" : "differ"}. The first:`,
      ),
    ),
  );
  const at = firstDifference(expected, got);
  printFields([
    ["  case", name],
    ["  what", cyan(what)],
    ["  expected", expected],
    ["  got", got],
    ...(expected.length > 4 * AROUND
      ? [["  part at", `character ${at}: ${around(expected, at)} | ${around(got, at)}`] as const]
      : []),
  ]);
  print("");
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function around(text: string, at: number): string {
  const [from, to] = [Math.max(0, at - AROUND), at + AROUND];
  return `${from > 0 ? "…" : ""}${text.slice(from, at)}${bold(text.slice(at, to))}${to < text.length ? "…" : ""}`;
}
