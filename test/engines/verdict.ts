import type { Row, Run } from "./result.ts";
import { resultOf } from "./result.ts";
import type { Engine } from "./rows.ts";

/** A suite and the one digest that every run of it must give, with the rows that did. */
export interface SuiteDigest {
  readonly suite: string;
  readonly cases: number;
  readonly digest: string;
  readonly runs: number;
}

/** Every suite that was run, in the order of the walk; the digest is the first row's. */
export function suiteDigests(rows: readonly Row[]): SuiteDigest[] {
  const suites = new Map<string, SuiteDigest>();
  for (const { suites: found } of allRuns(rows)) {
    for (const { suite, cases, digest } of found) {
      if (digest === null) continue;
      const known = suites.get(suite) ?? { suite, cases, digest, runs: 0 };
      suites.set(suite, { ...known, runs: known.runs + 1 });
    }
  }
  return [...suites.values()];
}

/** All that is wrong, one line each; none if every engine computed the same and nothing is missing that must be there. */
export function faults(engines: readonly Engine[], rows: readonly Row[]): string[] {
  const expected = new Map(suiteDigests(rows).map(({ suite, digest }) => [suite, digest]));
  return rows.flatMap((row, i) => faultsOf(engines[i]!, row, expected));
}

function faultsOf(engine: Engine, row: Row, expected: ReadonlyMap<string, string>): string[] {
  if ("failed" in row.outcome) return [`${row.engine}: ${row.outcome.failed}`];
  if ("missing" in row.outcome)
    return engine.isCommon ? [`${row.engine} is missing: ${row.outcome.missing}`] : [];
  return row.outcome.runs.flatMap((run) => {
    const of = `${row.engine}, ${run.build}`;
    const mustRefuse = engine.refuses.includes(run.build);
    if (run.refused !== null) return mustRefuse ? [] : [`${of}: refused: ${run.refused}`];
    if (mustRefuse) return [`${of}: expected the probe to refuse it, got an engine that took it`];
    return run.suites.flatMap(({ suite, digest, mismatch }) => {
      if (digest === null && suite in engine.without) return [];
      if (mismatch !== null) return [`${of}, ${suite}: ${mismatch}`];
      return digest === expected.get(suite)
        ? []
        : [`${of}, ${suite}: expected the digest ${expected.get(suite)}, got ${digest}`];
    });
  });
}

function allRuns(rows: readonly Row[]): Run[] {
  return rows.flatMap((row) => resultOf(row)?.runs ?? []);
}
