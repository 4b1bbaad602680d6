// Timing of contenders side by side.

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Engines compile hot wasm twice, the better code late: a contender gets this many turns and this long beforehand. */
async function warm(
  run: (round: number) => Promise<unknown>,
  turns: number,
  milliseconds: number,
): Promise<void> {
  const start = performance.now();
  for (let round = 0; round < turns || performance.now() - start < milliseconds; round++) await run(round);
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
  for (const run of contenders) await warm(run, Math.ceil(rounds / 3), warmUpMs);
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, run] of contenders.entries()) {
      const start = performance.now();
      await run(round);
      times[i]!.push(performance.now() - start);
    }
  return times.map(median);
}
