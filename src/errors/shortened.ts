/** Shortens a text to a number of UTF-16 units and an ellipsis, never between the halves of a character. */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, Math.max(0, lengthMax)).replace(/[\ud800-\udbff]$/, "")}…`;
}
