/**
 * Returns whether a string holds a lone surrogate: half of a character beyond U+FFFF without its other half. UTF-8 has
 * no form for it, so two strings that differ only in lone surrogates would become equal.
 */
export function hasLoneSurrogate(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(i + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return true;
    i++;
  }
  return false;
}
