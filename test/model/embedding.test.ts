import { BUILDS, loadModel } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { checkEmbedding } from "#dist/conformance/embedding.js";
import { parseHex } from "#dist/conformance/hex.js";
import vectors from "../../test-vectors/embedding.json" with { type: "json" };
import { embedderOf } from "../reference/embedding.vectors.ts";

const long = import.meta.env.MODE === "long";
const all = vectors.cases.length;
// The first 8 texts are short and unlike each other; the reference and `scalar` take seconds on the long ones.
const counts = [
  ["tiny", all],
  ["all-MiniLM-L6-v2", long ? all : 8],
] as const;

describe("the reference", () => {
  it.each(counts)("gives the committed vectors of %s", (name, count) => {
    const embed = embedderOf(name);
    for (const { text, embeddings } of vectors.cases.slice(0, count)) {
      expect(embed(text), JSON.stringify(text.slice(0, 60))).toEqual(
        embeddings.find(({ model }) => model === name),
      );
    }
  });
});

describe.each(BUILDS)("embeddings of the build %s", (build) => {
  it.each(counts)("pass the vectors of %s", async (name, count) => {
    const { model } = await loadModel({ build, model: name });
    const outcome = checkEmbedding(name, model, vectors, count);
    expect(outcome).toMatchObject({ cases: count, passed: count, firstMismatch: null });
  });
});

describe("the vectors", () => {
  it("say what the model is known to say of four sentences", () => {
    const [first, ...others] = vectors.cases.slice(0, 4).map(({ embeddings }) => {
      const { vector } = embeddings.find(({ model }) => model === "all-MiniLM-L6-v2")!;
      return Int16Array.from(parseHex(vector, 4));
    });
    const cosines = others.map(
      (other) => other.reduce((sum, value, i) => sum + value * first![i]!, 0) / 32767 ** 2,
    );
    expect(cosines.map((cosine) => cosine.toFixed(2))).toEqual(["0.70", "0.84", "0.06"]);
  });

  it("have texts at, under and over both limits", () => {
    for (const [name, limit] of [
      ["tiny", 64],
      ["all-MiniLM-L6-v2", 256],
    ] as const) {
      const lengths = vectors.cases.map(({ embeddings }) => embeddings.find(({ model }) => model === name)!);
      expect(lengths.some(({ tokens, truncated }) => tokens === 2 && !truncated)).toBe(true);
      expect(lengths.some(({ tokens, truncated }) => tokens === limit && !truncated)).toBe(true);
      expect(lengths.some(({ tokens, truncated }) => tokens === limit && truncated)).toBe(true);
      expect(lengths.every(({ tokens }) => tokens <= limit)).toBe(true);
    }
  });
});

describe("the runner", () => {
  it("finds one wrong bit", async () => {
    const { model } = await loadModel({ build: "simd", model: "tiny" });
    const wrong = structuredClone(vectors);
    const expected = wrong.cases[2]!.embeddings.find((one) => one.model === "tiny")!;
    expected.vector = expected.vector.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16));
    expect(checkEmbedding("tiny", model, wrong).firstMismatch).toMatchObject({ what: "vector" });
  });
});
