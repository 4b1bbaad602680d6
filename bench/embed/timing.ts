// Timing of contenders side by side.

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Runs until a contender has had `milliseconds` and three turns: engines compile hot wasm twice, the better code late. */
async function warm(run: (round: number) => Promise<unknown>, milliseconds: number): Promise<void> {
  const start = performance.now();
  for (let round = 0; round < 3 || performance.now() - start < milliseconds; round++) await run(round);
}

/**
 * The median time of each contender, in ms. All take turns in every round, so that a change of the machine's speed
 * meets them alike.
 */
export async function interleaved(
  contenders: ((round: number) => Promise<unknown>)[],
  rounds: number,
  warmUpMs: number,
): Promise<number[]> {
  for (const run of contenders) await warm(run, warmUpMs);
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, run] of contenders.entries()) {
      const start = performance.now();
      await run(round);
      times[i]!.push(performance.now() - start);
    }
  return times.map(median);
}
