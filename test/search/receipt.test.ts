import { blake3 } from "@noble/hashes/blake3.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkReceipts } from "#dist/conformance/receipt.js";
import { compareReceipts } from "#dist/search/compare-receipts.js";
import { makeReceipt, parseReceipt, printReceipt, receiptDigest } from "#dist/search/receipt.js";
import vectors from "../../test-vectors/receipt.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { BUILDS, loadBuild } from "../engine/engines.ts";
import * as reference from "../reference/receipt.ts";
import { generate } from "../reference/receipt.vectors.ts";

const numRuns = import.meta.env.MODE === "long" ? 10_000 : 1_000;
const engine = loadBuild("simd");

const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));
const text = fc.string({ unit: "grapheme", maxLength: 20 });
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<never>;
const body = fc.record({
  canon: hex(64),
  root: hex(64),
  metadataRoot: fc.option(hex(64)),
  query: text,
  parameters: fc.dictionary(text, json, { maxKeys: 5 }),
  results: fc.uniqueArray(fc.record({ id: hex(32), score: fc.oneof(hex(8), hex(16)) }), {
    selector: ({ id }) => id,
    maxLength: 12,
  }),
});

describe("the reference", () => {
  it("gives the committed vectors, and their bytes have their digests by @noble/hashes", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
    for (const { receipt, bytes } of vectors.cases) {
      expect(Buffer.from(blake3(Buffer.from(bytes, "hex"))).toString("hex")).toBe(receipt.digest);
    }
  });
});

describe.each(BUILDS)("receipts by the build %s", (build) => {
  it("pass the vectors", () => {
    expect(checkReceipts(loadBuild(build), vectors)).toMatchObject(allPassed(vectors.cases, vectors.invalid));
  });
});

describe("receipts", () => {
  it("have the reference's digest, and come back from JSON", () => {
    fc.assert(
      fc.property(body, (each) => {
        const receipt = makeReceipt(engine, each);
        expect(receipt.digest).toBe(reference.receiptDigest(each as reference.Body));
        const read = parseReceipt(engine, printReceipt(receipt));
        expect(read.digest).toBe(receipt.digest);
        expect(compareReceipts(receipt, read)).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("differ in their digest if they differ in anything", () => {
    fc.assert(
      fc.property(body, body, (a, b) => {
        const isSame = compareReceipts(a, b).length === 0;
        expect(receiptDigest(engine, a) === receiptDigest(engine, b)).toBe(isSame);
      }),
    );
  });

  it("of another key order have the same digest", () => {
    const base = makeReceipt(engine, { ...SAMPLE, parameters: { a: 1, b: { c: 2, d: 3 } } });
    expect(receiptDigest(engine, { ...SAMPLE, parameters: { b: { d: 3, c: 2 }, a: 1 } })).toBe(base.digest);
  });

  it("refuse what is not JSON", () => {
    expect(() => parseReceipt(engine, "")).toThrow("expected the receipt to be JSON");
    expect(() => parseReceipt(engine, "null")).toThrow("expected the receipt to be a plain object, got null");
  });
});

const id = (letter: string): string => letter.repeat(32);
const SAMPLE = {
  canon: "0".repeat(64),
  root: "1".repeat(64),
  metadataRoot: null,
  query: "ties",
  parameters: { rrfK: 60, topK: 10 } as Record<string, number>,
  results: [
    { id: id("a"), score: "3f800000" },
    { id: id("b"), score: "3f000000" },
    { id: id("c"), score: "3e800000" },
  ],
};

describe("comparison", () => {
  it("names what decides results, and each parameter", () => {
    const other = {
      ...SAMPLE,
      canon: "2".repeat(64),
      metadataRoot: "3".repeat(64),
      query: "tie",
      parameters: { rrfK: 61, ef: 50 } as Record<string, number>,
    };
    expect(compareReceipts(SAMPLE, other)).toEqual([
      { what: "canon", rank: null, expected: SAMPLE.canon, actual: other.canon },
      { what: "metadataRoot", rank: null, expected: null, actual: other.metadataRoot },
      { what: "query", rank: null, expected: "ties", actual: "tie" },
      { what: "parameters.ef", rank: null, expected: null, actual: "50" },
      { what: "parameters.rrfK", rank: null, expected: "60", actual: "61" },
      { what: "parameters.topK", rank: null, expected: "10", actual: null },
    ]);
  });

  it("names the first rank with another result, and the first with other bits", () => {
    const [a, b, c] = SAMPLE.results;
    const compare = (results: typeof SAMPLE.results) => compareReceipts(SAMPLE, { ...SAMPLE, results });
    expect(compare([a!, c!, b!])).toEqual([{ what: "order", rank: 2, expected: id("b"), actual: id("c") }]);
    expect(compare([a!, { ...b!, score: "3f000001" }, c!])).toEqual([
      { what: "score", rank: 2, expected: "3f000000", actual: "3f000001" },
    ]);
    expect(compare([{ ...a!, score: "3f800001" }, b!])).toEqual([
      { what: "count", rank: null, expected: "3", actual: "2" },
      { what: "order", rank: 3, expected: id("c"), actual: null },
      { what: "score", rank: 1, expected: "3f800000", actual: "3f800001" },
    ]);
  });
});
