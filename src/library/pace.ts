const TEXTS_FIRST = 32;
const TEXTS_MIN = 4;
const TEXTS_MAX = 256;
const AIM_MS = 2000;

/**
 * How many texts are embedded before their vectors are kept: as many as take about two seconds, which is what a stop or a
 * crash may cost.
 */
export class Pace {
  #texts = TEXTS_FIRST;

  /** The size of the next part, where so many are left: parts are alike, so that all threads have work to the end. */
  part(left: number): number {
    return Math.ceil(left / Math.ceil(left / this.#texts));
  }

  /** So many texts took so long. */
  note(texts: number, milliseconds: number): void {
    const wanted = Math.round((texts * AIM_MS) / Math.max(milliseconds, 1));
    this.#texts = Math.min(Math.max(wanted, TEXTS_MIN), TEXTS_MAX);
  }
}
