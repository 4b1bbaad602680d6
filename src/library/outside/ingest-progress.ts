/** The progress of an ingest. Times are for people; nothing else depends on them. */
export interface IngestProgress {
  /** What is being done now. */
  readonly step: "reading" | "finishing documents" | "looking for duplicates";
  /** Chunks read so far. */
  readonly chunks: number;
  /** Chunks per second, since the start. */
  readonly chunksPerSecond: number;
  /** The share of the files that is read, from 0 to 1; null if it is not known. */
  readonly share: number | null;
  /** Estimated from that share; null if it is not known. */
  readonly secondsLeft: number | null;
}

/** Counts chunks and reports them to a listener. */
export class IngestMeter {
  readonly #listener: ((event: IngestProgress) => void) | undefined;
  readonly #share: () => number | null;
  readonly #started = performance.now();
  #chunks = 0;

  constructor(listener: ((event: IngestProgress) => void) | undefined, share: () => number | null) {
    this.#listener = listener;
    this.#share = share;
  }

  /** Reports that this many more chunks are read. */
  read(chunks: number): void {
    this.#chunks += chunks;
    this.tell("reading");
  }

  tell(step: IngestProgress["step"]): void {
    if (this.#listener === undefined) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const share = this.#share();
    this.#listener({
      step,
      chunks: this.#chunks,
      chunksPerSecond: seconds > 0 ? this.#chunks / seconds : 0,
      share,
      secondsLeft: share === null || share === 0 ? null : (seconds / share) * (1 - share),
    });
  }
}
