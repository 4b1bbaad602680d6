import { f32_is_nan } from "./f32_is_nan";
import { F32_INFINITY, F32_MAGNITUDE, F32_NAN, F32_SIGN } from "./f32_parts";
import { f32_round_pack } from "./f32_round_pack";
import { f32_unpack } from "./f32_unpack";

/** √a; √−0 is −0, and of any other negative number there is none. SPEC §2.6 */
export function f32_sqrt(a: u32): u32 {
  if ((a & F32_MAGNITUDE) == 0) return a;
  if (f32_is_nan(a) || (a & F32_SIGN) != 0) return F32_NAN;
  if (a == F32_INFINITY) return a;

  const parts = f32_unpack(a);
  const unbiased = <i32>(parts >> 32) - 127;
  const odd = unbiased & 1;
  // The radicand in [2^50, 2^52) has a root in [2^25, 2^26): 24 bits, one for rounding, one to spare.
  let rest = (<u64>(<u32>parts)) << (27 + <u64>odd);
  let root: u64 = 0;
  // Digit by digit from bit 25: each step tries one bit of the root. Called once per row, so plain beats quick.
  for (let bit: u64 = (<u64>1) << 50; bit != 0; bit >>= 2) {
    const trial = root + bit;
    const fits = rest >= trial;
    rest = select(rest - trial, rest, fits);
    root = select((root >> 1) + bit, root >> 1, fits);
  }
  const sticky = <u64>(rest != 0);
  return f32_round_pack(0, ((unbiased - odd) >> 1) + 127, ((root << 1) | sticky) << 36);
}
