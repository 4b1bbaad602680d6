import { hidden } from "../model/config";
import { forward } from "../model/forward";
import { x, y } from "../model/state";
import { l2_normalise } from "./normalise";
import { mean_pool } from "./pool";
import { f32_to_i16_near_even } from "./quantise";

/** out (hidden) i16 = the embedding of ids (n) i32. Returns 0, IDS_REFUSED or NON_FINITE. SPEC §9 */
export function embed(out: usize, ids: usize, n: i32): i32 {
  let code = forward(ids, n, n);
  if (code != 0) return code;
  mean_pool(y, x, n, hidden);
  code = l2_normalise(y, hidden);
  if (code != 0) return code;
  f32_to_i16_near_even(out, y, hidden);
  return 0;
}
