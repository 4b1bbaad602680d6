const TEXTS_FIRST = 32;
const TEXTS_MIN = 4;
const TEXTS_MAX = 256;
const AIM_MS = 2000;

/**
 * Decides how many texts are embedded before their vectors are stored: as many as take about two seconds, which is the
 * most work that a stop or a crash may lose.
 */
export class Pace {
  #texts = TEXTS_FIRST;

  /**
   * Returns the size of the next part if this many texts are left. Parts are of similar size, so that all threads have
   * work to the end.
   */
  part(left: number): number {
    return Math.ceil(left / Math.ceil(left / this.#texts));
  }

  /** Records how long this many texts took. */
  note(texts: number, milliseconds: number): void {
    const wanted = Math.round((texts * AIM_MS) / Math.max(milliseconds, 1));
    this.#texts = Math.min(Math.max(wanted, TEXTS_MIN), TEXTS_MAX);
  }
}
