// What can be said of the reference without any engine: that it gives the committed files again, and that what SPEC promises
// of its numbers holds.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTinyCrossEncoder } from "../../scripts/make-tiny-cross-encoder.ts";
import { makeTinyModel } from "../../scripts/make-tiny-model.ts";
import classifierVectors from "../../test-vectors/classifier.json" with { type: "json" };
import forwardVectors from "../../test-vectors/forward.json" with { type: "json" };
import kernelVectors from "../../test-vectors/kernels.json" with { type: "json" };
import { generate as generateClassifier } from "../reference/classifier.vectors.ts";
import { pool, quantiseVector, unit } from "../reference/embedding.ts";
import { miniLmCase, tinyCases } from "../reference/forward.vectors.ts";
import * as kernels from "../reference/kernels.ts";
import { generate as generateKernels } from "../reference/kernels.vectors.ts";
import { openModel } from "../reference/manifest.ts";
import type { Model } from "../reference/model.ts";

const long = import.meta.env.MODE === "long";
const I32_MAX = 2 ** 31 - 1;
const models = { tiny: openModel("tiny").model, "all-MiniLM-L6-v2": openModel("all-MiniLM-L6-v2").model };
const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
const rows = fc.float32Array({ noNaN: true, noDefaultInfinity: true, minLength: 1, maxLength: 70 });

describe("the committed files", () => {
  it("of a suite that there is not are not written, and the suites are named", () => {
    const generator = fileURLToPath(new URL("../reference/generate.ts", import.meta.url));
    const args = ["--import", "tsx", generator, "dot", "nope"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^expected a suite, got nope\. There are arith, .*, tokenizer\n$/);
  });

  it("models/tiny comes from its generator", () => {
    for (const [path, bytes] of makeTinyModel()) {
      const committed = new Uint8Array(readFileSync(new URL(`../../models/${path}`, import.meta.url)));
      expect(bytes, path).toEqual(committed);
    }
  });

  it("models/tiny-cross comes from its generator, and classifier.json from the reference", () => {
    for (const [path, bytes] of makeTinyCrossEncoder()) {
      const committed = new Uint8Array(readFileSync(new URL(`../../models/${path}`, import.meta.url)));
      expect(bytes, path).toEqual(committed);
    }
    expect(generateClassifier()).toEqual(classifierVectors);
  });

  it("kernels.json comes from the reference", () => {
    expect(generateKernels()).toEqual(kernelVectors);
  });

  it("forward.json comes from the reference", () => {
    expect(tinyCases()).toEqual(forwardVectors.cases.filter(({ model }) => model === "tiny"));
    const miniLm = forwardVectors.cases.filter(({ model }) => model !== "tiny");
    for (const committed of miniLm.slice(0, long ? undefined : 2)) {
      expect(miniLmCase(models["all-MiniLM-L6-v2"], committed.ids.split(" ").map(Number))).toEqual(committed);
    }
  });
});

describe("quantised rows (SPEC §7.1)", () => {
  it("stay within their levels and within half a step of the value", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 32767 }), (x, levels) => {
        const { q, scale } = kernels.quantiseRow(x, levels);
        for (const [i, value] of x.entries()) {
          expect(Math.abs(q[i]!)).toBeLessThanOrEqual(levels);
          // Beside the half step: two roundings of the gain and the product, one of the scale.
          if (scale > 0)
            expect(Math.abs(value - q[i]! * scale)).toBeLessThanOrEqual(scale * (0.5 + levels * 2 ** -21));
        }
      }),
      { numRuns: long ? 20_000 : 2_000 },
    );
  });
});

/** Every quantised matrix of a model. */
function matrices(model: Model): [name: string, matrix: kernels.WeightMatrix][] {
  return model.layer.flatMap((layer, index) =>
    (["queryKeyValue", "attentionOutput", "intermediate", "output"] as const).map(
      (name): [string, kernels.WeightMatrix] => [`layer ${index} ${name}`, layer[name].weight],
    ),
  );
}

describe.each(Object.entries(models))("the bound of i32 (SPEC §7.2), %s", (_, model) => {
  it("holds for the worst activations of every row, and is tight", () => {
    for (const [name, { rows: N, columns: K, q, levels }] of matrices(model)) {
      let worst = 0;
      for (let n = 0; n < N; n++) {
        const row = q.subarray(n * K, (n + 1) * K);
        const adversary = row.map((weight) => levels * Math.sign(weight));
        worst = Math.max(worst, kernels.dot(adversary, 0, row, 0, K));
        expect(
          kernels.dot(
            adversary.map((value) => -value),
            0,
            row,
            0,
            K,
          ),
        ).toBeGreaterThanOrEqual(-I32_MAX);
      }
      expect(worst, name).toBeLessThanOrEqual(I32_MAX);
      if (levels < 32767) expect((worst / levels) * (levels + 1), name).toBeGreaterThan(I32_MAX);
      expect(levels, name).toBeGreaterThanOrEqual(1023);
    }
  });
});

describe("matrix products (SPEC §7.3)", () => {
  it("refuse a sum outside of i32, so that no vector can hold one", () => {
    const a = new Int16Array(34).fill(32767);
    expect(() => kernels.dot(a, 0, new Int16Array(34).fill(2047), 0, 34)).toThrow("expected a sum in i32");
  });
});

describe("softmax (SPEC §7.6)", () => {
  it("has the largest levels whose sums fit", () => {
    for (let n = 1; n <= 512; n++) {
      const levels = kernels.probabilityLevels(n);
      expect(n * levels ** 2).toBeLessThanOrEqual(I32_MAX);
      if (levels < 32767) expect(n * (levels + 1) ** 2).toBeGreaterThan(I32_MAX);
    }
  });

  it("gives L to the largest score, sums exactly and is close to softmax", () => {
    const scores = fc.array(fc.float({ min: -20, max: 20, noNaN: true }), { minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(scores, (values) => {
        const { p, sum } = kernels.softmax(Float32Array.from(values));
        const levels = kernels.probabilityLevels(values.length);
        const max = Math.max(...values);
        const total = values.reduce((all, score) => all + Math.exp(score - max), 0);
        for (const [j, score] of values.entries()) {
          if (score === max) expect(p[j]).toBe(levels);
          expect(Math.abs(p[j]! / sum - Math.exp(score - max) / total)).toBeLessThan(values.length / levels);
        }
        expect(p.reduce((all, value) => all + value, 0)).toBe(sum);
      }),
      { numRuns: long ? 20_000 : 2_000 },
    );
  });
});

describe("LayerNorm and GELU (SPEC §7.5, §7.7)", () => {
  it("LayerNorm has mean 0 and variance 1 before gamma and beta", () => {
    const x = fc.float32Array({ noNaN: true, min: -100, max: 100, minLength: 8, maxLength: 64 });
    fc.assert(
      fc.property(x, (values) => {
        const n = values.length;
        const ones = new Float32Array(n).fill(1);
        const mean = values.reduce((all, value) => all + value / n, 0);
        const variance = values.reduce((all, value) => all + (value - mean) ** 2 / n, 0);
        fc.pre(variance > 1e-3);
        const out = kernels.layerNorm(values, ones, new Float32Array(n), Math.fround(1e-12));
        for (const [i, value] of values.entries()) {
          expect(Math.abs(out[i]! - (value - mean) / Math.sqrt(variance))).toBeLessThan(1e-3);
        }
      }),
      { numRuns: long ? 20_000 : 2_000 },
    );
  });

  it("GELU is x for large x, near 0 for large -x, and within its known values", () => {
    // Φ(1) = 0.8413447461, Φ(2) = 0.9772498681, Φ(−1) = 1 − Φ(1)
    expect(kernels.gelu(1)).toBeCloseTo(0.8413447461, 6);
    expect(kernels.gelu(-1)).toBeCloseTo(-0.1586552539, 6);
    expect(kernels.gelu(2)).toBeCloseTo(1.9544997362, 6);
    fc.assert(
      fc.property(finite, (x) => {
        const y = kernels.gelu(x);
        expect(y).toBeGreaterThan(-0.17);
        if (x > 6) expect(y).toBe(x);
        if (x < -6) expect(y).toBe(-0);
      }),
    );
  });
});

describe("embedding (SPEC §9)", () => {
  it("a zero vector stays zero", () => {
    expect(quantiseVector(unit(new Float32Array(8)))).toEqual(new Int16Array(8));
  });

  it("refuses what is not finite, also where squares overflow", () => {
    expect(() => unit(Float32Array.of(1, Number.NaN))).toThrow(kernels.NonFinite);
    expect(() => unit(Float32Array.of(2e19, 0))).toThrow(kernels.NonFinite);
  });

  it("clamps where a norm of few bits makes a unit vector too long", () => {
    const u = unit(Float32Array.of(2 ** -75 * 1.25, 0)); // the square, 1.5625 · 2^-150, rounds to 2^-149
    expect(Math.abs(u[0]!)).toBeLessThan(1);
    const longer = unit(Float32Array.of(2 ** -75 * 1.7, 2 ** -76)); // 2.89 and 0.25 times 2^-150 round to 1 and 0 of 2^-149
    expect(longer[0]!).toBeGreaterThan(1);
    expect(quantiseVector(longer)[0]).toBe(32767);
    expect(quantiseVector(longer.map((value) => -value))[0]).toBe(-32767);
  });

  it("pools each channel alone, tokens ascending", () => {
    // 2^24 + 1 rounds back to 2^24 each time; the other order would keep both ones.
    expect(pool(Float32Array.of(2 ** 24, 1, 1, 2, 1, 3), 2)).toEqual(
      Float32Array.of(Math.fround(2 ** 24 / 3), 2),
    );
  });
});
