/** Formats a number with its noun, for display: `1 chunk`, `1,024 chunks`. */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
