import { add, div, from_i32, real_from_bits } from "../arith/real";

/** out (hidden) = the mean of x (n, hidden): t ascending, one accumulator per channel, no fma. SPEC §9.1 */
export function mean_pool(out: usize, x: usize, n: i32, hidden: i32): void {
  const count = from_i32(n);
  for (let c = 0; c < hidden; c++) {
    let sum = real_from_bits(0);
    for (let t = 0; t < n; t++) sum = add(sum, load<real>(x + ((t * hidden + c) << 2)));
    store<real>(out + (c << 2), div(sum, count));
  }
}
