// The tokens of words against FTS5's own, as fts5vocab shows them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenBytes, tokenOf } from "#dist/search/token.js";
import { wordsOf } from "#dist/search/words.js";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { askTokenizer } from "../../scripts/generate-token-characters.ts";

const long = import.meta.env.MODE === "long";
let database: Database;

beforeAll(async () => {
  database = await openDatabase(":memory:");
  database.exec(`CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE tokens USING fts5vocab ('words', 'instance')`);
});
afterAll(() => database.close());

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Each word beside its token by FTS5 and by us, where they differ. */
function differences(words: readonly string[]): string[] {
  database.run("DELETE FROM words");
  database.run("INSERT INTO words VALUES (?)", [words.join(" ")]);
  // In hexadecimal: a stem may end within a character.
  const tokens = database
    .all<{ token: string }>("SELECT hex(term) AS token FROM tokens ORDER BY offset")
    .map(({ token }) => token.toLowerCase());
  expect(tokens).toHaveLength(words.length);
  return words
    .map((word, i) => `${word}: ${hex(tokenBytes(tokenOf(word)))} not ${tokens[i]}`)
    .filter((_, i) => hex(tokenBytes(tokenOf(words[i]!))) !== tokens[i]);
}

describe("tokens are FTS5's", () => {
  it("of every word of the published corpus and of the documents", () => {
    const folder = join(import.meta.dirname, "../../test-vectors/corpus");
    const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    texts.push(readFileSync(join(import.meta.dirname, "../../SPEC.md"), "utf8"));
    const words = new Set(wordsOf(texts.join("\n"), Number.POSITIVE_INFINITY));
    expect(words.size).toBeGreaterThan(3_000);
    expect(differences([...words])).toStrictEqual([]);
  });

  it("of words with every ending that Porter's algorithm knows, twice over", () => {
    const endings =
      "s es ss sses ies eed ed ing at bl iz y ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism " +
      "iveness fulness ousness aliti iviti biliti ical ness icate iciti ful ative alize al ance ence er ic able ible ant ement ment " +
      "ent ion sion tion ou ism ate iti ous ive ize e ll l le y";
    const ending = fc.constantFrom("", ...endings.split(" "));
    const beginning = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."aeiouybcdlstwxz7é₂ж"), minLength: 0, maxLength: 5 }),
      fc.constantFrom("", "relat", "hop", "fil", "agr", "contr", "sky", "x".repeat(60), "東"),
    );
    const word = fc
      .tuple(beginning, ending, ending)
      .map((parts) => parts.join(""))
      .filter((each) => each !== "");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 200 }), (words) => {
        expect(differences(words)).toStrictEqual([]);
      }),
      { numRuns: long ? 5_000 : 300 },
    );
  });

  it("of every letter, whatever its case and its diacritics", () => {
    const last = long ? 0x10ffff : 0x2fff;
    const { word, folds } = askTokenizer(database, last);
    expect(folds.size).toBeGreaterThan(500);
    for (const c of word) {
      const folded = String.fromCodePoint(folds.get(c) ?? c);
      if (hex(tokenBytes(tokenOf(String.fromCodePoint(c)))) !== hex(Buffer.from(folded)))
        expect.fail(`U+${c.toString(16)}`);
    }
  });

  it("of words at the lengths from which on they have no stem, and from which on they are cut", () => {
    const words = [1, 2, 3, 63, 64, 65, 32_767, 32_768, 32_769, 200_000].flatMap((length) =>
      ["b", "ж", "क", "\u{20000}"].flatMap((letter) => {
        const letters = Math.ceil(length / Buffer.byteLength(letter));
        return [letter.repeat(letters), `a${letter.repeat(letters)}`, `a${letter.repeat(letters - 1)}ing`];
      }),
    );
    expect(differences(words)).toStrictEqual([]);
  });

  it("of words with marks, which are left out", () => {
    expect(differences(["cafe\u0301", "nai\u0308ve", "e\u0301e\u0301", "E\u0301\u0302s"])).toStrictEqual([]);
  });
});
