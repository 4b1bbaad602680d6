/** The matrix must fail whenever one engine differs, and only then. */
import { expect, it } from "vitest";
import { document } from "./document.ts";
import type { Row, Run } from "./result.ts";
import type { Engine } from "./rows.ts";
import { faults, suiteDigests } from "./verdict.ts";

const suite = (name: string, digest: string | null, mismatch: string | null = null) => ({
  suite: name,
  cases: 3,
  passed: mismatch === null ? 3 : 2,
  digest,
  mismatch,
});

const run = (change: Partial<Run> = {}): Run => ({
  build: "simd",
  effort: "full",
  refused: null,
  suites: [suite("arith", "aa11"), suite("library, tiny", "bb22")],
  digest: "cc33",
  millis: 1000,
  ...change,
});

const engine = (change: Partial<Engine> = {}): Engine => ({
  name: "one",
  kind: "package",
  isCommon: true,
  refuses: [],
  without: {},
  ask: () => Promise.reject(new Error("not asked")),
  ...change,
});

const row = (outcome: Row["outcome"]): Row => ({ engine: "one", kind: "package", seconds: 1, outcome });
const ran = (...runs: Run[]): Row => row({ version: "1", cpu: "x64", runs });

it("finds nothing wrong with equal rows", () => {
  const rows = [ran(run()), ran(run(), run({ build: "soft" }))];
  expect(faults([engine(), engine()], rows)).toEqual([]);
  expect(suiteDigests(rows)).toEqual([
    { suite: "arith", cases: 3, digest: "aa11", runs: 3 },
    { suite: "library, tiny", cases: 3, digest: "bb22", runs: 3 },
  ]);
});

it("names the row, the build and the suite that differ", () => {
  const other = run({ build: "soft", suites: [suite("arith", "aa12")] });
  expect(faults([engine(), engine({ name: "two" })], [ran(run()), ran(run(), other)])).toEqual([
    "one, soft, arith: expected the digest aa11, got aa12",
  ]);
});

it("reports a mismatch even where all engines share it", () => {
  const wrong = run({ suites: [suite("arith", "aa11", "f32_add: expected 0, got 1")] });
  expect(faults([engine(), engine()], [ran(wrong), ran(wrong)])).toHaveLength(2);
});

it("wants every engine of the common matrix, and every answer that was begun", () => {
  const missing = row({ missing: "no such package" });
  expect(faults([engine()], [missing])).toEqual(["one is missing: no such package"]);
  expect(faults([engine({ isCommon: false })], [missing])).toEqual([]);
  expect(faults([engine({ isCommon: false })], [row({ failed: "exit code 139" })])).toEqual([
    "one: exit code 139",
  ]);
});

it("wants a build refused exactly where it must be", () => {
  const refused = run({ refused: "wrong answer", suites: [], digest: null });
  const arm = engine({ refuses: ["simd"] });
  expect(faults([arm], [ran(refused)])).toEqual([]);
  expect(faults([engine()], [ran(refused)])).toEqual(["one, simd: refused: wrong answer"]);
  expect(faults([arm], [ran(run())])).toHaveLength(1);
});

it("lets a suite be left out only where that is known", () => {
  const without = run({ suites: [suite("arith", "aa11"), suite("library, tiny", null, "refused")] });
  expect(faults([engine({ without: { "library, tiny": "why" } })], [ran(without)])).toEqual([]);
  expect(faults([engine()], [ran(without)])).toEqual(["one, simd, library, tiny: refused"]);
});

it("writes what was not run, and why, into the document", () => {
  const engines = [engine({ without: { "library, tiny": "SQLite does not run here" } }), engine()];
  const rows = [
    ran(run(), run({ build: "soft", refused: "no SIMD", digest: null })),
    row({ missing: "no network" }),
  ];
  const text = document(engines, rows, ["one: a fault"]);
  for (const part of ["SQLite does not run here", "refused: no SIMD", "not run: no network", "a fault"]) {
    expect(text).toContain(part);
  }
  expect(document(engines, rows, ["one: a fault"])).toBe(text);
});
