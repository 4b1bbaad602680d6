import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { highlightsOf } from "#dist/search/highlights.js";
import { matchExpression } from "#dist/search/match.js";
import { ItemFinder } from "#dist/search/occurrences.js";
import { wordsOf } from "#dist/search/words.js";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { searchText } from "#dist/text/search-text.js";
import { openTiny } from "../library/opened.ts";

const long = import.meta.env.MODE === "long";

/** What a library highlights in a document, as the text itself. */
async function marked(text: string, query: string): Promise<string[][]> {
  const { library } = await openTiny(":memory:");
  try {
    await library.add([
      { path: "a.txt", text },
      { path: "b.txt", text: "something else" },
    ]);
    const { results } = await library.search(query, { mode: "lexical" });
    return results.map(({ content, highlights }) => {
      const bytes = Buffer.from(content);
      return highlights.map(({ start, end }) => bytes.subarray(start, end).toString());
    });
  } finally {
    await library.close();
  }
}

describe("highlights are what matched, where it stands in the content", () => {
  test.each<[string, string, string, string[]]>([
    ["case", "Fox FOX fox", "fox", ["Fox", "FOX", "fox"]],
    ["diacritics", "Café, cafe, naïve", "CAFE", ["Café", "cafe"]],
    [
      "endings",
      "he verifies; verified, verifying trees",
      "verify tree",
      ["verifies", "verified", "verifying", "trees"],
    ],
    ["a phrase is one", "the merkle tree, a tree of merkle", '"merkle tree"', ["merkle tree"]],
    [
      "an identifier",
      "x = calculate_hyper_parameter_v7(1)",
      "calculate_hyper_parameter_v7",
      ["calculate_hyper_parameter_v7"],
    ],
    ["characters set apart", "私は東京タワーを見た。", "東京", ["東京"]],
    ["pairs that touch are one", "東京都の", "東京都", ["東京都"]],
    ["mixed scripts", "東京fox、fox東京", "fox", ["fox", "fox"]],
    ["Hangul", "학교에서 공부", "학교", ["학교"]],
    ["words behind wide characters", "😀 😀 fox é fox", "fox", ["fox", "fox"]],
    ["marks of one kind in the text", "a fox\u0002 and\u0003 fox", "fox", ["fox", "fox"]],
    ["marks of two kinds in the text", "\u0002 fox \ue000 fox", "fox", ["fox", "fox"]],
    ["marks of three kinds in the text", "\u0002 fox \ue001 \ufdd0 fox", "fox", ["fox", "fox"]],
    ["marks of all kinds in the text", "\u0002 fox \ue001 \ufdd0 \u{10fff0} fox", "fox", ["fox", "fox"]],
    ["stop words where they are asked for", "to be or not", "to be", ["to be"]],
    ["no more than the query", "quick fox and quick dog", "quick -nothing", ["quick", "quick"]],
  ])("%s", async (_, text, query, expected) => {
    const [highlights] = await marked(text, query);
    // Tokens that follow each other may be marked as one or one by one; the text between them is no matter.
    expect(highlights!.join(" ")).toBe(expected.join(" "));
  });

  test("none for chunks found by meaning alone, or by a heading", async () => {
    const { library } = await openTiny(":memory:");
    await library.add([
      { path: "a.md", text: `# Zebra\n\n${"word ".repeat(90)}` },
      { path: "b.md", text: "other" },
    ]);
    const { results } = await library.search("zebra", { topK: 20 });
    expect(results.length).toBeGreaterThan(2);
    for (const { match, highlights, content } of results) {
      if (match === "semantic" || !content.includes("Zebra")) expect(highlights).toStrictEqual([]);
      else
        expect(highlights).toStrictEqual([
          { start: content.indexOf("Zebra"), end: content.indexOf("Zebra") + 5 },
        ]);
    }
    const byHeading = results.filter(
      ({ match, content }) => match !== "semantic" && !content.includes("Zebra"),
    );
    expect(byHeading.length).toBeGreaterThan(0);
    await library.close();
  });
});

describe("any text and query", () => {
  let database: Database;
  const TOKENIZER = "tokenize = 'porter unicode61 remove_diacritics 2'";
  beforeAll(async () => {
    database = await openDatabase(":memory:");
    database.exec(`CREATE VIRTUAL TABLE one USING fts5 (text, ${TOKENIZER})`);
  });
  afterAll(() => database.close());

  const word = fc.constantFrom(
    ..."fox Foxes FÓX dog dogs naïve naive 東 京 東京 학교 7 v7 the \u0002 \u0003 \ue000 \ufdd0 😀 é , . -".split(
      " ",
    ),
    "\n",
  );
  const texts = fc
    .array(word, { maxLength: 30 })
    .chain((words) =>
      fc
        .array(fc.constantFrom("", " "), { minLength: words.length, maxLength: words.length })
        .map((gaps) => words.map((each, i) => each + gaps[i]!).join("")),
    );

  /** The pieces that FTS5's own `highlight` marks, with all between them. */
  const markedByFts5 = (text: string, match: string): string[] => {
    database.run("DELETE FROM one");
    database.run("INSERT INTO one VALUES (?)", [text]);
    const row = database.get<{ text: string }>(
      "SELECT highlight(one, 0, '[', ']') AS text FROM one WHERE one MATCH ?",
      [match],
    );
    return row === undefined ? [text] : row.text.split(/[[\]]/);
  };

  test("FTS5's highlight marks the same, character by character", () => {
    const items = fc
      .uniqueArray(
        fc.constantFrom("fox", "dogs", "naïve", "東", "학", "7", "fox dog", "dog 東 京", "the", "é"),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((list) => list.flatMap((item) => wordsOf(item, 9).join(" ")));
    fc.assert(
      fc.property(texts, items, (text, wanted) => {
        const indexed = searchText(text);
        const match = matchExpression({ phrases: [], terms: wanted, excluded: [] })!;
        // Of the text as it is indexed, to compare all; then the library's text.
        const bytes = Buffer.from(indexed);
        const pieces: string[] = [];
        let from = 0;
        for (const { start, end } of highlightsOf(new ItemFinder(wanted), indexed, indexed)) {
          pieces.push(bytes.subarray(from, start).toString(), bytes.subarray(start, end).toString());
          from = end;
        }
        expect([...pieces, bytes.subarray(from).toString()]).toStrictEqual(markedByFts5(indexed, match));
        const plain = highlightsOf(new ItemFinder(wanted), text, indexed).map(({ start, end }) =>
          searchText(Buffer.from(text).subarray(start, end).toString()),
        );
        expect(plain).toStrictEqual(pieces.filter((_, i) => i % 2 === 1));
      }),
      { numRuns: long ? 5_000 : 500 },
    );
  });
});
