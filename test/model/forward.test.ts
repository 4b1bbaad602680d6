import { BUILDS, loadEngine, loadModel } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { checkForward } from "#dist/conformance/forward.js";
import vectors from "../../test-vectors/forward.json" with { type: "json" };

const long = import.meta.env.MODE === "long";

describe.each(BUILDS)("the forward pass of the build %s", (build) => {
  // MiniLM's first 8 are short texts; `scalar` takes seconds on the long ones.
  it.each([
    ["tiny", Number.POSITIVE_INFINITY],
    ["all-MiniLM-L6-v2", long ? Number.POSITIVE_INFINITY : 8],
  ])("passes the vectors of %s", async (name, count) => {
    const { engine } = await loadEngine({ build });
    const { model } = await loadModel({ build, model: name });
    const outcome = checkForward(engine, name, model, vectors, count);
    const cases = Math.min(count, vectors.cases.filter(({ model }) => model === name).length);
    expect(outcome).toMatchObject({ cases, passed: cases, firstMismatch: null });
  });
});

describe("the runner", () => {
  it("names the first layer that differs", async () => {
    const { engine } = await loadEngine({ build: "simd" });
    const { model } = await loadModel({ build: "simd", model: "tiny" });
    const wrong = structuredClone(vectors);
    const states = wrong.cases[0]!.states!;
    states[1] = states[1]!.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16));
    expect(checkForward(engine, "tiny", model, wrong).firstMismatch).toMatchObject({ what: "layer 1" });
  });
});
