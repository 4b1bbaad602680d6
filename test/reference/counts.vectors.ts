import { bits64, bm25, type Counted, logarithm, occurrences } from "./counts.ts";
import { openFullText } from "./full-text.ts";
import { splitmix32 } from "./prng.ts";
import { openSqlite } from "./sqlite.ts";

/** SQLite's variable-length integer, as hexadecimal digits. */
function varint(value: number): string {
  const bytes = [];
  for (let rest = BigInt(value), more = 0; bytes.length === 0 || rest > 0n; rest >>= 7n, more = 128)
    bytes.unshift(Number(rest & 127n) | more);
  return Buffer.from(bytes).toString("hex");
}

/**
 * The idf that the pinned binary computes. A table of n rows, all of them the word and nothing else, is told that there
 * are N rows of one token: then each row has the average length, its saturation is 1, and bm25 is −idf.
 */
async function binaryIdfs(pairs: readonly (readonly [chunks: number, having: number])[]): Promise<string[]> {
  const { ask, close } = await openSqlite();
  await ask("CREATE VIRTUAL TABLE f USING fts5 (word)");
  const found: string[] = [];
  let rows = 0;
  for (const [chunks, having] of [...pairs].sort((a, b) => a[1] - b[1])) {
    for (; rows < having; rows++) await ask("INSERT INTO f (word) VALUES ('a')");
    await ask("BEGIN");
    await ask(`UPDATE f_data SET block = x'${varint(chunks).repeat(2)}' WHERE id = 1`);
    const [row] = await ask("SELECT bm25(f) FROM f WHERE f MATCH 'a' LIMIT 1");
    await ask("ROLLBACK");
    found.push(`${chunks} ${having} ${bits64(-Number(row![0]))}`);
  }
  await close();
  return found;
}

function drawnPairs(): [number, number][] {
  const next = splitmix32(25);
  const pairs: [number, number][] = [
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [200, 100],
    [201, 100],
    [2 ** 31, 1],
    [2 ** 52, 3],
  ];
  for (let i = 0; i < 120; i++) {
    const having = 1 + (next() % 60);
    pairs.push([having + (next() % 2 ** (1 + (next() % 31))), having]);
  }
  return pairs;
}

const WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Rows of words that no stemmer changes, few of them frequent. */
function drawnRows(next: () => number): [string, string][] {
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[Math.min(next() % 8, next() % 8)]!).join(" ");
  return Array.from({ length: 5 + (next() % 30) }, () => [words(next() % 12), words(next() % 4)]);
}

async function scored(round: number, next: () => number): Promise<object[]> {
  const rows = drawnRows(next);
  const items = [...new Set(Array.from({ length: 1 + (next() % 4) }, () => drawnItem(next)))].sort();
  const { scores, close } = await openFullText(rows);
  const found = await scores(items.map((item) => `"${item}"`).join(" OR "));
  await close();
  const count = (item: string, row: readonly string[]): number =>
    row.reduce((sum, column) => sum + occurrences(item, column), 0);
  const length = (row: readonly string[]): number =>
    row.reduce((sum, column) => sum + column.split(" ").filter((word) => word !== "").length, 0);
  const all = {
    chunks: rows.length,
    tokens: rows.reduce((sum, row) => sum + length(row), 0),
    having: items.map((item) => rows.filter((row) => count(item, row) > 0).length),
  };
  return [...found].slice(0, 12).map(([row, score]) => {
    const one: Counted = {
      ...all,
      counts: items.map((item) => count(item, rows[row]!)),
      length: length(rows[row]!),
    };
    return {
      name: `drawn ${round}, row ${row}`,
      ...one,
      bm25: bits64(score),
      bm25plus: bits64(bm25(one, 1)),
    };
  });
}

function drawnItem(next: () => number): string {
  return Array.from({ length: 1 + (next() % 2) }, () => WORDS[next() % 8]!).join(" ");
}

/** SPEC §25 */
export async function generate() {
  const next = splitmix32(2525);
  const cases = [];
  for (let round = 0; round < 5; round++) cases.push(...(await scored(round, next)));
  const numbers = [
    1,
    2,
    0.5,
    Math.SQRT2,
    Math.SQRT1_2,
    1 + 2 ** -52,
    1 - 2 ** -53,
    2 ** 53,
    2 ** -54,
    3,
    10,
    0.1,
  ];
  for (let i = 0; i < 60; i++) numbers.push((1 + next()) / (1 + (next() % 2 ** (1 + (next() % 31)))));
  return {
    _comment:
      "BM25 from counts. Numbers with 16 hex digits are the bits of binary64. logarithms: x and ln x. idfs: N, n and the idf, as the pinned SQLite computes it (§14.4). cases: N and all tokens, the chunks that have each item, how often the chunk has each, its tokens; bm25 is what the pinned SQLite gives for such rows.",
    spec: "SPEC §25",
    logarithms: numbers.map((x) => `${bits64(x)} ${bits64(logarithm(x))}`),
    idfs: await binaryIdfs(drawnPairs()),
    cases,
  };
}
