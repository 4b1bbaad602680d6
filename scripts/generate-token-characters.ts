/**
 * Asks the pinned SQLite which characters its tokenizer takes for parts of words, and writes
 * src/search/token-characters.generated.ts: `tsx scripts/generate-token-characters.ts`, after a build. SPEC §15.2
 *
 * unicode61 decides by tables of its own (an old Unicode, in which what is unassigned counts as a letter), so they
 * are read off its behaviour, for every code point but NUL and the surrogates, which no canonical text has.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";

export interface TokenCharacters {
  /** Begin a word, or continue it. */
  readonly word: ReadonlySet<number>;
  /** Continue a word and are left out of it: alone they are separators. */
  readonly mark: ReadonlySet<number>;
  /** Code points of words that become another one. */
  readonly folds: ReadonlyMap<number, number>;
}

/**
 * Each code point c stands once after a word of its own, `k<c>k`, with a z behind it, and once before one. The terms
 * that come out tell what it is:
 *
 *     c             after: k<c>k c z      before: c k<c>k
 *     separator     k<c>k, z              k<c>k
 *     mark          k<c>kz                k<c>k
 *     word          k<c>k…z               …k<c>k
 */
export function askTokenizer(database: Database, last = 0x10ffff): TokenCharacters {
  database.exec(`CREATE VIRTUAL TABLE temp.characters USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.terms USING fts5vocab(characters, row)`);
  const codePoints: number[] = [];
  for (let c = 1; c <= last; c++) if (c < 0xd800 || c > 0xdfff) codePoints.push(c);
  const terms = (text: string): string[] => {
    database.run("DELETE FROM temp.characters");
    database.run("INSERT INTO temp.characters(text) VALUES (?)", [text]);
    return database.all<{ term: string }>("SELECT term FROM temp.terms").map(({ term }) => term);
  };
  const separators = new Set<number>();
  const folds = new Map<number, number>();
  for (const term of terms(codePoints.map((c) => `k${c}k${String.fromCodePoint(c)}z`).join(" "))) {
    const [, digits, middle] = /^k(\d+)k(?:(.*)z)?$/su.exec(term) ?? [];
    if (digits === undefined) continue;
    const [c, to] = [Number(digits), middle?.codePointAt(0)];
    if (middle === undefined) separators.add(c);
    else if (to !== undefined && to !== c) folds.set(c, to);
  }
  const word = new Set<number>();
  for (const term of terms(codePoints.map((c) => `${String.fromCodePoint(c)}k${c}k`).join(" "))) {
    const joined = /^.+k(\d+)k$/su.exec(term);
    if (joined !== null) word.add(Number(joined[1]));
  }
  database.exec("DROP TABLE temp.terms; DROP TABLE temp.characters");
  const mark = new Set(codePoints.filter((c) => !separators.has(c) && !word.has(c)));
  return { word, mark, folds };
}

/** Lengths of gaps and runs by turns, from code point 0, in base 36. */
function runs(set: ReadonlySet<number>): string {
  const lengths: number[] = [];
  let inside = false;
  let length = 0;
  for (let c = 0; c < 0x110000; c++) {
    // Surrogates go with what is before them, so that they cut no run in two.
    const here: boolean = c >= 0xd800 && c <= 0xdfff ? inside : set.has(c);
    if (here !== inside) {
      lengths.push(length);
      inside = here;
      length = 0;
    }
    length++;
  }
  if (inside) lengths.push(length);
  return lengths.map((each) => each.toString(36)).join(" ");
}

/** Capital and small letters stand in separate blocks or alternate; letters with marks lose them, in one row or in two. */
const STEPS = [
  [1, 1],
  [2, 2],
  [1, 0],
  [2, 0],
] as const;

/** Runs of `gap count step targetStep distance`, which src/search/token.ts reads: relative numbers compress best. */
function foldRuns(folds: ReadonlyMap<number, number>): string {
  const left = new Map([...folds].sort(([a], [b]) => a - b));
  const numbers: number[] = [];
  let before = 0;
  for (const [first, target] of left) {
    const runs = STEPS.map(([step, targetStep]) => {
      let count = 1;
      while (left.get(first + count * step) === target + count * targetStep) count++;
      return { count, step, targetStep };
    });
    const { count, step, targetStep } = runs.reduce((a, b) => (b.count > a.count ? b : a));
    for (let i = 0; i < count; i++) left.delete(first + i * step);
    numbers.push(first - before, count, step, targetStep, target - first);
    before = first;
  }
  return numbers.map((each) => each.toString(36)).join(" ");
}

function wrapped(text: string): string {
  return text
    .replace(/(.{1,100})( |$)/g, (_, line: string, end: string) => `  "${line}${end}" +\n`)
    .slice(0, -3);
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const { word, mark, folds } = askTokenizer(await openDatabase(":memory:"));
  writeFileSync(
    join(import.meta.dirname, "../src/search/token-characters.generated.ts"),
    `// Written by scripts/generate-token-characters.ts from the pinned SQLite's unicode61. SPEC §15.2
// Lengths of gaps and runs by turns, from code point 0, in base 36.

/** Characters that begin or continue a word. */
export const WORD_RUNS =
${wrapped(runs(word))};

/** Marks that continue a word and are left out of it. */
export const MARK_RUNS =
${wrapped(runs(mark))};

/** Characters of words that become another one: runs of \`gap count step targetStep distance\`. */
export const FOLDED =
${wrapped(foldRuns(folds))};
`,
  );
}
