/** Cross-encoders: pairs of texts in, one logit out. SPEC §8.6 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { ModelManifest } from "selfsame";
import { type CrossEncoder, loadCrossEncoder, loadModel } from "selfsame/engine";
import { beforeAll, describe, expect, it } from "vitest";
import { logit, openCrossEncoder, pairOf } from "../reference/cross-encoder.ts";
import { readSafetensors as readTensors } from "../reference/safetensors.ts";
import { tinyFiles, tinyManifest, writeSafetensors } from "./tiny-model.ts";

const LONG = import.meta.env.MODE === "long";
const file = (path: string) => new Uint8Array(readFileSync(new URL(`../../models/${path}`, import.meta.url)));
const manifest = JSON.parse(new TextDecoder().decode(file("tiny-cross.json"))) as ModelManifest;
const weights = file(manifest.files.weights.path);
const reference = openCrossEncoder("tiny-cross");

let model: CrossEncoder;
beforeAll(async () => {
  ({ model } = await loadCrossEncoder({ model: "tiny-cross" }));
});

describe("a logit", () => {
  const words = fc.constantFrom("cake", "the", "birthday", "lake", "zebra", "東京", "–", "ü", "don't");
  const texts = fc.array(words, { maxLength: 40 }).map((all) => all.join(" "));

  it("is that of the reference, in each build", async () => {
    const others = await Promise.all(
      (["soft", "scalar"] as const).map(
        async (build) => (await loadCrossEncoder({ model: "tiny-cross", build })).model,
      ),
    );
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const { ids, first } = pairOf(reference, a, b);
        const expected = logit(reference, ids, first);
        for (const each of [model, ...others]) expect(each.score(a, b)).toBe(expected);
      }),
      { numRuns: LONG ? 300 : 15 },
    );
  });

  it("is near to that of the model in floating point, without quantisation", () => {
    for (const [a, b] of [
      ["birthday party", "Balloons, candles and a chocolate cake for the birthday party."],
      ["lake", "We swam, rowed and slept in the cabin."],
      ["", ""],
    ] as const) {
      const { ids, first } = model.tokenizePair(a, b);
      expect(Math.abs(model.score(a, b) - plainLogit([...ids], first))).toBeLessThan(0.01);
    }
  });

  it("depends on which text is the query, and on the types of tokens", () => {
    const { ids, first } = model.tokenizePair("cake", "party");
    expect(model.score("cake", "party")).not.toBe(model.score("party", "cake"));
    expect(model.scoreIds(ids, ids.length)).not.toBe(model.scoreIds(ids, first));
  });

  it("is refused for ids that no pair can have", () => {
    for (const ids of [[], [manifest.vocabulary], new Array(manifest.limit + 1).fill(1)])
      expect(() => model.scoreIds(ids, 1)).toThrow(
        expect.objectContaining({ code: "BAD_ARGUMENT" }) as unknown as Error,
      );
  });
});

describe("files", () => {
  it("of the wrong kind of model are refused with the reason", async () => {
    await expect(loadCrossEncoder({ model: "tiny" })).rejects.toMatchObject({ code: "BAD_MODEL" });
    await expect(loadModel({ model: "tiny-cross" })).rejects.toMatchObject({ code: "BAD_MODEL" });
    const other = (change: object) =>
      loadCrossEncoder({ model: { ...manifest, ...change } as ModelManifest, files: filesOf(weights) });
    await expect(other({ pooling: "mean" })).rejects.toThrow(/pooling to be "cls"/);
    await expect(other({ head: "generator" })).rejects.toThrow(/head to be "classifier"/);
    await expect(other({ types: 1 })).rejects.toThrow(/types to be at least 2/);
    await expect(other({ limit: 4 })).rejects.toThrow(/limit to be at least 5/);
  });

  it("without the head, with several labels or with a NaN in it are refused", async () => {
    const load = (bytes: Uint8Array) =>
      loadCrossEncoder({
        model: {
          ...manifest,
          files: { ...manifest.files, weights: { path: "w", bytes: bytes.length, sha256: sha256(bytes) } },
        },
        files: filesOf(bytes),
      });
    const encoder = { ...tinyManifest, head: "classifier", pooling: "cls" } as ModelManifest;
    await expect(loadCrossEncoder({ model: encoder, files: tinyFiles })).rejects.toThrow(
      /expected tensor bert\.pooler\.dense\.weight/,
    );
    const { readSafetensors } = await import("#dist/model/safetensors.js");
    const tensors = readSafetensors(weights, "tiny-cross");
    const changed = (name: string, shape: number[], bytes: Uint8Array) =>
      load(writeSafetensors(new Map([...tensors, [name, { dtype: "F16", shape, bytes }]])));
    await expect(changed("classifier.bias", [2], new Uint8Array(4))).rejects.toThrow(/classifier\.bias as/);
    await expect(changed("classifier.bias", [1], Uint8Array.of(0, 0x7e))).rejects.toThrow(/a NaN/);
    await expect(changed("classifier.weight", [1, 32], new Uint8Array(64).fill(0xff))).rejects.toThrow(/NaN/);
    await expect(load(weights)).resolves.toBeDefined();
  });
});

function filesOf(bytes: Uint8Array) {
  return { weights: bytes, tokenizer: tinyFiles.tokenizer };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** BERT with a classifier as papers and libraries define it, in binary64 with the host's functions. */
function plainLogit(ids: readonly number[], first: number): number {
  const tensors = readTensors(weights);
  const { hidden: H, heads, layers, layerNormEps } = manifest;
  const take = (name: string): Float32Array => tensors.get(name)!.values;
  type Rows = number[][];
  const norm = (rows: Rows, name: string): Rows =>
    rows.map((row) => {
      const mean = row.reduce((a, b) => a + b) / H;
      const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / H;
      const [gamma, beta] = [take(`${name}.weight`), take(`${name}.bias`)];
      return row.map((v, i) => ((v - mean) / Math.sqrt(variance + layerNormEps)) * gamma[i]! + beta[i]!);
    });
  const linear = (rows: Rows, name: string): Rows => {
    const [matrix, bias] = [take(`${name}.weight`), take(`${name}.bias`)];
    return rows.map((row) =>
      Array.from(bias, (b, o) => row.reduce((sum, v, i) => sum + v * matrix[o * row.length + i]!, b)),
    );
  };
  const added = (a: Rows, b: Rows): Rows => a.map((row, t) => row.map((v, i) => v + b[t]![i]!));
  const at = (name: string, row: number) => take(name).subarray(row * H, (row + 1) * H);
  let x = norm(
    ids.map((id, t) => {
      const word = at("embeddings.word_embeddings.weight", id);
      const [type, position] = [
        at("embeddings.token_type_embeddings.weight", t < first ? 0 : 1),
        at("embeddings.position_embeddings.weight", t),
      ];
      return Array.from(word, (v, i) => v + type[i]! + position[i]!);
    }),
    "embeddings.LayerNorm",
  );
  const D = H / heads;
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`;
    const [q, k, v] = ["query", "key", "value"].map((part) => linear(x, `${name}.attention.self.${part}`));
    const context = x.map((_, i) =>
      Array.from({ length: H }, (_each, c) => {
        const from = Math.floor(c / D) * D;
        const scores = x.map((_row, j) => {
          let sum = 0;
          for (let d = from; d < from + D; d++) sum += q![i]![d]! * k![j]![d]!;
          return Math.exp(sum / Math.sqrt(D));
        });
        const total = scores.reduce((a, b) => a + b);
        return scores.reduce((sum, p, j) => sum + (p / total) * v![j]![c]!, 0);
      }),
    );
    x = norm(
      added(linear(context, `${name}.attention.output.dense`), x),
      `${name}.attention.output.LayerNorm`,
    );
    const u = linear(x, `${name}.intermediate.dense`).map((row) => row.map(gelu));
    x = norm(added(linear(u, `${name}.output.dense`), x), `${name}.output.LayerNorm`);
  }
  const pooled = linear([x[0]!], "pooler.dense").map((row) => row.map(Math.tanh));
  return linear(pooled, "classifier")[0]![0]!;
}

/** With erf by its series, since no host has it. */
function gelu(x: number): number {
  const z = x / Math.SQRT2;
  let [term, sum] = [z, z];
  for (let n = 1; n < 200; n++) {
    term *= (-z * z) / n;
    sum += term / (2 * n + 1);
  }
  const erf = Math.abs(z) > 5 ? Math.sign(z) : (2 / Math.sqrt(Math.PI)) * sum;
  return (x / 2) * (1 + erf);
}
