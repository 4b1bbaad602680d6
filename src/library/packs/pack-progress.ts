import type { PackProgress } from "../../packs/pack-options.ts";

/** Counts the work of one step and reports it to a listener. */
export class PackMeter {
  readonly #listener: ((event: PackProgress) => void) | undefined;
  readonly #started = performance.now();
  readonly #step: PackProgress["step"];
  readonly #totals: { readonly documents: number; readonly vectors: number };
  #documents = 0;
  #vectors = 0;

  constructor(
    listener: ((event: PackProgress) => void) | undefined,
    step: PackProgress["step"],
    totals: { readonly documents: number; readonly vectors: number },
  ) {
    this.#listener = listener;
    this.#step = step;
    this.#totals = totals;
    this.#tell(0);
  }

  /** Reports that this much more is done, and the bytes so far. */
  add(documents: number, vectors: number, bytes = 0): void {
    this.#documents += documents;
    this.#vectors += vectors;
    this.#tell(bytes);
  }

  #tell(bytes: number): void {
    if (this.#listener === undefined) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const done = this.#documents + this.#vectors;
    const total = this.#totals.documents + this.#totals.vectors;
    this.#listener({
      step: this.#step,
      documents: this.#documents,
      documentsTotal: this.#totals.documents,
      vectors: this.#vectors,
      vectorsTotal: this.#totals.vectors,
      bytes,
      secondsLeft: done === 0 ? null : (seconds / done) * Math.max(0, total - done),
    });
  }
}
