/** exp and erf as SPEC §3 writes them down: one Math.fround per operation. Bit patterns in and out. */
import { bitsOf, floatOf, nearEven } from "./arith.ts";

const f = Math.fround;
const constants = (...bits: number[]): number[] => bits.map(floatOf);

/** SPEC §3.1 */
const LOG2E = floatOf(0x3fb8aa3b);
const LN2_HIGH = floatOf(0x3f317200);
const LN2_LOW = floatOf(0x35bfbe8e);
const Q = constants(0x3efffffe, 0x3e2aaa46, 0x3d2aac2c, 0x3c091eef, 0x3ab56370);

/** SPEC §3.2 */
const S = constants(0x3e0375d3, 0xbec0936e, 0x3de70c2b, 0xbcdb34c7, 0x3ba33547, 0xba1b5541);
const G = constants(0xbb0d1047, 0xbf8f4283, 0xbf26f039, 0xbdb8ba2c, 0x3c7a5618, 0xba9f0116);

/** c0 + x·(c1 + x·(c2 + …)), from the innermost out, each product and each sum rounded. */
function horner(c: readonly number[], x: number): number {
  let y = c[c.length - 1]!;
  for (let k = c.length - 2; k >= 0; k--) y = f(f(y * x) + c[k]!);
  return y;
}

function exp(x: number): number {
  const clamped = Math.min(Math.max(x, -105), 89);
  if (Number.isNaN(clamped)) return clamped;
  const n = nearEven(f(clamped * LOG2E));
  const r = f(f(clamped - f(n * LN2_HIGH)) - f(n * LN2_LOW));
  const mantissa = f(1 + f(r + f(f(r * r) * horner(Q, r))));
  const half = Math.floor(n / 2);
  return f(f(mantissa * 2 ** half) * 2 ** (n - half));
}

function erf(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 0.9375) return f(x + f(x * horner(S, f(x * x))));
  const large = f(1 - exp(horner(G, Math.min(magnitude, 3.9375))));
  return x < 0 ? -large : large;
}

export const f32Exp = (a: number): number => bitsOf(exp(floatOf(a)));
export const f32Erf = (a: number): number => bitsOf(erf(floatOf(a)));
