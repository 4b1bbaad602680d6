import { NON_FINITE, NOT_ADMITTED } from "../codes";
import { l2_normalise } from "../embedding/normalise";
import { f32_to_i16_near_even } from "../embedding/quantise";
import { is_admitted } from "./dot";

/**
 * out (n) i16 = the vector of the given binary32 numbers x (n), which are replaced by their unit vector. n is a multiple
 * of 8 up to 4,096. Returns 0, NON_FINITE, or NOT_ADMITTED if the squares of x are too small to add up. SPEC §9.6
 */
export function vector_of_f32(out: usize, x: usize, n: i32): i32 {
  if (l2_normalise(x, n) != 0) return NON_FINITE;
  f32_to_i16_near_even(out, x, n);
  return is_admitted(out, (<usize>n) << 1) ? 0 : NOT_ADMITTED;
}
