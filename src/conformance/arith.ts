import type { Engine } from "../engine/engine.ts";
import { type Outcome, Tally } from "./outcome.ts";

/**
 * One operation of test-vectors/arith.json or test-vectors/functions.json. Words are written as 8 hexadecimal digits.
 */
export interface OperationCase {
  readonly operation: string;
  readonly in: string;
  readonly out: string;
}

export interface ArithVectors {
  readonly parameters: { readonly self_test: string };
  readonly cases: readonly OperationCase[];
}

/** SPEC §2 */
export function checkArith(engine: Engine, vectors: ArithVectors): Outcome {
  const tally = new Tally("arith");
  checkOperations(engine, vectors.cases, tally);
  tally.record("self_test", [
    ["digest", vectors.parameters.self_test, wordToHex(engine.exports.self_test())],
  ]);
  return tally.outcome();
}

/**
 * Checks each case with the export of its name and with `f32_many`, which uses SIMD lanes if the build has them.
 * SPEC §2.13
 */
export function checkOperations(engine: Engine, cases: readonly OperationCase[], tally: Tally): void {
  const byLanes = manyOf(engine, cases);
  cases.forEach((each, i) => {
    const name = NUMBERS.find((known) => known === each.operation);
    const got = name === undefined ? "no such operation" : wordToHex(apply(engine, name, operandsOf(each)));
    tally.record(`${each.operation}(${each.in})`, [
      ["bits", each.out, got],
      ["bits by f32_many", each.out, byLanes[i]!],
    ]);
  });
}

/** The operations in the order of their numbers. SPEC §2.13 */
const NUMBERS = [
  "f32_add",
  "f32_sub",
  "f32_mul",
  "f32_div",
  "f32_sqrt",
  "f32_neg",
  "f32_abs",
  "f32_min",
  "f32_max",
  "f32_eq",
  "f32_lt",
  "f32_le",
  "f32_from_i32",
  "f32_from_u32",
  "f32_to_i32_near_even",
  "f32_to_i32_trunc",
  "f32_from_f16",
  "f32_exp",
  "f32_erf",
] as const;
type Name = (typeof NUMBERS)[number];

function apply(engine: Engine, name: Name, operands: readonly number[]): number {
  const operation: (...operands: number[]) => number = engine.exports[name];
  return operation(...operands);
}

/** The byte offsets of the four words of a vector. */
const LANES = [0, 4, 8, 12];

/** Computes each case four times at once, so that every lane is tested. If lanes differ, all are shown. */
function manyOf(engine: Engine, cases: readonly OperationCase[]): string[] {
  return engine.scope(() => {
    const [out, a, b] = [engine.alloc(16), engine.alloc(16), engine.alloc(16)];
    const view = new DataView(engine.exports.memory.buffer);
    return cases.map((each) => {
      const [left = 0, right = 0] = operandsOf(each);
      for (const lane of LANES) {
        view.setUint32(a + lane, left, true);
        view.setUint32(b + lane, right, true);
      }
      engine.exports.f32_many(NUMBERS.indexOf(each.operation as Name), out, a, b, 4);
      const lanes = LANES.map((lane) => wordToHex(view.getUint32(out + lane, true)));
      return lanes.every((lane) => lane === lanes[0]) ? lanes[0]! : lanes.join(" ");
    });
  });
}

function operandsOf({ in: operands }: OperationCase): number[] {
  return operands.split(" ").map((word) => Number.parseInt(word, 16));
}

function wordToHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
