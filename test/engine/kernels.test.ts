import { BUILDS, loadEngine } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { checkKernels, type KernelVectors } from "#dist/conformance/kernels.js";
import vectors from "../../test-vectors/kernels.json" with { type: "json" };

describe.each(BUILDS)("kernels of the build %s", (build) => {
  it("pass the vectors", async () => {
    const { engine } = await loadEngine({ build });
    expect(checkKernels(engine, vectors as KernelVectors)).toMatchObject({
      cases: vectors.cases.length + vectors.invalid.length,
      passed: vectors.cases.length + vectors.invalid.length,
      firstMismatch: null,
    });
  });
});

describe("the runner", () => {
  it("finds one wrong bit, of every kernel", async () => {
    const { engine } = await loadEngine({ build: "simd" });
    const results = {
      quantise: "q",
      weights: "scales",
      matmul: "acc",
      layernorm: "out",
      softmax: "p",
      gelu: "out",
    };
    for (const [kernel, field] of Object.entries(results)) {
      const wrong = structuredClone(vectors) as { cases: Record<string, string>[] };
      const changed = wrong.cases.filter((each) => each["kernel"] === kernel).at(-1)!;
      const last = changed[field]!.slice(-1);
      changed[field] = changed[field]!.slice(0, -1) + (Number.parseInt(last, 16) ^ 1).toString(16);
      const { firstMismatch } = checkKernels(engine, wrong as unknown as KernelVectors);
      expect(firstMismatch).toMatchObject({ case: `${kernel}: ${changed["name"]}`, what: field });
    }
  });
});
