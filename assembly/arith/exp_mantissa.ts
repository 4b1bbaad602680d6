import { constant, ONE } from "./constant";
import { EXP_LN2_HIGH, EXP_LN2_LOW, EXP_Q0, EXP_Q1, EXP_Q2, EXP_Q3, EXP_Q4 } from "./exp_constants";
import { add, from_i32, mul, sub } from "./real";

/** e^(x − n·ln2), in [0.70, 1.42], for the n nearest to x·log2e: a normal number. SPEC §3.1 */
export function exp_mantissa(x: real, n: i32): real {
  const k = from_i32(n);
  const r = sub(sub(x, mul(k, constant(EXP_LN2_HIGH))), mul(k, constant(EXP_LN2_LOW)));
  let q = add(mul(constant(EXP_Q4), r), constant(EXP_Q3));
  q = add(mul(q, r), constant(EXP_Q2));
  q = add(mul(q, r), constant(EXP_Q1));
  q = add(mul(q, r), constant(EXP_Q0));
  return add(constant(ONE), add(r, mul(mul(r, r), q)));
}
