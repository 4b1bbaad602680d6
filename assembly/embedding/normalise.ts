import { div, eq, real_from_bits, sqrt } from "../arith/real";
import { NON_FINITE } from "../codes";
import { is_finite } from "../kernels/quantise";
import { sum4_squares } from "../kernels/sum4";

/** x (n) divided by its length, in place; zero stays zero. Returns 0 or NON_FINITE. SPEC §9.2 */
export function l2_normalise(x: usize, n: i32): i32 {
  const norm = sqrt(sum4_squares(x, n));
  if (!is_finite(norm)) return NON_FINITE;
  const zero = real_from_bits(0);
  const is_zero = eq(norm, zero);
  for (let i = 0; i < n; i++) {
    const at = x + (i << 2);
    store<real>(at, is_zero ? zero : div(load<real>(at), norm));
  }
  return 0;
}
