// Spelling (SPEC §15.9), written for clarity: every distance by the whole table, every word of the vocabulary compared.
import { openSqlite } from "./sqlite.ts";

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours count one each. */
export function distance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  const d = (i: number, j: number): number => table[i]![j]!;
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const ways = [];
      if (i === 0 && j === 0) ways.push(0);
      if (i > 0) ways.push(d(i - 1, j) + 1);
      if (j > 0) ways.push(d(i, j - 1) + 1);
      if (i > 0 && j > 0) ways.push(d(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push(d(i - 2, j - 2) + 1);
      table[i]![j] = Math.min(...ways);
    }
  }
  return d(a.length, b.length);
}

const APART =
  /[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f]/u;

/** Of words in their folded form. */
function isLookedAt(word: string): boolean {
  const length = [...word].length;
  return length >= 4 && length <= 32 && !/[0-9]/.test(word) && !APART.test(word);
}

/** The nearest of some words, each with the number of chunks that have it; null if none is near enough. */
export function nearest(vocabulary: ReadonlyMap<string, number>, word: string): string | null {
  const most = [...word].length >= 7 ? 2 : 1;
  const near = [...vocabulary.keys()].filter(
    (each) => [...each][0] === [...word][0] && distance(word, each) <= most,
  );
  near.sort(
    (a, b) =>
      distance(word, a) - distance(word, b) ||
      vocabulary.get(b)! - vocabulary.get(a)! ||
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  return near[0] ?? null;
}

export interface Spelling {
  /** The words of the rows as they are written, with the number of rows that have them. */
  readonly vocabulary: ReadonlyMap<string, number>;
  /** A word as FTS5 folds it without stemming; null if its spelling is not looked at. */
  folded(word: string): Promise<string | null>;
  close(): Promise<void>;
}

/** Folds by the pinned binary's own tokenizer, without the stemmer. */
export async function openSpelling(rows: readonly (readonly [string, string])[]): Promise<Spelling> {
  const { ask, close } = await openSqlite();
  const tokenizer = "tokenize = 'unicode61 remove_diacritics 2'";
  await ask(`CREATE VIRTUAL TABLE pages USING fts5 (text, headings, ${tokenizer})`);
  await ask("CREATE VIRTUAL TABLE terms USING fts5vocab ('pages', 'row')");
  await ask(`CREATE VIRTUAL TABLE one USING fts5 (text, ${tokenizer})`);
  await ask("CREATE VIRTUAL TABLE oneTerm USING fts5vocab ('one', 'row')");
  for (const [text, headings] of rows)
    await ask("INSERT INTO pages (text, headings) VALUES (?, ?)", [text, headings]);
  const terms = (await ask("SELECT term, doc FROM terms")) as [string, number][];
  return {
    vocabulary: new Map(
      terms.map(([term, doc]) => [term, Number(doc)] as const).filter(([term]) => isLookedAt(term)),
    ),
    folded: async (word) => {
      await ask("DELETE FROM one");
      await ask("INSERT INTO one (text) VALUES (?)", [word]);
      const found = (await ask("SELECT term FROM oneTerm")) as [string][];
      const [[term]] = found as [[string]];
      return isLookedAt(term) ? term : null;
    },
    close,
  };
}
