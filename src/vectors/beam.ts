/**
 * Returns how widely each of n graphs is searched, so that together they find at least what one graph finds with `ef`:
 * the least b with b³·n ≥ ef³, which is ⌈ef / ∛n⌉. SPEC §10.11
 */
export function beamOf(ef: number, segments: number): number {
  const [n, wanted] = [BigInt(segments), BigInt(ef) ** 3n];
  const isEnough = (b: number) => BigInt(b) ** 3n * n >= wanted;
  let [least, most] = [1, ef];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (isEnough(middle)) most = middle;
    else least = middle + 1;
  }
  return least;
}
