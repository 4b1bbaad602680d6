/** exp, erf and every operation of one operand, all through the range of bits. SPEC §3, §2 */
import { describe, expect, it } from "vitest";
import { checkFunctions } from "#dist/conformance/functions.js";
import vectors from "../../test-vectors/functions.json" with { type: "json" };
import { floatOf } from "../reference/arith.ts";
import { f32Erf, f32Exp } from "../reference/functions.ts";
import { generate } from "../reference/functions.vectors.ts";
import { OPERATIONS } from "../reference/operation.ts";
import { trueErf, trueExp, ulps } from "../reference/truth.ts";
import { BUILDS, loadBuild } from "./engines.ts";

/** Prime to 2^32, so that every exponent and the last bits of fractions are all met. */
const STEP = 4099;
const COUNT = Math.ceil(2 ** 32 / STEP);

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");
const unary = OPERATIONS.map((operation, number) => ({ ...operation, number })).filter(
  ({ operands }) => operands === 1,
);

describe.each(BUILDS)("the build %s", (build) => {
  const engine = loadBuild(build);
  const [input, output] = [engine.alloc(COUNT * 4), engine.alloc(COUNT * 4)];
  const words = new Uint32Array(engine.exports.memory.buffer);
  for (let i = 0; i < COUNT; i++) words[input / 4 + i] = i * STEP;

  it.each(unary)(
    `$name agrees with the reference on every ${STEP}th bit pattern`,
    ({ name, number, apply }) => {
      expect(engine.exports.f32_many(number, output, input, input, COUNT)).toBe(0);
      const alone: (a: number, b: number) => number = engine.exports[name];
      for (let i = 0; i < COUNT; i++) {
        const bits = words[input / 4 + i]!;
        const expected = apply(bits, 0);
        const got = words[output / 4 + i]!;
        if (got !== expected || alone(bits, 0) >>> 0 !== expected) {
          expect.fail(
            `expected ${name}(${hex(bits)}) to be ${hex(expected)}, got ${hex(got)}, ${hex(alone(bits, 0))}`,
          );
        }
      }
    },
  );

  it("passes its vectors", () => {
    const outcome = checkFunctions(engine, vectors);
    expect(outcome.firstMismatch).toBeNull();
    expect(outcome.passed).toBe(outcome.cases);
    expect(outcome.cases).toBe(vectors.cases.length);
  });
});

describe("the error", () => {
  /** The largest error over `count` bit patterns from `first` on, both signs. */
  function worst(
    f: (bits: number) => number,
    truth: (x: number) => number,
    first: number,
    last: number,
    step: number,
  ): number {
    let most = 0;
    for (let bits = first; bits <= last; bits += step) {
      for (const signed of [bits, bits | 0x80000000]) {
        most = Math.max(most, ulps(floatOf(f(signed)), truth(floatOf(signed))));
      }
    }
    return most;
  }

  it("of exp is what SPEC §3.1 states: 0.99 ULP at most", () => {
    const error = worst(f32Exp, trueExp, 0x33000000, 0x42d20000, 251);
    expect(error).toBeLessThanOrEqual(0.99);
    expect(error).toBeGreaterThan(0.9);
  });

  it("of erf is what SPEC §3.2 states: 1.51 ULP at most", () => {
    const error = worst(f32Erf, trueErf, 0x38000000, 0x40800000, 251);
    expect(error).toBeLessThanOrEqual(1.51);
    expect(error).toBeGreaterThan(1.4);
    expect(worst(f32Erf, trueErf, 0x00000001, 0x38000000, 4099)).toBeLessThanOrEqual(1.51);
  });

  it("of neither breaks a bound of the function: exp ≥ 0, |erf| ≤ 1, ends exact", () => {
    expect(hex(f32Exp(0x7f800000))).toBe("7f800000");
    expect(hex(f32Exp(0xff800000))).toBe("00000000");
    expect(hex(f32Exp(0x80000000))).toBe("3f800000");
    expect(hex(f32Erf(0x80000000))).toBe("80000000");
    expect(hex(f32Erf(0xff800000))).toBe("bf800000");
    let highest = 0;
    for (let bits = 0; bits < 0x7f800000; bits += STEP) highest = Math.max(highest, f32Erf(bits));
    expect(hex(highest)).toBe("3f800000");
  });
});

it("the committed vectors are those of the reference", () => {
  expect(generate()).toEqual(vectors);
});
