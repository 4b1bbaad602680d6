import { canonicalJson } from "../text/canonical-json.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { ReceiptBody, ReceiptResult } from "./receipt.ts";

/** One difference between two answers. */
export interface ReceiptDifference {
  /** `canon`, `root`, `metadataRoot`, `query`, `parameters.<name>`, `count`, `order` or `score`. */
  readonly what: string;
  /** For `order` and `score`: the first rank at which they differ, from 1. */
  readonly rank: number | null;
  /** The receipt's value; null if it has none. */
  readonly expected: string | null;
  /** This library's value; null if it has none. */
  readonly actual: string | null;
}

/**
 * Returns the differences between an answer and a receipt, causes before effects: the canon, the documents, the query
 * and parameters, then the number of results, the first rank with a different result, and the first rank where the same
 * result has different score bits. Empty if they are the same. SPEC §18.3
 */
export function compareReceipts(expected: ReceiptBody, actual: ReceiptBody): ReceiptDifference[] {
  const differences: ReceiptDifference[] = [];
  const compare = (what: string, left: string | null, right: string | null, rank: number | null = null) => {
    if (left !== right) differences.push({ what, rank, expected: left, actual: right });
  };
  compare("canon", expected.canon, actual.canon);
  compare("root", expected.root, actual.root);
  compare("metadataRoot", expected.metadataRoot, actual.metadataRoot);
  compare("query", expected.query, actual.query);
  const names = new Set([...Object.keys(expected.parameters), ...Object.keys(actual.parameters)]);
  for (const name of [...names].sort(compareUtf8)) {
    compare(`parameters.${name}`, printed(expected.parameters, name), printed(actual.parameters, name));
  }
  compare("count", String(expected.results.length), String(actual.results.length));
  const other = firstRank(expected.results, actual.results, (a, b) => a?.id !== b?.id);
  if (other !== null) {
    compare("order", expected.results[other - 1]?.id ?? null, actual.results[other - 1]?.id ?? null, other);
  }
  const rescored = firstRank(
    expected.results,
    actual.results,
    (a, b) => a?.id === b?.id && a?.score !== b?.score,
  );
  if (rescored !== null) {
    compare("score", expected.results[rescored - 1]!.score, actual.results[rescored - 1]!.score, rescored);
  }
  return differences;
}

function firstRank(
  expected: readonly ReceiptResult[],
  actual: readonly ReceiptResult[],
  differs: (a: ReceiptResult | undefined, b: ReceiptResult | undefined) => boolean,
): number | null {
  const length = Math.max(expected.length, actual.length);
  for (let rank = 1; rank <= length; rank++) {
    if (differs(expected[rank - 1], actual[rank - 1])) return rank;
  }
  return null;
}

/** Reads own properties only: `valueOf` is a name like any other. */
function printed(parameters: ReceiptBody["parameters"], name: string): string | null {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return value === undefined ? null : canonicalJson(value);
}
