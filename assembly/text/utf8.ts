/** UTF-8, decoded as in the WHATWG Encoding Standard (ill-formed bytes become U+FFFD), and encoded. SPEC §5.1 */

export const REPLACEMENT: u32 = 0xfffd;
/** Mask of the code point in the result of `utf8_decode`. */
export const CODE_POINT: u32 = 0x1fffff;

/** For eight bytes at a time: 0x01 in every byte, and 0x80. */
export const EVERY_BYTE: u64 = u64.MAX_VALUE / 255;
export const HIGH_BITS: u64 = EVERY_BYTE << 7;

/** Returns how many bytes from `at` are ASCII. */
export function ascii_run(at: usize, end: usize): usize {
  const start = at;
  while (at + 8 <= end && (load<u64>(at) & HIGH_BITS) == 0) at += 8;
  while (at < end && load<u8>(at) < 0x80) at++;
  return at - start;
}

/**
 * Returns the character at `at` (at < end), as code point | bytes read << 24. An ill-formed sequence is read as U+FFFD
 * over its longest prefix that could start a well-formed one, at least one byte.
 */
export function utf8_decode(at: usize, end: usize): u32 {
  const lead = <u32>load<u8>(at);
  if (lead < 0x80) return lead | (1 << 24);
  if (lead < 0xc2 || lead > 0xf4) return REPLACEMENT | (1 << 24);
  // The second byte alone rules out overlong forms, surrogates and what lies beyond U+10FFFF.
  let lowest: u32 = 0x80;
  let highest: u32 = 0xbf;
  let length: u32 = 2;
  let c = lead & 0x1f;
  if (lead >= 0xf0) {
    length = 4;
    c = lead & 0x07;
    if (lead == 0xf0) lowest = 0x90;
    else if (lead == 0xf4) highest = 0x8f;
  } else if (lead >= 0xe0) {
    length = 3;
    c = lead & 0x0f;
    if (lead == 0xe0) lowest = 0xa0;
    else if (lead == 0xed) highest = 0x9f;
  }
  for (let i: u32 = 1; i < length; i++) {
    if (at + i >= end) return REPLACEMENT | (i << 24);
    const byte = <u32>load<u8>(at + i);
    if (byte < lowest || byte > highest) return REPLACEMENT | (i << 24);
    lowest = 0x80;
    highest = 0xbf;
    c = (c << 6) | (byte & 0x3f);
  }
  return c | (length << 24);
}

/** Writes c at `out`; returns the address after it. */
export function utf8_encode(out: usize, c: u32): usize {
  if (c < 0x80) {
    store<u8>(out, <u8>c);
    return out + 1;
  }
  if (c < 0x800) {
    store<u8>(out, <u8>(0xc0 | (c >> 6)));
    store<u8>(out, <u8>(0x80 | (c & 0x3f)), 1);
    return out + 2;
  }
  if (c < 0x10000) {
    store<u8>(out, <u8>(0xe0 | (c >> 12)));
    store<u8>(out, <u8>(0x80 | ((c >> 6) & 0x3f)), 1);
    store<u8>(out, <u8>(0x80 | (c & 0x3f)), 2);
    return out + 3;
  }
  store<u8>(out, <u8>(0xf0 | (c >> 18)));
  store<u8>(out, <u8>(0x80 | ((c >> 12) & 0x3f)), 1);
  store<u8>(out, <u8>(0x80 | ((c >> 6) & 0x3f)), 2);
  store<u8>(out, <u8>(0x80 | (c & 0x3f)), 3);
  return out + 4;
}

/** Returns where the character that ends at `end` starts; the bytes from `start` on are well-formed UTF-8. */
export function utf8_before(end: usize, start: usize): usize {
  let at = end - 1;
  while (at > start && (<u32>load<u8>(at) & 0xc0) == 0x80) at--;
  return at;
}
