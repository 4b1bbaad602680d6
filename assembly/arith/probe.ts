/**
 * Runs one operation on given bits, as the kernels would run it. The host checks known answers with it before it trusts
 * a build on this device (src/engine/probe.ts). SPEC §1.4
 *
 * Some devices have correct scalar floats but an f32x4 that flushes subnormals (32-bit ARM), so the build with floats
 * is checked lane by lane as well. The other builds have one arithmetic, which covers every lane.
 */
import {
  add,
  div,
  eq,
  from_i32,
  from_u32,
  le,
  lt,
  max,
  min,
  mul,
  real_from_bits,
  real_to_bits,
  sqrt,
  sub,
  to_i32_near_even,
  to_i32_trunc,
} from "./real";

// The numbers of the operations. OPERATIONS in src/engine/known-answers.ts is the same list; a test compares the two.
const ADD: i32 = 0;
const SUB: i32 = 1;
const MUL: i32 = 2;
const DIV: i32 = 3;
const SQRT: i32 = 4;
const MIN: i32 = 5;
const MAX: i32 = 6;
const MUL_ADD: i32 = 7; // add(mul(a, b), c), two roundings
const EQ: i32 = 8;
const LT: i32 = 9;
const LE: i32 = 10;
const FROM_I32: i32 = 11;
const FROM_U32: i32 = 12;
const TO_I32_NEAR_EVEN: i32 = 13;
const TO_I32_TRUNC: i32 = 14;
const DOT: i32 = 15; // two products of i16 and their sum; a and b hold the low number in their low half

const ONES: u64 = 0x3f800000_3f800000; // 1.0 twice
const LANES_A: usize = memory.data(16, 16);
const LANES_B: usize = memory.data(16, 16);
const LANES_C: usize = memory.data(16, 16);

/**
 * Returns the bits of op(a, b, c), bits in and out. Lane −1 is the plain operation; 0 … 3 is that lane of a vector
 * whose other lanes hold 1.0. NaN is returned as 7fc00000; an unknown op gives 0.
 */
export function probe(op: i32, a: u32, b: u32, c: u32, lane: i32): u32 {
  const result = lane < 0 ? probe_plain(op, a, b, c) : probe_lane(op, a, b, c, lane & 3);
  return op <= MUL_ADD && (result & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : result;
}

function probe_plain(op: i32, a_bits: u32, b_bits: u32, c_bits: u32): u32 {
  const a = real_from_bits(a_bits);
  const b = real_from_bits(b_bits);
  switch (op) {
    case ADD:
      return real_to_bits(add(a, b));
    case SUB:
      return real_to_bits(sub(a, b));
    case MUL:
      return real_to_bits(mul(a, b));
    case DIV:
      return real_to_bits(div(a, b));
    case SQRT:
      return real_to_bits(sqrt(a));
    case MIN:
      return real_to_bits(min(a, b));
    case MAX:
      return real_to_bits(max(a, b));
    case MUL_ADD:
      return real_to_bits(add(mul(a, b), real_from_bits(c_bits)));
    case EQ:
      return u32(eq(a, b));
    case LT:
      return u32(lt(a, b));
    case LE:
      return u32(le(a, b));
    case FROM_I32:
      return real_to_bits(from_i32(<i32>a_bits));
    case FROM_U32:
      return real_to_bits(from_u32(a_bits));
    case TO_I32_NEAR_EVEN:
      return to_i32_near_even(a);
    case TO_I32_TRUNC:
      return to_i32_trunc(a);
    case DOT:
      return <i32>(<i16>a_bits) * <i32>(<i16>b_bits) + (<i32>a_bits >> 16) * (<i32>b_bits >> 16);
    default:
      return 0;
  }
}

/** Runs in lanes where the kernels do: integers in the builds with SIMD, floats in the one that has both. */
function probe_lane(op: i32, a: u32, b: u32, c: u32, lane: i32): u32 {
  if (ASC_FEATURE_SIMD) {
    if (op == DOT)
      return vector_result(i32x4.dot_i16x8_s(vector(LANES_A, a, lane), vector(LANES_B, b, lane)), lane);
    if (isFloat<real>()) return probe_f32x4(op, a, b, c, lane);
  }
  return probe_plain(op, a, b, c);
}

function probe_f32x4(op: i32, a_bits: u32, b_bits: u32, c_bits: u32, lane: i32): u32 {
  const a = vector(LANES_A, a_bits, lane);
  const b = vector(LANES_B, b_bits, lane);
  switch (op) {
    case ADD:
      return vector_result(f32x4.add(a, b), lane);
    case SUB:
      return vector_result(f32x4.sub(a, b), lane);
    case MUL:
      return vector_result(f32x4.mul(a, b), lane);
    case DIV:
      return vector_result(f32x4.div(a, b), lane);
    case SQRT:
      return vector_result(f32x4.sqrt(a), lane);
    case MIN:
      return vector_result(f32x4.min(a, b), lane);
    case MAX:
      return vector_result(f32x4.max(a, b), lane);
    case MUL_ADD:
      return vector_result(f32x4.add(f32x4.mul(a, b), vector(LANES_C, c_bits, lane)), lane);
    case EQ:
      return vector_result(f32x4.eq(a, b), lane) & 1;
    case LT:
      return vector_result(f32x4.lt(a, b), lane) & 1;
    case LE:
      return vector_result(f32x4.le(a, b), lane) & 1;
    case FROM_I32:
      return vector_result(f32x4.convert_i32x4_s(a), lane);
    case FROM_U32:
      return vector_result(f32x4.convert_i32x4_u(a), lane);
    case TO_I32_NEAR_EVEN:
      return vector_result(i32x4.trunc_sat_f32x4_s(f32x4.nearest(a)), lane);
    case TO_I32_TRUNC:
      return vector_result(i32x4.trunc_sat_f32x4_s(a), lane);
    default:
      return 0;
  }
}

/** Returns the vector at `at` with these bits in one lane and 1.0 in the others. */
function vector(at: usize, bits: u32, lane: i32): v128 {
  store<u64>(at, ONES);
  store<u64>(at, ONES, 8);
  store<u32>(at + ((<usize>lane) << 2), bits);
  return v128.load(at);
}

function vector_result(x: v128, lane: i32): u32 {
  v128.store(LANES_A, x);
  return load<u32>(LANES_A + ((<usize>lane) << 2));
}
