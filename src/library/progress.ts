/** How far adding documents has come. Times are for people; nothing else depends on them. */
export interface ProgressEvent {
  readonly documents: number;
  readonly documentsTotal: number;
  /** Chunks done, those being embedded included. */
  readonly chunks: number;
  readonly chunksPerSecond: number;
  /** By the share of documents done so far; null before there is one. */
  readonly secondsLeft: number | null;
}

/** Counts work and tells a listener. */
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

  /** So many documents, with so many chunks, are written. */
  documents(count: number, chunks: number): void {
    this.#documents += count;
    this.#chunks += chunks;
    this.#tell(0);
  }

  /** So many chunks of the batch under way are embedded. */
  embedding(done: number): void {
    this.#tell(done);
  }

  #tell(embedding: number): void {
    if (this.#listener === undefined) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const left = this.#documents === 0 ? null : (seconds / this.#documents) * (this.#total - this.#documents);
    this.#listener({
      documents: this.#documents,
      documentsTotal: this.#total,
      chunks: this.#chunks + embedding,
      chunksPerSecond: seconds > 0 ? (this.#chunks + embedding) / seconds : 0,
      secondsLeft: left,
    });
  }
}
