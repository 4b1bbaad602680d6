/** The bit patterns that every operation on binary32 names. SPEC §2.1 */
export const F32_SIGN: u32 = 0x80000000;
export const F32_MAGNITUDE: u32 = 0x7fffffff;
export const F32_INFINITY: u32 = 0x7f800000;
/** The one NaN that any operation returns. */
export const F32_NAN: u32 = 0x7fc00000;
/** The implicit leading bit of a normal significand. */
export const F32_HIDDEN: u32 = 0x00800000;
export const F32_FRACTION: u32 = 0x007fffff;
