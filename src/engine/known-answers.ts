/**
 * The answers that every build must give, to the bit, before it is trusted. SPEC §1.4
 *
 * Operands and results are binary32 bits, integers where the operation converts, and pairs of i16 for `dot`. The
 * answers are those of IEEE 754; test/engine/probe.test.ts derives each from the host's binary64 and compares.
 */

/**
 * The operations of `probe`, each at its number. assembly/arith/probe.ts has the same list, and a test compares the
 * two.
 */
export const OPERATIONS = [
  "add",
  "sub",
  "mul",
  "div",
  "sqrt",
  "min",
  "max",
  "mulAdd",
  "eq",
  "lt",
  "le",
  "fromI32",
  "fromU32",
  "toI32NearEven",
  "toI32Trunc",
  "dot",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export type KnownAnswer = readonly [
  check: string,
  operation: Operation,
  operands: readonly number[],
  expected: number,
];

export const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  // Subnormals, as results and as operands. Some units flush results, some flush operands.
  ["sum of subnormals", "add", [0x00000001, 0x00000001], 0x00000002],
  ["negative subnormals", "add", [0x80000001, 0x80000002], 0x80000003],
  ["subnormal operand", "add", [0x00000001, 0x00800000], 0x00800001],
  ["difference under the smallest normal", "sub", [0x00800000, 0x00000001], 0x007fffff],
  ["subnormal cancels", "sub", [0x00000007, 0x00000007], 0x00000000],
  ["subnormal product", "mul", [0x00800000, 0x3f000000], 0x00400000],
  ["product of a subnormal", "mul", [0x00000001, 0x4b800000], 0x01000000],
  ["smallest product, tie to zero", "mul", [0x00000001, 0x3f000000], 0x00000000],
  ["smallest product, above the tie", "mul", [0x00000001, 0x3f000001], 0x00000001],
  ["subnormal product, rounded once", "mul", [0x3feee443, 0x000ce6b3], 0x001813f7],
  ["subnormal quotient", "div", [0x00800000, 0x40000000], 0x00400000],
  ["quotient of subnormals", "div", [0x00000003, 0x00000002], 0x3fc00000],
  ["root of a subnormal", "sqrt", [0x00000001], 0x1a3504f3],
  ["least of subnormals", "min", [0x00000002, 0x00000001], 0x00000001],
  ["greatest of subnormals", "max", [0x00000001, 0x00000000], 0x00000001],
  ["subnormal is not zero", "eq", [0x00000001, 0x00000000], 0x00000000],
  ["zero under a subnormal", "lt", [0x00000000, 0x00000001], 0x00000001],
  ["subnormals ordered", "le", [0x00000002, 0x00000001], 0x00000000],
  // Rounding to nearest, ties to even; overflow.
  ["tie to even, down", "add", [0x3f800000, 0x33800000], 0x3f800000],
  ["tie to even, up", "add", [0x3f800001, 0x33800000], 0x3f800002],
  ["above the tie", "add", [0x3f800000, 0x33800001], 0x3f800001],
  ["below the tie", "sub", [0x3f800000, 0x32ffffff], 0x3f800000],
  ["product at a tie", "mul", [0x3f800800, 0x3f800800], 0x3f801000],
  ["sum at the overflow tie", "add", [0x7f7fffff, 0x73000000], 0x7f800000],
  ["sum below the overflow tie", "add", [0x7f7fffff, 0x72ffffff], 0x7f7fffff],
  ["product overflows", "mul", [0x7f7fffff, 0xc0000000], 0xff800000],
  // Quotients and roots, rounded once.
  ["one third", "div", [0x3f800000, 0x40400000], 0x3eaaaaab],
  ["two thirds", "div", [0x40000000, 0x40400000], 0x3f2aaaab],
  ["by minus zero", "div", [0x3f800000, 0x80000000], 0xff800000],
  ["root of two", "sqrt", [0x40000000], 0x3fb504f3],
  ["root of three", "sqrt", [0x40400000], 0x3fddb3d7],
  ["root below one", "sqrt", [0x3f7fffff], 0x3f7fffff],
  // No contraction: the product is rounded before the sum.
  ["product and sum, two roundings", "mulAdd", [0x3f800800, 0x3f800800, 0xbf801000], 0x00000000],
  ["product and sum, ulp of the product", "mulAdd", [0x3f800001, 0x3f800001, 0xbf800002], 0x00000000],
  ["product and sum, overflow between", "mulAdd", [0x7f7fffff, 0x40000000, 0xff7fffff], 0x7f800000],
  // Signed zeros.
  ["minus zero kept", "add", [0x80000000, 0x80000000], 0x80000000],
  ["zeros of both signs", "add", [0x00000000, 0x80000000], 0x00000000],
  ["difference of equals", "sub", [0x3f800000, 0x3f800000], 0x00000000],
  ["sign of a zero product", "mul", [0x80000000, 0x40000000], 0x80000000],
  ["root of minus zero", "sqrt", [0x80000000], 0x80000000],
  ["least of the zeros", "min", [0x00000000, 0x80000000], 0x80000000],
  ["greatest of the zeros", "max", [0x80000000, 0x00000000], 0x00000000],
  ["zeros are equal", "eq", [0x00000000, 0x80000000], 0x00000001],
  ["zeros are not ordered", "lt", [0x80000000, 0x00000000], 0x00000000],
  // NaN: canonical in results.
  ["infinities cancel to NaN", "sub", [0x7f800000, 0x7f800000], 0x7fc00000],
  ["NaN is unequal to itself", "eq", [0x7fc00000, 0x7fc00000], 0x00000000],
  // Conversions: nearest-even in both directions, truncation, saturation.
  ["i32 at a tie, down", "fromI32", [0x01000001], 0x4b800000],
  ["i32 at a tie, up", "fromI32", [0x01000003], 0x4b800002],
  ["negative i32 at a tie", "fromI32", [0xfefffffd], 0xcb800002],
  ["largest i32", "fromI32", [0x7fffffff], 0x4f000000],
  ["smallest i32", "fromI32", [0x80000000], 0xcf000000],
  ["u32 at a tie, down", "fromU32", [0x80000080], 0x4f000000],
  ["u32 at a tie, up", "fromU32", [0x80000180], 0x4f000002],
  ["largest u32", "fromU32", [0xffffffff], 0x4f800000],
  ["half to even, 0.5", "toI32NearEven", [0x3f000000], 0x00000000],
  ["half to even, 1.5", "toI32NearEven", [0x3fc00000], 0x00000002],
  ["half to even, −2.5", "toI32NearEven", [0xc0200000], 0xfffffffe],
  ["just under 0.5", "toI32NearEven", [0x3effffff], 0x00000000],
  ["largest odd half", "toI32NearEven", [0x4a7ffffe], 0x00400000],
  ["nearest saturates", "toI32NearEven", [0xcf32d05e], 0x80000000],
  ["nearest of NaN", "toI32NearEven", [0x7fc00000], 0x00000000],
  ["truncation", "toI32Trunc", [0xbfffffff], 0xffffffff],
  ["truncation saturates", "toI32Trunc", [0x4f32d05e], 0x7fffffff],
  ["truncation of NaN", "toI32Trunc", [0xffc00000], 0x00000000],
  // The integer product of the matrix kernels.
  ["dot, largest", "dot", [0x7fff7fff, 0x7fff7fff], 0x7ffe0002],
  ["dot, signs cancel", "dot", [0x7fff8001, 0x7fff7fff], 0x00000000],
  ["dot, mixed", "dot", [0x007b8001, 0xfe387fff], 0xc00024e7],
];
