/**
 * Compares two strings by their UTF-8 bytes, which is the order of their code points. Returns a negative number, 0 or a
 * positive number. The host's `<` compares UTF-16 units and puts U+FFFD after U+10000; `localeCompare` differs between
 * hosts. SPEC §5.5
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** At the first unit that differs, a surrogate belongs to a code point above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
