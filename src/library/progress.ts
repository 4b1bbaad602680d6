/** The progress of adding documents. Times are for people; nothing else depends on them. */
export interface ProgressEvent {
  /** Documents done. */
  readonly documents: number;
  /** Documents in total. */
  readonly documentsTotal: number;
  /** Chunks done, including those being embedded. */
  readonly chunks: number;
  /** Chunks in total; null while documents are still being read and cut. */
  readonly chunksTotal: number | null;
  /** Chunks done per second, since the first was embedded. */
  readonly chunksPerSecond: number;
  /** Estimated from the share of chunks done so far; null before the first one. */
  readonly secondsLeft: number | null;
  /** The document in progress; null if there is none. */
  readonly path: string | null;
}

/** Counts work and reports it to a listener. */
export class Progress {
  readonly #documentsTotal: number;
  readonly #listener: ((event: ProgressEvent) => void) | undefined;
  #started = performance.now();
  #chunksTotal: number | null = null;
  #documents = 0;
  #chunks = 0;

  constructor(documentsTotal: number, listener: ((event: ProgressEvent) => void) | undefined) {
    this.#documentsTotal = documentsTotal;
    this.#listener = listener;
  }

  /** Whether anybody listens: totals need not be counted otherwise. */
  get isHeard(): boolean {
    return this.#listener !== undefined;
  }

  /** Reports that a document is being read and cut, before the total is known. */
  reading(path: string): void {
    this.#tell(0, 0, path);
  }

  /** Sets how many chunks there are in total. Embedding starts now. */
  expect(chunks: number): void {
    this.#chunksTotal = chunks;
    this.#started = performance.now();
    this.#tell(0, 0, null);
  }

  /** Reports that this many documents, with this many chunks, are written. */
  documents(count: number, chunks: number): void {
    this.#documents += count;
    this.#chunks += chunks;
    this.#tell(0, 0, null);
  }

  /** Reports that, within the current part, this many documents are written and this many chunks embedded. */
  within(documents: number, chunks: number, path: string | null): void {
    this.#tell(documents, chunks, path);
  }

  #tell(documentsWithin: number, chunksWithin: number, path: string | null): void {
    if (this.#listener === undefined) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const documents = this.#documents + documentsWithin;
    const chunks = this.#chunks + chunksWithin;
    // Another process may change what is unchanged here, so a total can be too small.
    const total = this.#chunksTotal === null ? null : Math.max(this.#chunksTotal, chunks);
    const isDone = documents === this.#documentsTotal;
    const left = total === null || chunks === 0 ? null : (seconds / chunks) * (total - chunks);
    this.#listener({
      documents,
      documentsTotal: this.#documentsTotal,
      chunks,
      chunksTotal: total,
      chunksPerSecond: total !== null && seconds > 0 ? chunks / seconds : 0,
      secondsLeft: isDone ? 0 : left,
      path,
    });
  }
}
