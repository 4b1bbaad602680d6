/** As `f32_value_key`, but −0 stands before +0: all that minimum and maximum need. SPEC §2.9 */
export function f32_total_key(a: u32): i32 {
  return <i32>a ^ <i32>(<u32>(<i32>a >> 31) >> 1);
}
