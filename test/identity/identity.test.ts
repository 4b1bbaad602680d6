import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkIdentity } from "#dist/conformance/identity.js";
import { blake3, toHex } from "#dist/engine/digest.js";
import { chunkIds, documentId, documentIds, textHash, textHashes } from "#dist/identity/ids.js";
import { metadataHash } from "#dist/identity/metadata-hash.js";
import { canonicalJson, type Json } from "#dist/text/canonical-json.js";
import vectors from "../../test-vectors/identity.json" with { type: "json" };
import { BUILDS, loadBuild } from "../engine/engines.ts";
import * as reference from "../reference/identity.ts";
import { generate } from "../reference/identity.vectors.ts";
import { splitmix32 } from "../reference/prng.ts";

const long = import.meta.env.MODE === "long";
const engine = loadBuild("simd");
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });
});

describe.each(BUILDS)("identity by the build %s", (build) => {
  it("passes the vectors", () => {
    const { cases, texts, formats, chunks, values, metadata, invalid } = vectors;
    const all = [cases, texts, formats, chunks, values, metadata, invalid].reduce(
      (sum, list) => sum + list.length,
      0,
    );
    expect(checkIdentity(loadBuild(build), vectors)).toMatchObject({
      cases: all,
      passed: all,
      firstMismatch: null,
    });
  });
});

describe("ids and hashes", () => {
  it("are made of the bytes that the specification shows", () => {
    const bytes = "\x11\0\0\0selfsame/document\x07\0\0\0default\x07\0\0\0ties.md";
    expect(toHex(documentId(engine, "ties.md"))).toBe(toHex(blake3(engine, utf8(bytes)).slice(0, 16)));
  });

  it("of a batch are those of each alone, whatever the sizes", () => {
    const next = splitmix32(9);
    const texts = Array.from({ length: 300 }, (_, i) =>
      Uint8Array.from({ length: i === 150 ? 3_000_000 : next() % 20_000 }, () => next()),
    );
    const batch = textHashes(engine, texts);
    expect(batch.length).toBe(300);
    for (const [i, text] of texts.entries()) expect(toHex(batch[i]!)).toBe(toHex(textHash(engine, text)));
    expect(textHashes(engine, [])).toEqual([]);
  });

  it("equal the reference", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    const cases = fc.tuple(name, name, fc.array(name, { maxLength: 6 }), fc.nat(), name);
    fc.assert(
      fc.property(cases, ([namespace, path, headingPath, sequence, text]) => {
        const [id] = documentIds(engine, [path], namespace);
        expect(toHex(id!)).toBe(toHex(reference.documentId(namespace, path)));
        const hash = textHash(engine, utf8(text));
        expect(toHex(hash)).toBe(toHex(reference.textHash(utf8(text))));
        const [chunk] = chunkIds(engine, id!, [{ sequence, headingPath, textHash: hash }]);
        expect(toHex(chunk!)).toBe(toHex(reference.chunkId(id!, sequence, headingPath, hash)));
      }),
      { numRuns: long ? 2_000 : 200 },
    );
  });

  it("refuse names that UTF-8 cannot tell apart", () => {
    for (const [path, namespace] of [
      ["", "a"],
      ["a", ""],
      ["\ud800", "a"],
      ["a", "\udfff"],
    ] as const)
      expect(() => documentId(engine, path, namespace)).toThrow(
        expect.objectContaining({ code: "BAD_ARGUMENT" }),
      );
  });
});

describe("canonical JSON", () => {
  it("equals the reference on any value, and reads back as it", () => {
    const values = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });
    fc.assert(
      fc.property(values, (value) => {
        const printed = canonicalJson(value as Json);
        expect(printed).toBe(reference.canonicalJson(value));
        expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: long ? 10_000 : 1_000 },
    );
  });

  it("prints numbers as the reference does", () => {
    const differing: number[] = [];
    const compare = (value: number) => {
      if (Number.isFinite(value) && canonicalJson(value) !== reference.canonicalNumber(value))
        differing.push(value);
    };
    for (let exponent = -1074; exponent < 1024; exponent++) {
      compare(2 ** exponent);
      compare(-(2 ** exponent) * 1.3);
    }
    const bits = new DataView(new ArrayBuffer(8));
    const next = splitmix32(11);
    for (let i = 0; i < (long ? 200_000 : 20_000); i++) {
      bits.setUint32(0, next());
      bits.setUint32(4, next());
      compare(bits.getFloat64(0));
    }
    expect(differing).toEqual([]);
  });

  it("does not depend on the order of members", () => {
    expect(canonicalJson({ a: 1, b: { d: 1, c: 2 } })).toBe(canonicalJson({ b: { c: 2, d: 1 }, a: 1 }));
    expect(canonicalJson({ a: 1, b: undefined })).toBe('{"a":1}');
  });
});

describe("metadata", () => {
  it("without anything hashes as if it were empty", () => {
    const nothing = metadataHash(engine, { modifiedAt: null, mime: null, metadata: null });
    expect(metadataHash(engine, { modifiedAt: null, mime: "", metadata: "{}" })).toEqual(nothing);
  });

  it("refuses a time that is not whole milliseconds", () => {
    for (const modifiedAt of [0.5, Number.NaN, 2 ** 53])
      expect(() => metadataHash(engine, { modifiedAt, mime: null, metadata: null })).toThrow(
        expect.objectContaining({ code: "BAD_ARGUMENT" }),
      );
  });
});
