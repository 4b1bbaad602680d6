/**
 * The natural logarithm of binary64 as the pinned SQLite computes it (SPEC §14.4): the one of FreeBSD's libm that its C
 * library has, `log(1 + f) = f − f²/2 + s·(f²/2 + R(s²))` with `s = f / (2 + f)`. Error below 1 ULP. The host's Math.log
 * is another function on some hosts and differs in the last bit. Every operation here is one of ECMAScript's binary64
 * operations, which are exact to the bit on every host. SPEC §25.1
 */

/** ln 2 = LN2_HIGH + LN2_LOW; the high part has 21 zero bits at its end, so its product with k is exact. */
const LN2_HIGH = 0.6931471803691238; // 3fe62e42fee00000
const LN2_LOW = 1.9082149292705877e-10; // 3dea39ef35793c76

/** The coefficients of R, an approximation by Remez on [0, 0.1716] with an error below 2^-58.45. */
const L1 = 0.6666666666666735; // 3fe5555555555593
const L2 = 0.3999999999940942; // 3fd999999997fa04
const L3 = 0.2857142874366239; // 3fd2492494229359
const L4 = 0.22222198432149784; // 3fcc71c51d8e78af
const L5 = 0.1818357216161805; // 3fc7466496cb03de
const L6 = 0.15313837699209373; // 3fc39a09d078c69f
const L7 = 0.14798198605116586; // 3fc2f112df3e5244

/** The high half of the bits of 1, and of the smallest z of the reduction, just below √½. */
const HIGH_OF_ONE = 0x3ff00000;
const HIGH_OF_ROOT_HALF = 0x3fe6a09e;

const bits = new DataView(new ArrayBuffer(8));

/**
 * Returns the natural logarithm of a normal number above 0. BM25 needs no other: its arguments are from 2⁻⁵⁴ to 2⁵⁴.
 * SPEC §25.1
 */
export function naturalLogarithm(x: number): number {
  bits.setFloat64(0, x);
  // x = 2^k · z with z from √½ to √2, found on the high half of the bits; the low half stays.
  const moved = bits.getUint32(0) + (HIGH_OF_ONE - HIGH_OF_ROOT_HALF);
  const k = (moved >>> 20) - 0x3ff;
  bits.setUint32(0, (moved & 0xfffff) + HIGH_OF_ROOT_HALF);
  const f = bits.getFloat64(0) - 1;
  const half = 0.5 * f * f;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (L2 + w * (L4 + w * L6));
  const odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
  return s * (half + (odd + even)) + k * LN2_LOW - half + f + k * LN2_HIGH;
}
