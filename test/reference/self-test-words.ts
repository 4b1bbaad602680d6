/** The words that self tests draw, and the digest that they mix their results into. SPEC §2.14 */
import { floatOf } from "./arith.ts";

export class Words {
  #state: number;
  #digest = 0;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return this.#state;
  }

  mix(...words: number[]): void {
    for (const word of words) {
      const x = this.#digest ^ word;
      this.#digest = Math.imul((x << 5) | (x >>> 27), 0x9e3779b1) >>> 0;
    }
  }

  get digest(): number {
    return this.#digest;
  }

  /** n numbers of either sign whose exponent field is `lowest` to `lowest` + 7. SPEC §7.8 */
  reals(n: number, lowest: number): Float32Array {
    return Float32Array.from({ length: n }, () => {
      const word = this.next();
      return floatOf(((word & 0x807fffff) | ((lowest + ((word >>> 23) & 7)) << 23)) >>> 0);
    });
  }
}
