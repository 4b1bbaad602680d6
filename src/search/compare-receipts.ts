import { canonicalJson } from "../text/canonical-json.ts";
import { compareUtf8 } from "../text/order.ts";
import type { ReceiptBody, ReceiptResult } from "./receipt.ts";

/** One thing in which two answers differ. */
export interface ReceiptDifference {
  /** `canon`, `root`, `metadataRoot`, `query`, `parameters.<name>`, `count`, `order` or `score`. */
  readonly what: string;
  /** Of `order` and `score`: the first place where they differ, from 1. */
  readonly rank: number | null;
  /** What the receipt says; null where it has nothing. */
  readonly expected: string | null;
  /** What this library says; null where it has nothing. */
  readonly actual: string | null;
}

/**
 * In what an answer differs from that of a receipt, causes before effects: what decides results, the documents, the
 * question, and then how many results there are, the first place with another result, and the first place where the
 * same result has other score bits. Empty if they are the same. SPEC §18.3
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

/** What an object has of its own: `valueOf` is a name like any other. */
function printed(parameters: ReceiptBody["parameters"], name: string): string | null {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return value === undefined ? null : canonicalJson(value);
}
