/** Vectors of SPEC §2: edges with edges, and pairs of every kind that the tests draw from. */
import { OPERATIONS } from "./operation.ts";
import { EDGES, edgePairs, fillPairs } from "./pairs.ts";
import { selfTest } from "./self-test.ts";

const hex = (bits: number): string => bits.toString(16).padStart(8, "0");

/** Edges take every 31st pair of the 8,100 there are; 31 is prime to 90, so each edge meets many others. */
const EVERY = 31;
const DRAWN = 128;

export function generate() {
  const a = new Uint32Array(DRAWN);
  const b = new Uint32Array(DRAWN);
  fillPairs(a, b, 2);
  const pairs = [
    ...edgePairs().filter((_, i) => i % EVERY === 0),
    ...Array.from(a, (bits, i): [number, number] => [bits, b[i]!]),
  ];
  const operands = [...EDGES, ...a];
  return {
    _comment:
      "Operations on binary32 bit patterns: `in` are the operands, `out` is the result, all as 8 hexadecimal digits of a 32-bit word. Comparisons give 00000000 or 00000001, conversions to i32 two's complement. self_test is the digest of SPEC §2.14.",
    spec: "SPEC §2",
    parameters: { nan: "7fc00000", self_test: hex(selfTest()) },
    cases: OPERATIONS.filter(({ name }) => name !== "f32_exp" && name !== "f32_erf").flatMap(
      ({ name, operands: count, apply }) =>
        count === 2
          ? pairs.map(([x, y]) => ({ operation: name, in: `${hex(x)} ${hex(y)}`, out: hex(apply(x, y)) }))
          : operands.map((x) => ({ operation: name, in: hex(x), out: hex(apply(x, 0)) })),
    ),
  };
}
