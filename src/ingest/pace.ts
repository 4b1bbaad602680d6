/** From so many texts on, starting threads (0.4 s each, mostly reading the weights) pays. */
export const TEXTS_MIN = 64;
const TEXTS_MAX = 256;
const AIM_MS = 2000;

/**
 * How many texts are embedded before their vectors are kept: as many as take about two seconds, which is what a stop or a
 * crash may cost.
 */
export class Pace {
  #texts = TEXTS_MIN;

  get texts(): number {
    return this.#texts;
  }

  /** So many texts took so long. */
  note(texts: number, milliseconds: number): void {
    const wanted = Math.round((texts * AIM_MS) / Math.max(milliseconds, 1));
    this.#texts = Math.min(Math.max(wanted, TEXTS_MIN), TEXTS_MAX);
  }
}
