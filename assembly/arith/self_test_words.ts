/**
 * The generator that every self test draws from, and the digest it mixes its results into: words of 32 bits, no input.
 * SPEC §2.14
 */

let state: u32 = 0;
let digest: u32 = 0;

export function begin(seed: u32): void {
  state = seed;
  digest = 0;
}

/** Returns the next word of a xorshift. */
export function next(): u32 {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

export function mix(word: u32): void {
  digest = rotl(digest ^ word, 5) * 0x9e3779b1;
}

export function result(): i32 {
  return <i32>digest;
}

/** at (n) = binary32 of either sign in the eight powers of two starting at 2^(lowest − 127). SPEC §7.8 */
export function draw_reals(at: usize, n: i32, lowest: u32): void {
  for (let i = 0; i < n; i++) {
    const word = next();
    store<u32>(at + (i << 2), (word & 0x807fffff) | ((lowest + ((word >> 23) & 7)) << 23));
  }
}

/** Mixes words (n): bit patterns, sums. */
export function mix_words(at: usize, n: i32): void {
  for (let i = 0; i < n; i++) mix(load<u32>(at + (i << 2)));
}

/** Mixes halves (n), each as a word whose upper half is 0. */
export function mix_halves(at: usize, n: i32): void {
  for (let i = 0; i < n; i++) mix(load<u16>(at + (i << 1)));
}
