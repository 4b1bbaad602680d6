/** Characters in ranges, or all characters outside of them. `/` is in neither. */
export interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

export const SLASH = 0x2f;
export const ANY_BUT_SLASH: CharacterSet = { isNegated: true, ranges: [] };

export function isInSet({ isNegated, ranges }: CharacterSet, codePoint: number): boolean {
  if (codePoint === SLASH) return false;
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last) !== isNegated;
}
