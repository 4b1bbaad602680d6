// What the pinned SQLite takes for parts of words, and the tokens that it makes of words (SPEC §15.2, §15.8), read off its
// behaviour.
import { openSqlite } from "./sqlite.ts";

export interface Characters {
  /** Code points in hexadecimal: `first-last`, or one, with a space between. */
  readonly words: string;
  readonly marks: string;
  /** `code point:what it becomes`, of word characters that become another. */
  readonly folds: string;
}

/**
 * Every code point c but NUL and the surrogates, which no canonical text has, behind a word of its own, `k<number>k`, and
 * before a z; and once more before that word. A separator cuts them apart, a mark vanishes, a word character stays or folds.
 */
export async function readCharacters(): Promise<Characters> {
  const { ask, close } = await openSqlite();
  await ask("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')");
  await ask("CREATE VIRTUAL TABLE terms USING fts5vocab ('words', 'row')");
  const termsOf = async (wordOf: (c: number) => string): Promise<string[]> => {
    const words: string[] = [];
    for (let c = 1; c <= 0x10ffff; c++) if (c < 0xd800 || c > 0xdfff) words.push(wordOf(c));
    await ask("DELETE FROM words");
    await ask("INSERT INTO words (text) VALUES (?)", [words.join(" ")]);
    // In one row: each row is waited for, and these are a million.
    const [[terms]] = (await ask("SELECT group_concat(term, ' ') FROM terms")) as [[string]];
    return terms.split(" ");
  };
  const joined = new Map<number, string>(); // what stands before the z, where nothing cuts it off
  for (const term of await termsOf((c) => `k${c}k${String.fromCodePoint(c)}z`)) {
    const [, number, between] = /^k(\d+)k(.*)z$/su.exec(term) ?? [];
    if (number !== undefined) joined.set(Number(number), between!);
  }
  const begins = new Set<number>();
  for (const term of await termsOf((c) => `${String.fromCodePoint(c)}k${c}k`)) {
    const [, number] = /^.+k(\d+)k$/su.exec(term) ?? [];
    if (number !== undefined) begins.add(Number(number));
  }
  await close();
  const parts = [...joined.keys()].sort((a, b) => a - b);
  const words = parts.filter((c) => begins.has(c));
  const folds = words.flatMap((c) => {
    const to = joined.get(c)!.codePointAt(0)!;
    return to === c ? [] : [`${c.toString(16)}:${to.toString(16)}`];
  });
  return {
    words: ranges(words),
    marks: ranges(parts.filter((c) => !begins.has(c))),
    folds: folds.join(" "),
  };
}

function ranges(ascending: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const c of ascending) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === c - 1) last[1] = c;
    else found.push([c, c]);
  }
  return found
    .map(([first, last]) =>
      first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`,
    )
    .join(" ");
}

/** The token of each word, its bytes in hexadecimal: a stem may end within a character. */
export async function readTokens(words: readonly string[]): Promise<string[]> {
  const { ask, close } = await openSqlite();
  await ask(
    "CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  await ask("CREATE VIRTUAL TABLE tokens USING fts5vocab ('words', 'instance')");
  for (const [i, word] of words.entries())
    await ask("INSERT INTO words (rowid, word) VALUES (?, ?)", [i + 1, word]);
  const rows = await ask("SELECT doc, lower(hex(term)) FROM tokens ORDER BY doc");
  await close();
  if (rows.some(([doc], i) => Number(doc) !== i + 1) || rows.length !== words.length)
    throw new Error("expected words of one token each");
  return rows.map(([, token]) => String(token));
}
