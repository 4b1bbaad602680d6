/** Returns a number and its noun, for a message: `1 chunk`, `2 chunks`, `0 queries`. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}
