import { counted } from "../errors/index.ts";
import type { IndexProgress, ProgressEvent } from "../index.ts";

const WIDTH = 24;
const EVERY_MS = 100;
/**
 * The frames of the spinner, which advances with every chunk. Files are written in batches, so the bar may not move for
 * a long time.
 */
const TURNING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** A progress bar on standard error if that is a terminal; nothing in a pipe. */
export class ProgressBar {
  readonly #show = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  #last = 0;
  #turn = 0;
  #isShown = false;
  #isAnnounced = false;

  /** Shows how far the graphs of the vectors are built. In a pipe it says once that they are being built. */
  graphs = ({ segments, segmentsTotal, share, secondsLeft }: IndexProgress): void => {
    if (!this.#show) {
      if (!this.#isAnnounced)
        process.stderr.write(`building the vector index: ${counted(segmentsTotal, "segment")}\n`);
      this.#isAnnounced = true;
      return;
    }
    const now = performance.now();
    if (now - this.#last < EVERY_MS) return;
    this.#last = now;
    const filled = Math.floor(share * WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    const left = secondsLeft === null ? "" : `, ${duration(secondsLeft)} left`;
    const done = `${segments}/${counted(segmentsTotal, "segment")} of the vector index`;
    process.stderr.write(`\r\u001b[2K${TURNING[this.#turn++ % TURNING.length]} ${bar} ${done}${left}`);
    this.#isShown = true;
    if (segments === segmentsTotal) this.end();
  };

  update = (event: ProgressEvent): void => {
    const now = performance.now();
    if (!this.#show || now - this.#last < EVERY_MS) return;
    this.#last = now;
    const { documents, documentsTotal, chunks, chunksPerSecond, secondsLeft } = event;
    const filled = documentsTotal === 0 ? WIDTH : Math.floor((documents / documentsTotal) * WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    const left = secondsLeft === null ? "" : `, ${duration(secondsLeft)} left`;
    const sign = TURNING[this.#turn++ % TURNING.length];
    const files = `${documents}/${counted(documentsTotal, "file")}`;
    const line = `${sign} ${bar} ${files}, ${counted(chunks, "chunk")} embedded, ${chunksPerSecond.toFixed(0)}/s${left}`;
    process.stderr.write(`\r\u001b[2K${line}`);
    this.#isShown = true;
  };

  end(): void {
    if (this.#isShown) process.stderr.write("\r\u001b[2K");
    this.#isShown = false;
  }
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
