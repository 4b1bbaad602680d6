import { F32_INFINITY, F32_MAGNITUDE } from "./f32_parts";

/** Any NaN, of either sign and with any payload. SPEC §2.1 */
export function f32_is_nan(a: u32): bool {
  return (a & F32_MAGNITUDE) > F32_INFINITY;
}
