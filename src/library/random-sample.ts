/**
 * Chooses `count` of the numbers 0 … of − 1, each set with the same probability, in ascending order. It uses the host's
 * random numbers: a check that chose by a fixed rule would never see some damage. No result depends on it.
 *
 * @param u32 returns a random whole number below 2³²
 */
export function randomSample(count: number, of: number, u32: () => number = hostU32): number[] {
  const numbers = Uint32Array.from({ length: of }, (_, i) => i);
  const chosen = Math.min(count, of);
  // The first steps of a Fisher–Yates shuffle.
  for (let i = 0; i < chosen; i++) {
    const other = i + below(of - i, u32);
    [numbers[i], numbers[other]] = [numbers[other]!, numbers[i]!];
  }
  return Array.from(numbers.subarray(0, chosen).sort());
}

/** Returns a number below `n` with equal probabilities: values above the last multiple of `n` are drawn again. */
function below(n: number, u32: () => number): number {
  const end = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const drawn = u32();
    if (drawn < end) return drawn % n;
  }
}

function hostU32(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
