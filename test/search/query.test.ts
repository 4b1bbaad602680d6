import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { checkQuery } from "#dist/conformance/query.js";
import { exclusionExpression, matchExpression } from "#dist/search/match.js";
import { parseQuery } from "#dist/search/parse-query.js";
import { selectTerms } from "#dist/search/select-terms.js";
import { STOP_WORDS } from "#dist/search/stop-words.js";
import { isWordCharacter, wordsOf } from "#dist/search/words.js";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { searchText, textOffsets } from "#dist/text/search-text.js";
import { askTokenizer } from "../../scripts/generate-token-characters.ts";
import vectors from "../../test-vectors/query.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { BUILDS, loadBuild } from "../engine/engines.ts";
import * as reference from "../reference/query.ts";
import { generate } from "../reference/query.vectors.ts";

const long = import.meta.env.MODE === "long";
const numRuns = long ? 20_000 : 2_000;
const TOKENIZER = "tokenize = 'porter unicode61 remove_diacritics 2'";
const engine = loadBuild("simd");

// Words, operators, marks and spaces of every kind that the rules tell apart, all assigned since long.
const pieces = fc.constantFrom(
  ...'a b X é \u0301 \u0302 \u0483 _ - -- " “ ” „ \' ( ) * ^ : + , . ? { } # ½ 7 ー 東 京 学 校 학 교 ｶ 々 、 ・ 𠀀 🎉 ש ไ \ue000 the The merkle AND OR NOT NEAR - "'.split(
    " ",
  ),
  " ",
  " ",
  " -",
  ' "',
  '" ',
  "\n",
  "\r\n",
  "\u3000",
  "\u00a0",
  "\0",
  "\ud800",
);
const queries = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

describe("the reference", () => {
  it("gives the committed vectors", async () => {
    const made = await generate(import.meta.env.MODE === "long" ? undefined : vectors.characters);
    expect(JSON.parse(JSON.stringify(made))).toEqual(vectors);
  });

  it("has the same stop words, sorted and plain", () => {
    expect([...STOP_WORDS]).toEqual(reference.STOP_WORDS);
    expect([...STOP_WORDS]).toEqual([...STOP_WORDS].sort());
    for (const word of STOP_WORDS) expect(word).toMatch(/^[a-z]+$/);
  });
});

describe.each(BUILDS)("queries by the build %s", (build) => {
  it("pass the vectors", () => {
    const { cases, searchText: texts, selections, spelling, characters, tokens } = vectors;
    expect(checkQuery(loadBuild(build), vectors)).toMatchObject(
      allPassed(cases, texts, selections, spelling.cases, Object.keys(characters), tokens),
    );
  });
});

describe("parsing (SPEC §15.3)", () => {
  it("equals the reference", () => {
    fc.assert(
      fc.property(queries, (query) => {
        const got = parseQuery(engine, query);
        expect(got).toEqual(reference.parseQuery(query));
        expect(matchExpression(got)).toBe(reference.match(got as reference.Query));
      }),
      { numRuns },
    );
  });

  it("gives the same expression whatever the order and case of terms", () => {
    const word = fc.stringMatching(/^[a-zA-Z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const match = (query: string) => matchExpression(parseQuery(engine, query));
        expect(match([...words].reverse().join(" ").toUpperCase())).toBe(match(words.join(" ")));
      }),
    );
  });

  it("reads 100 KB of anything", () => {
    for (const piece of ["merkle", '"a b" ', '-"a ', "東京", "\0", "\ud800", "((((", 'x" ']) {
      const query = piece.repeat(Math.ceil(100_000 / piece.length)).slice(0, 100_000);
      expect(parseQuery(engine, query).terms.length).toBeLessThanOrEqual(64);
    }
  });

  it("refuses a longer one before it reads it", () => {
    for (const query of ["\0".repeat(100_001), "a".repeat(10 << 20)])
      expect(() => parseQuery(engine, query)).toThrow(
        expect.objectContaining({ code: "BAD_ARGUMENT", details: { argument: "query", got: query.length } }),
      );
  });
});

describe("search text (SPEC §15.1)", () => {
  it("equals the reference, and is its own", () => {
    fc.assert(
      fc.property(queries, (query) => {
        const text = Buffer.from(query).toString();
        expect(searchText(text)).toBe(reference.searchText(text));
        expect(searchText(searchText(text))).toBe(searchText(text));
      }),
      { numRuns },
    );
  });

  it("positions in it lead back to the same character", () => {
    fc.assert(
      fc.property(queries, (query) => {
        const text = Buffer.from(query).toString();
        const bytes = Buffer.from(text);
        const spaced = Buffer.from(searchText(text));
        const all = Array.from({ length: spaced.length + 1 }, (_, i) => i);
        const back = textOffsets(text, all);
        expect(back.at(-1)).toBe(bytes.length);
        for (const i of all.slice(0, -1)) {
          // At an inserted space the position is that of the character behind it.
          if (spaced[i] === bytes[back[i]!]) continue;
          expect(spaced[i]).toBe(0x20);
          expect(back[i]).toBe(back[i + 1]);
        }
      }),
      { numRuns },
    );
  });
});

describe("selection of terms (SPEC §15.7)", () => {
  it("equals the reference, keeps one that occurs and stays within the budget", () => {
    const frequencies = fc.array(fc.nat(1000), { maxLength: 10 });
    fc.assert(
      fc.property(frequencies, fc.nat(500), (chunks, budget) => {
        const terms = chunks.map((n, i) => ({ term: `t${i}`, chunks: n }));
        const kept = selectTerms(terms, budget);
        const pairs = terms.map(({ term, chunks: n }) => [term, n] as const);
        expect(kept).toEqual(reference.selectTerms(pairs, budget));
        const keptChunks = terms.filter(({ term }) => kept.includes(term)).map(({ chunks: n }) => n);
        const sum = keptChunks.reduce((all, n) => all + n, 0);
        if (chunks.some((n) => n > 0)) expect(sum).toBeGreaterThan(0);
        if (keptChunks.filter((n) => n > 0).length > 1) {
          expect(sum).toBeLessThanOrEqual(budget);
        }
      }),
      { numRuns },
    );
  });
});

describe("against the pinned SQLite", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(":memory:");
    database.exec(`CREATE VIRTUAL TABLE chunks USING fts5(text, headings, ${TOKENIZER});
      CREATE VIRTUAL TABLE one USING fts5(text, ${TOKENIZER});
      CREATE VIRTUAL TABLE tokens USING fts5vocab(one, instance)`);
    const texts = [
      "merkle tree verification",
      "the merkle root of a tree",
      "function calculate_hyper_parameter_v7(x)",
      "hyper parameter v7, calculate",
      searchText("東京タワーの歴史"),
      searchText("학교에서 공부"),
      "jaguar the car",
      "jaguar the animal",
    ];
    for (const text of texts) database.run("INSERT INTO chunks VALUES (?, '')", [text]);
  });

  const found = (query: string): number[] => {
    const match = matchExpression(parseQuery(engine, query));
    if (match === null) return [];
    return database
      .all<{ rowid: number }>("SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks), rowid", [
        match,
      ])
      .map(({ rowid }) => rowid);
  };

  /** The tokens that FTS5 makes of a text, in order. */
  const tokensOf = (text: string): string[] => {
    database.run("DELETE FROM one");
    database.run("INSERT INTO one VALUES (?)", [text]);
    return database.all<{ term: string }>("SELECT term FROM tokens ORDER BY offset").map(({ term }) => term);
  };

  it("the tables of word characters are its own", () => {
    const last = long ? 0x10ffff : 0xffff;
    const { word, mark } = askTokenizer(database, last);
    for (let c = 1; c <= last; c++) {
      if (c >= 0xd800 && c <= 0xdfff) continue;
      if (isWordCharacter(c) !== word.has(c)) expect.fail(`U+${c.toString(16)}`);
      if ((wordsOf(`q${String.fromCodePoint(c)}z`, 9).length === 1) !== (word.has(c) || mark.has(c))) {
        expect.fail(`U+${c.toString(16)} between letters`);
      }
    }
  });

  it("words are cut where it cuts them", () => {
    fc.assert(
      fc.property(queries, fc.string({ unit: "binary" }), (query, any) => {
        const text = Buffer.from((query + any).replaceAll("\0", "")).toString();
        const words = wordsOf(text, Number.POSITIVE_INFINITY);
        expect(tokensOf(words.join(" "))).toEqual(tokensOf(text));
        expect(tokensOf(text)).toHaveLength(words.length);
      }),
      { numRuns: numRuns / 4 },
    );
  });

  it("takes the expression of any query, and those of all vectors", () => {
    const run = (query: string) => {
      const parsed = parseQuery(engine, query);
      for (const match of [matchExpression(parsed), exclusionExpression(parsed.excluded)]) {
        if (match === null) continue;
        database.all("SELECT rowid, bm25(chunks) FROM chunks WHERE chunks MATCH ?", [match]);
      }
    };
    for (const { text, times } of vectors.cases) run(text.repeat(times));
    run("merkle".repeat(16_000));
    fc.assert(fc.property(queries, run), { numRuns: numRuns / 4 });
    fc.assert(fc.property(fc.string({ unit: "binary" }), run), { numRuns: numRuns / 4 });
    for (let c = 0; c < 0x10000; c++) {
      if (c % 16 === 0)
        run(Array.from({ length: 16 }, (_, i) => `"${String.fromCharCode(c + i)}" `).join(""));
    }
  });

  it("phrases are required, terms add to the rank, exclusions leave out", () => {
    expect(found("merkle root")).toEqual([2, 1]);
    expect(found('"tree" root')).toEqual([2, 1]);
    expect(found('"merkle tree" root')).toEqual([1]);
    expect(found('"merkle" "tree" verification nowhere')).toEqual([1, 2]);
    expect(found('"merkle" "nowhere"')).toEqual([]);
    expect(found("jaguar -car")).toEqual([8]);
    expect(found('jaguar -"the animal"')).toEqual([7]);
    expect(found('"jaguar" the -car -merkle')).toEqual([8]);
    expect(found("jaguar -jaguar")).toEqual([]);
  });

  it("an identifier is found as a whole", () => {
    expect(found("calculate_hyper_parameter_v7")).toEqual([3]);
    expect(found("function calculate_hyper_parameter_v7")).toEqual([3]);
  });

  it("words without spaces between them are found by their pairs", () => {
    expect(found("東京の歴史")).toEqual([5]);
    expect(found("京東")).toEqual([]);
    expect(found('"東京タワー"')).toEqual([5]);
    expect(found("학교")).toEqual([6]);
  });

  it("no row matches because of an optional term alone when a phrase is asked for", () => {
    const word = fc.constantFrom("merkle", "tree", "root", "jaguar", "car", "the", "nowhere", "x");
    const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(words, words, (phrases, terms) => {
        const query = `${phrases.map((phrase) => `"${phrase}"`).join(" ")} ${terms.join(" ")}`;
        expect(found(query).sort()).toEqual(found(phrases.map((phrase) => `"${phrase}"`).join(" ")).sort());
      }),
    );
  });
});
