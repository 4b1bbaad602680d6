/** Vectors of SPEC §3: edges, both sides of every bound, an even walk through all bits, and the range where it matters. */
import { bitsOf } from "./arith.ts";
import { f32Erf, f32Exp } from "./functions.ts";
import { EDGES } from "./pairs.ts";

const hex = (bits: number): string => bits.toString(16).padStart(8, "0");
/** Where a function changes its way: clamps, overflow, first subnormal, last nonzero; split and saturation. */
const BOUNDS = {
  f32_exp: [-105, -104, -103.97208, -103.27893, -87.33655, -0.34657359, 0.34657359, 88.72283, 89],
  f32_erf: [0.9375, 3.8325, 3.92, 3.9375],
};

/** A number, its two neighbours, and the same with the other sign. */
const around = (x: number): number[] =>
  [-1, 0, 1].flatMap((step) => [bitsOf(x) + step, ((bitsOf(x) + step) ^ 0x80000000) >>> 0]);

/** 256 bit patterns over the whole range, and 512 numbers from −span to span, none of them round. */
function inputs(bounds: readonly number[], span: number): number[] {
  const walk = Array.from({ length: 256 }, (_, i) => (i * 0x00ff_fe27) >>> 0);
  const range = Array.from({ length: 512 }, (_, i) => bitsOf(((i - 255.7) / 256) * span));
  return [...EDGES, ...bounds.flatMap(around), ...walk, ...range];
}

export function generate() {
  const exp = inputs(BOUNDS.f32_exp, 104.5).map((x) => ["f32_exp", x, f32Exp(x)] as const);
  const erf = inputs(BOUNDS.f32_erf, 4.1).map((x) => ["f32_erf", x, f32Erf(x)] as const);
  return {
    _comment:
      "exp and erf on binary32 bit patterns: `in` is the argument, `out` the result, as 8 hexadecimal digits of a 32-bit word.",
    spec: "SPEC §3",
    parameters: { nan: "7fc00000" },
    cases: [...exp, ...erf].map(([operation, x, y]) => ({ operation, in: hex(x), out: hex(y) })),
  };
}
