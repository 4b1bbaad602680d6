/** Parts of the page that need no browser: snippets, the lines between ranked lists, the colours of digests. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../../src/web/digest-colours.ts";
import { freeName, pathOf } from "../../src/web/note-name.ts";
import { rankingDrawing } from "../../src/web/ranking-lines.ts";
import { runsOf, shorten, withoutHashes } from "../../src/web/snippet.ts";
import { tableRows } from "../../src/web/table-rows.ts";

const joined = (runs: readonly { readonly text: string }[]) => runs.map(({ text }) => text).join("");

/** A text of any characters, and highlights in its UTF-8 bytes that fall between characters. */
const highlighted = fc
  .tuple(
    fc.string({ unit: "grapheme", maxLength: 600 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
  )
  .map(([content, pairs]) => {
    const starts = [0];
    for (const character of content) starts.push(starts.at(-1)! + new TextEncoder().encode(character).length);
    const cuts = [...new Set(pairs.flat().map((at) => starts[at % starts.length]!))].sort((a, b) => a - b);
    const highlights = cuts.flatMap((start, i) =>
      i % 2 === 0 && i + 1 < cuts.length ? [{ start, end: cuts[i + 1]! }] : [],
    );
    return { content, highlights };
  });

describe("snippets", () => {
  it("runs are the whole text, and matches are the highlighted bytes", () => {
    fc.assert(
      fc.property(highlighted, ({ content, highlights }) => {
        const runs = runsOf({ content, highlights });
        const bytes = new TextEncoder().encode(content);
        expect(joined(runs)).toBe(content);
        expect(runs.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(
          highlights.map(({ start, end }) =>
            new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
          ),
        );
      }),
    );
  });

  it("are short, whole in their characters, and begin at or before the first match", () => {
    fc.assert(
      fc.property(highlighted, (text) => {
        const runs = runsOf(text);
        const short = shorten(runs);
        expect(joined(short).length).toBeLessThanOrEqual(302);
        expect(
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(joined(short))),
        ).toBe(joined(short));
        const first = runs.find(({ isMatch, text: match }) => isMatch && match.trim() !== "");
        if (first !== undefined) expect(short.some(({ isMatch }) => isMatch)).toBe(true);
      }),
    );
  });

  it("are cut between words", () => {
    const words = "alpha beta gamma delta ".repeat(40);
    const content = `${words}needle ${words}`;
    const start = words.length;
    const shown = joined(shorten(runsOf({ content, highlights: [{ start, end: start + 6 }] })));
    expect(shown).toMatch(/^…(alpha|beta|gamma|delta) .*needle.* (alpha|beta|gamma|delta)…$/);
  });

  it("show headings of Markdown without their signs, and leave other lines alone", () => {
    const runs = [{ text: "# Trees\n\n## Roots\n\nA #tag stays.\nSo does # this\n", isMatch: false }];
    expect(joined(shorten(withoutHashes(runs)))).toBe("Trees · Roots · A #tag stays. So does # this ");
  });

  it("leave out the line below the head of a table", () => {
    const runs = [{ text: "# Units\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n", isMatch: false }];
    expect(joined(shorten(withoutHashes(runs)))).toBe("Units · | a | b | | 1 | 2 | ");
  });
});

describe("lines between ranked lists", () => {
  const explanation = {
    totalCandidates: 3,
    weights: { semantic: 1, lexical: 0.5 },
    rrfK: 60,
    matchExpression: '"x"',
    semantic: [
      { chunkId: "a", rank: 1, cosine: 0.9 },
      { chunkId: "gone", rank: 2, cosine: 0.8 },
      { chunkId: "b", rank: 3, cosine: 0.7 },
    ],
    lexical: [{ chunkId: "b", rank: 1, bm25: -2 }],
    fused: [
      { chunkId: "b", path: "b.md", chunkIndex: 4, rank: 1, score: 0.02 },
      { chunkId: "a", path: "a.md", chunkIndex: 0, rank: 2, score: 0.016 },
    ],
  };

  it("go from each channel's rank to the fused one, and leave out what a filter took out", () => {
    const { lines, semantic } = rankingDrawing(explanation);
    expect(semantic.map(({ path, rank }) => `${rank} ${path}`)).toEqual(["1 a.md", "3 b.md"]);
    expect(lines).toEqual([
      { chunkId: "a", channel: "semantic", from: 1, to: 2 },
      { chunkId: "b", channel: "semantic", from: 3, to: 1 },
      { chunkId: "b", channel: "lexical", from: 1, to: 1 },
    ]);
  });
});

describe("colours of digests", () => {
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };

  it("are sixteen, each with a digit that can be read on it", () => {
    const cells = [...cellsOf("01234567"), ...cellsOf("89abcdef")];
    expect(cells.map(({ character }) => character).join("")).toBe("0123456789abcdef");
    expect(new Set(cells.map(({ cell }) => cell)).size).toBe(16);
    for (const { cell, digit } of cells) {
      const [light, dark] = [luminance(cell), luminance(digit)].sort((a, b) => b - a);
      expect((light! + 0.05) / (dark! + 0.05), cell).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe("names of notes", () => {
  it("are proposed free", () => {
    expect(freeName([])).toBe("note.md");
    expect(freeName(["note.md", "note-3.md"])).toBe("note-2.md");
    expect(freeName(["note.md", "note-3.md", "note-2.md"])).toBe("note-4.md");
  });

  it.each([
    [" quokka ", "quokka.md"],
    ["a.txt", "a.txt"],
    ["deep/quokka", "deep/quokka.md"],
    ["v1.2 plans", "v1.2 plans.md"],
    // For the library to refuse.
    ["deep/", "deep/"],
    ["..", ".."],
    ["deep/.", "deep/."],
  ])("%j is %j", (name, path) => {
    expect(pathOf(name)).toBe(path);
  });
});

describe("tables of documents", () => {
  it("have a head, and as many cells in each row", () => {
    expect(tableRows(["| a | b |", "|---|:-:|", "| 1 | `x \\| y` |", "| 2 |"])).toEqual({
      head: ["a", "b"],
      body: [
        ["1", "`x | y`"],
        ["2", ""],
      ],
    });
  });

  it("have no head where a passage begins within one", () => {
    expect(tableRows(["| 1 | 2 |", "|  | 4 |"])).toEqual({
      head: null,
      body: [
        ["1", "2"],
        ["", "4"],
      ],
    });
    expect(tableRows(["|---|", "| 1 |"])).toEqual({ head: null, body: [["1"]] });
  });
});
