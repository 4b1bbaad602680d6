/** The progress of adding documents. Times are for people; nothing else depends on them. */
export interface ProgressEvent {
  /** Documents done. */
  readonly documents: number;
  /** Documents in total. */
  readonly documentsTotal: number;
  /** Chunks done, including those being embedded. */
  readonly chunks: number;
  /** Chunks done per second, since the start. */
  readonly chunksPerSecond: number;
  /** Estimated from the share of documents done so far; null before the first one. */
  readonly secondsLeft: number | null;
}

/** Counts work and reports it to a listener. */
export class Progress {
  readonly #total: number;
  readonly #listener: ((event: ProgressEvent) => void) | undefined;
  readonly #started = performance.now();
  #documents = 0;
  #chunks = 0;

  constructor(total: number, listener: ((event: ProgressEvent) => void) | undefined) {
    this.#total = total;
    this.#listener = listener;
  }

  /** Reports that this many documents, with this many chunks, are written. */
  documents(count: number, chunks: number): void {
    this.#documents += count;
    this.#chunks += chunks;
    this.#tell(0, 0);
  }

  /** Reports that, within the current part, this many documents are written and this many chunks embedded. */
  within(documents: number, chunks: number): void {
    this.#tell(documents, chunks);
  }

  #tell(documentsWithin: number, chunksWithin: number): void {
    if (this.#listener === undefined) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const documents = this.#documents + documentsWithin;
    const chunks = this.#chunks + chunksWithin;
    this.#listener({
      documents,
      documentsTotal: this.#total,
      chunks,
      chunksPerSecond: seconds > 0 ? chunks / seconds : 0,
      secondsLeft: documents === 0 ? null : (seconds / documents) * (this.#total - documents),
    });
  }
}
