import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkText } from "#dist/conformance/text.js";
import { toHex } from "#dist/engine/digest.js";
import { canonicalBytes, canonicalText, normalForm } from "#dist/text/canonical.js";
import { canonicalParts } from "#dist/text/canonical-in-turns.js";
import { canonicalPath } from "#dist/text/path.js";
import vectors from "../../test-vectors/text.json" with { type: "json" };
import { cpuSeconds } from "../cpu-seconds.ts";
import { loadEngine } from "../engine/load-engine.ts";
import * as reference from "../reference/text.ts";
import { generate } from "../reference/text.vectors.ts";
import { hardBytes, hardStrings } from "./text-strings.ts";

const long = import.meta.env.MODE === "long";
const numRuns = long ? 20_000 : 2_000;
const engines = (["simd", "soft", "scalar"] as const).map((build) => [build, loadEngine(build)] as const);
const simd = engines[0]![1];
const points = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);
const string = (text: readonly number[]) => text.map((c) => String.fromCodePoint(c)).join("");

/** What a cut could change: line ends, white space, marks, byte order marks, jamo, ideographs. */
// biome-ignore format: a list of characters
const CUT_HARD = [
  "a", "b", " ", " ", "  ", "\n", "\r", "\r\n", "\t", "\u0085", "\u00a0", "\u2000", "\u2028", "\u3000", "\0", "\ufeff", "\u0301", "\u0327", "e\u0301",
  "\u1100", "\u1161", "\u11a8", "\u0344", "漢", "\u4dc0", "\uf900", "か", "\u3099", "\ud800", "\u{1f600}", "\u{1d165}",
];

/** NormalizationTest.txt of Unicode 16.0.0: five columns of code points per line. */
function normalizationTest(): { part: string; columns: string[] }[] {
  const file = new URL("../data/normalization-test-16.0.0.txt.gz", import.meta.url);
  let part = "";
  const out = [];
  for (const line of gunzipSync(readFileSync(file)).toString("utf8").split("\n")) {
    if (line.startsWith("@")) part = line;
    if (!/^[0-9A-F]/.test(line)) continue;
    const columns = line
      .split(";")
      .map((column) => string(column.split(" ").map((c) => Number.parseInt(c, 16))));
    out.push({ part, columns });
  }
  return out;
}

describe("the tables", () => {
  it("are what the generator writes", () => {
    const script = new URL("../../scripts/generate-unicode.mjs", import.meta.url);
    execFileSync(process.execPath, [script.pathname, "--check"], { stdio: "pipe" });
  });
});

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });

  it("passes NormalizationTest", () => {
    const form = (nf: (text: readonly number[]) => number[]) => (text: string) => string(nf(points(text)));
    checkNormalizationTest(form(reference.nfc), form(reference.nfd));
  });
});

function checkNormalizationTest(nfc: (text: string) => string, nfd: (text: string) => string): void {
  const lines = normalizationTest();
  expect(lines.length).toBe(19_965);
  for (const { columns } of lines) {
    const [source, c, d, kc, kd] = columns as [string, string, string, string, string];
    const got = [
      nfc(source),
      nfc(c),
      nfc(d),
      nfd(source),
      nfd(c),
      nfd(d),
      nfc(kc),
      nfc(kd),
      nfd(kc),
      nfd(kd),
    ];
    const expected = [c, c, c, d, d, d, kc, kc, kd, kd];
    if (got.join("\0") !== expected.join("\0")) expect(got, JSON.stringify(columns)).toEqual(expected);
  }
}

describe.each(engines)("canonical text of the build %s", (_, engine) => {
  it("passes the vectors", () => {
    const lists = [vectors.cases, vectors.forms, vectors.paths, vectors.invalid];
    const all = lists.reduce((sum, list) => sum + list.length, 1);
    expect(checkText(engine, vectors)).toMatchObject({
      passed: all,
      cases: all,
      firstMismatch: null,
    });
  });

  it("passes NormalizationTest on every line", () => {
    checkNormalizationTest(
      (text) => normalForm(engine, "nfc", text),
      (text) => normalForm(engine, "nfd", text),
    );
  });

  it("leaves every code point that the first part does not list unchanged", () => {
    const listed = new Set(
      normalizationTest().flatMap(({ part, columns }) => (part === "@Part1" ? points(columns[0]!) : [])),
    );
    expect(listed.size).toBeGreaterThan(17_000);
    // One text for all of them, each on a line of its own.
    let text = "";
    for (let c = 0; c < 0x110000; c++)
      if ((c < 0xd800 || c > 0xdfff) && !listed.has(c)) text += `${String.fromCodePoint(c)}\n`;
    expect(normalForm(engine, "nfc", text) === text).toBe(true);
    expect(normalForm(engine, "nfd", text) === text).toBe(true);
  });

  it("equals the reference on any bytes", () => {
    fc.assert(
      fc.property(hardBytes(60), (bytes) => {
        expect(canonicalBytes(engine, bytes)).toEqual(reference.canonicalText(bytes));
      }),
      { numRuns },
    );
  });

  it("is the same when it is made in parts, wherever they end", () => {
    const bytes = fc.oneof(
      hardBytes(60),
      hardStrings(60).map((text) => new TextEncoder().encode(text)),
      fc
        .array(fc.constantFrom(...CUT_HARD), { maxLength: 40 })
        .map((all) => new TextEncoder().encode(all.join(""))),
    );
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 30 }), (text, partBytes) => {
        const parts = [...canonicalParts(engine, text, partBytes)];
        expect(toHex(Buffer.concat(parts))).toBe(toHex(canonicalBytes(engine, text)));
      }),
      { numRuns: 10 * numRuns },
    );
  });

  it("equals the reference on hard strings, and is canonical already", () => {
    fc.assert(
      fc.property(hardStrings(60), (text) => {
        const bytes = new TextEncoder().encode(text);
        const canonical = canonicalBytes(engine, text);
        expect(canonical).toEqual(reference.canonicalText(bytes));
        expect(canonicalBytes(engine, canonical)).toEqual(canonical);
        expect(points(normalForm(engine, "nfd", text))).toEqual(reference.nfd(reference.codePoints(bytes)));
        expect(points(normalForm(engine, "nfc", text))).toEqual(reference.nfc(reference.codePoints(bytes)));
      }),
      { numRuns },
    );
  });
});

describe("normal forms", () => {
  it("equal the host's on characters that the host's Unicode has", () => {
    const unknown = /[\p{Cn}\p{Cs}]/u;
    fc.assert(
      fc.property(hardStrings(60), (text) => {
        fc.pre(!unknown.test(text));
        expect(normalForm(simd, "nfc", text)).toBe(text.normalize("NFC"));
        expect(normalForm(simd, "nfd", text)).toBe(text.normalize("NFD"));
      }),
      { numRuns },
    );
  });
});

describe("decoding", () => {
  it("equals TextDecoder on any bytes", () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    fc.assert(
      fc.property(hardBytes(60), (bytes) => {
        expect(string(reference.codePoints(bytes))).toBe(decoder.decode(bytes));
        expect(normalForm(simd, "nfd", bytes)).toBe(string(reference.nfd(points(decoder.decode(bytes)))));
      }),
      { numRuns },
    );
  });

  it("equals TextDecoder on every sequence of two bytes, and of three around the limits", () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const edges = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
    ];
    const all: number[] = [];
    for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) all.push(a, b, 0x7c);
    for (let a = 0xc0; a < 256; a++)
      for (const b of edges) for (const c of edges) for (const d of edges) all.push(a, b, c, d, 0x7c);
    const bytes = Uint8Array.from(all);
    const expected = string(reference.nfd(points(decoder.decode(bytes))));
    expect(normalForm(simd, "nfd", bytes) === expected).toBe(true);
  });

  it("reads lone surrogates of a string as U+FFFD", () => {
    expect(canonicalText(simd, "a\ud800b\udc00c\udc00\ud800")).toBe("a\ufffdb\ufffdc\ufffd\ufffd\n");
  });
});

describe("hostile text", () => {
  it("is linear: a megabyte of marks in the worst order", () => {
    const marks = "\u0301\u0323\u0345\u0334\u05b0".repeat(100_000);
    const expected = string(reference.nfc(points(`a${marks}`)));
    expect(canonicalText(simd, `a${marks}`) === `${expected}\n`).toBe(true);
    expect(cpuSeconds(() => canonicalText(simd, `a${marks}`))).toBeLessThan(5);
  });

  it("is linear: megabytes of jamo, of white space, of newlines, of bytes that never occur", () => {
    expect(cpuSeconds(() => canonicalText(simd, "\u1161".repeat(1_000_000)))).toBeLessThan(5);
    expect(canonicalText(simd, " ".repeat(10_000_000))).toBe("");
    expect(canonicalText(simd, `a${" ".repeat(1_000_000)}b`).length).toBe(1_000_003);
    expect(canonicalText(simd, ` \r\n\u3000`.repeat(1_000_000))).toBe("");
    expect(canonicalBytes(simd, new Uint8Array(1_000_000).fill(0xff)).length).toBe(3_000_001);
    expect(canonicalBytes(simd, new Uint8Array(1_000_000)).length).toBe(3_000_001);
  });

  it("gives its memory back", () => {
    canonicalText(simd, "é\u0301".repeat(2_000_000));
    const held = simd.exports.memory.buffer.byteLength;
    for (let i = 0; i < 5; i++) canonicalText(simd, "é\u0301".repeat(2_000_000));
    expect(simd.exports.memory.buffer.byteLength).toBe(held);
  });
});

describe("paths", () => {
  it("are refused with lone surrogates", () => {
    expect(() => canonicalPath(simd, "a\ud800")).toThrow(/lone surrogate/);
  });

  it("equal the reference", () => {
    const part = fc.oneof(hardStrings(4), fc.constantFrom(".", "..", "", "a", "é", "C:"));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const path = parts.join("/");
        const expected = path === "" ? null : reference.canonicalPath(path);
        if (expected === null) expect(() => canonicalPath(simd, path)).toThrow(/expected a relative path/);
        else expect(canonicalPath(simd, path)).toBe(expected);
      }),
      { numRuns },
    );
  });
});
