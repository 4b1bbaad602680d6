import { add, mul, real_from_bits } from "../arith/real";

/**
 * The only sum in binary32: element i goes to accumulator i mod 4, i ascending, then (s0+s1)+(s2+s3), no fma.
 * SPEC §7
 */
export function sum4(x: usize, n: i32): real {
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      let lanes = f32x4.splat(0);
      const whole = n & ~3;
      for (let i = 0; i < whole; i += 4) lanes = f32x4.add(lanes, v128.load(x + (i << 2)));
      for (let i = whole; i < n; i++) lanes = add_to_lane(lanes, i & 3, <f32>load<real>(x + (i << 2)));
      return fold(lanes);
    }
  }
  let s0 = real_from_bits(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 = add(s0, load<real>(x + (i << 2)));
    s1 = add(s1, load<real>(x + (i << 2), 4));
    s2 = add(s2, load<real>(x + (i << 2), 8));
    s3 = add(s3, load<real>(x + (i << 2), 12));
  }
  if (i < n) s0 = add(s0, load<real>(x + (i << 2)));
  if (i + 1 < n) s1 = add(s1, load<real>(x + (i << 2), 4));
  if (i + 2 < n) s2 = add(s2, load<real>(x + (i << 2), 8));
  return add(add(s0, s1), add(s2, s3));
}

/** Returns sum4 of the squares mul(xᵢ, xᵢ). */
export function sum4_squares(x: usize, n: i32): real {
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      let lanes = f32x4.splat(0);
      const whole = n & ~3;
      for (let i = 0; i < whole; i += 4) {
        const v = v128.load(x + (i << 2));
        lanes = f32x4.add(lanes, f32x4.mul(v, v));
      }
      for (let i = whole; i < n; i++) {
        const v = <f32>load<real>(x + (i << 2));
        lanes = add_to_lane(lanes, i & 3, v * v);
      }
      return fold(lanes);
    }
  }
  let s0 = real_from_bits(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 = add(s0, square(x + (i << 2)));
    s1 = add(s1, square(x + (i << 2) + 4));
    s2 = add(s2, square(x + (i << 2) + 8));
    s3 = add(s3, square(x + (i << 2) + 12));
  }
  if (i < n) s0 = add(s0, square(x + (i << 2)));
  if (i + 1 < n) s1 = add(s1, square(x + (i << 2) + 4));
  if (i + 2 < n) s2 = add(s2, square(x + (i << 2) + 8));
  return add(add(s0, s1), add(s2, s3));
}

function square(x: usize): real {
  const v = load<real>(x);
  return mul(v, v);
}

function add_to_lane(lanes: v128, lane: i32, v: f32): v128 {
  if (lane == 0) return f32x4.replace_lane(lanes, 0, f32x4.extract_lane(lanes, 0) + v);
  if (lane == 1) return f32x4.replace_lane(lanes, 1, f32x4.extract_lane(lanes, 1) + v);
  return f32x4.replace_lane(lanes, 2, f32x4.extract_lane(lanes, 2) + v);
}

function fold(lanes: v128): real {
  return add(
    add(<real>f32x4.extract_lane(lanes, 0), <real>f32x4.extract_lane(lanes, 1)),
    add(<real>f32x4.extract_lane(lanes, 2), <real>f32x4.extract_lane(lanes, 3)),
  );
}
