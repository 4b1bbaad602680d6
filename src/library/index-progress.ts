/** The progress of building the graphs of a library's vectors. Times are for people; nothing else depends on them. */
export interface IndexProgress {
  /** Segments whose graphs are done in this run. */
  readonly segments: number;
  /** Segments whose graphs this run builds. */
  readonly segmentsTotal: number;
  /** The share of the work that is done, 0 to 1. */
  readonly share: number;
  /** Estimated from the share; null at the start. */
  readonly secondsLeft: number | null;
}

/** Counts the work of one run over several segments and reports it. */
export class IndexWork {
  readonly #listener: ((event: IndexProgress) => void) | undefined;
  readonly #costs: readonly number[];
  readonly #started = performance.now();
  #done = 0;

  /** @param vectors the number of vectors of each segment: the work grows with its square */
  constructor(vectors: readonly number[], listener: ((event: IndexProgress) => void) | undefined) {
    this.#costs = vectors.map((count) => count * count);
    this.#listener = listener;
  }

  /** Reports that this share of the current segment is done. */
  within(share: number): void {
    if (this.#listener === undefined) return;
    const total = this.#costs.reduce((sum, cost) => sum + cost, 0);
    const done = this.#costs.slice(0, this.#done).reduce((sum, cost) => sum + cost, 0);
    const all = total === 0 ? 1 : (done + (this.#costs[this.#done] ?? 0) * share) / total;
    const seconds = (performance.now() - this.#started) / 1000;
    this.#listener({
      segments: this.#done,
      segmentsTotal: this.#costs.length,
      share: all,
      secondsLeft: all === 0 ? null : (seconds / all) * (1 - all),
    });
  }

  /** Reports that a segment is done. */
  next(): void {
    this.#done++;
    this.within(0);
  }
}
