import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "./database.ts";

const ROWS: readonly (readonly [text: string, heading: string])[] = [
  ["ties are broken by path then by sequence", "order of results"],
  ["the order of every sum is fixed", "sums"],
  ["a sum of sums summed in some order", "order"],
  ["paths are compared by bytes", "order of paths and of bytes"],
  ["one two three four five six seven eight nine ten eleven twelve", ""],
  ["nothing to see", "here"],
  ["ties ties ties", "ties"],
];

/** Each query's scores in the order of ROWS, as the 16 hex digits of their binary64. */
const KNOWN: readonly (readonly [match: string, bits: readonly string[]])[] = [
  ["order", ["beadd4ce0b85695f", "beb12234ae3209c4", "beb6a314a31677e0", "beadd4ce0b85695f"]],
  ["sum", ["bff1990475ab6cc3", "bff38a4a252db2a8"]],
  [
    "ties OR order",
    ["bfe66e5c970f0360", "beb12234ae3209c4", "beb6a314a31677e0", "beadd4ce0b85695f", "bff77c12fc4f85ac"],
  ],
  ['"order of"', ["bfcc99511407371f", "bfd06d013fab8560", "bfcc99511407371f"]],
  ["path OR byte OR five", ["bfe66e5ab9c222a8", "c006d7bc542191a6", "bff3fecdf99d087c"]],
  [
    "the OR by OR sequence OR nine",
    ["c0026aae3f36f8bb", "bff7f5b48c2fc7e8", "bfe66e5ab9c222a8", "bff3fecdf99d087c"],
  ],
];

/**
 * Checks SQLite's binary64 (logarithm, division, sum) on this device: bm25 of a fixed table, bit by bit. SPEC §14.4
 *
 * @throws {SelfsameError} ENGINE_REFUSED at the first score that differs.
 */
export function probeBm25(database: Database): void {
  const scored = scoreProbe(
    database,
    KNOWN.map(([match]) => match),
  );
  KNOWN.forEach(([match, expected], query) => {
    const got = scored[query]!.join(" ");
    if (got === expected.join(" ")) return;
    throw new SelfsameError(
      "ENGINE_REFUSED",
      `expected bm25 of ${JSON.stringify(match)} to be ${expected.join(" ")}, got ${got}`,
      "This device computes binary64 wrongly, and its lexical ranks would differ from all others",
    );
  });
}

/** Returns the bits of bm25 of the fixed table's matching rows, per query. */
export function scoreProbe(database: Database, queries: readonly string[]): string[][] {
  database.exec(
    "CREATE VIRTUAL TABLE temp.bm25_probe USING fts5(text, heading, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  for (const [text, heading] of ROWS) {
    database.run("INSERT INTO temp.bm25_probe(text, heading) VALUES (?, ?)", [text, heading]);
  }
  const scores = queries.map((match) =>
    database
      .all<{ score: number }>(
        "SELECT bm25(bm25_probe) AS score FROM temp.bm25_probe WHERE bm25_probe MATCH ? ORDER BY rowid",
        [match],
      )
      .map(({ score }) => binary64Hex(score)),
  );
  database.exec("DROP TABLE temp.bm25_probe");
  return scores;
}

/** Returns the bits of a double as 16 hex digits. */
export function binary64Hex(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}
