import type { Build } from "#dist/engine/engine.js";

/** One suite's vectors on one engine. */
export interface Suite {
  readonly suite: string;
  readonly cases: number;
  readonly passed: number;
  /** Of what this engine computed; null where the suite could not be run at all. */
  readonly digest: string | null;
  readonly mismatch: string | null;
}

/** One build on one engine. */
export interface Run {
  readonly build: Build;
  readonly effort: "full" | "engine";
  /** Why the probe does not take this build here; then there are no suites. */
  readonly refused: string | null;
  readonly suites: readonly Suite[];
  /** Of all suites with vectors; null where the build was refused. */
  readonly digest: string | null;
  readonly millis: number;
}

/** One engine; the first run is the one with the build that a user gets there. */
export interface RowResult {
  readonly version: string;
  readonly cpu: string;
  readonly runs: readonly Run[];
}

/** A row of the matrix, run or not. */
export interface Row {
  readonly engine: string;
  /** Whether it runs the whole package or only the wasm's self tests. */
  readonly kind: "package" | "self tests";
  readonly seconds: number;
  readonly outcome: RowResult | { readonly missing: string } | { readonly failed: string };
}

export function resultOf(row: Row): RowResult | null {
  return "runs" in row.outcome ? row.outcome : null;
}
