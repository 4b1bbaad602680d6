/**
 * The order of two strings by their UTF-8 bytes, which is that of their code points: negative, 0 or positive. The
 * host's `<` compares UTF-16 units and puts U+FFFD after U+10000; `localeCompare` differs between hosts. SPEC §5.5
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

/** At the first unit that differs, surrogates stand for code points above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
