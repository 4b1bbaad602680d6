/** A number and its noun, as people write them: `1 chunk`, `1,024 chunks`. */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
