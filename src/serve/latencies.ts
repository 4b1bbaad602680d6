/** How many of the last times are kept. */
const KEPT = 512;
/** The percentile is computed again after this many new times: sorting takes longer than most searches by words. */
const RENEWED_AFTER = 32;

/** The last times of one step, for their 95th percentile. */
export class Latencies {
  readonly #times: number[] = [];
  #next = 0;
  #sinceRenewed = RENEWED_AFTER;
  #p95 = 0;

  add(ms: number): void {
    this.#times[this.#next] = ms;
    this.#next = (this.#next + 1) % KEPT;
    this.#sinceRenewed++;
  }

  get p95(): number {
    if (this.#sinceRenewed >= RENEWED_AFTER || this.#times.length < RENEWED_AFTER) {
      const sorted = [...this.#times].sort((a, b) => a - b);
      this.#p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
      this.#sinceRenewed = 0;
    }
    return this.#p95;
  }
}
