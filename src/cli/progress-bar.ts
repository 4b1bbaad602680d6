import { counted, shortened } from "../errors/index.ts";
import type { IndexProgress, ProgressEvent, PullProgress } from "../index.ts";
import { CONTROLS, printError } from "./output.ts";

const WIDTH = 24;
const EVERY_MS = 100;
/** How often a line is printed where there is no terminal, so that a log shows that the work goes on. */
const LINE_EVERY_MS = 10_000;
/**
 * The frames of the spinner, which advances with every chunk. Files are written in batches, so the bar may not move for
 * a long time.
 */
const TURNING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** Shows progress on standard error: a bar if that is a terminal, otherwise a line every ten seconds. */
export class ProgressBar {
  readonly #isTerminal = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  #last = this.#isTerminal ? 0 : performance.now();
  readonly #isSilent: boolean;
  #turn = 0;
  #isShown = false;

  /** @param isSilent prints no lines where there is no terminal: a program reads the output */
  constructor(isSilent = false) {
    this.#isSilent = isSilent;
  }

  update = (event: ProgressEvent): void => {
    const { documents, documentsTotal, chunks, chunksTotal } = event;
    const share = chunksTotal === null ? documents / documentsTotal : chunks / chunksTotal;
    this.#draw(Number.isFinite(share) ? share : 1, () => progressLine(event));
  };

  /** Shows how far the graphs of the vectors are built. */
  graphs = ({ segments, segmentsTotal, share, secondsLeft }: IndexProgress): void => {
    const left = secondsLeft === null ? "" : `, ${duration(secondsLeft)} left`;
    this.#draw(share, () => `vector index: ${segments} of ${counted(segmentsTotal, "segment")}${left}`);
    if (segments === segmentsTotal) this.end();
  };

  /** Shows how far a pull is. */
  pulled = ({ step, documents, documentsTotal, bytes, secondsLeft }: PullProgress): void => {
    const left = secondsLeft === null ? "" : `, ${roughly(secondsLeft)} left`;
    const far = `${grouped(documents)} of ${counted(documentsTotal, "document")}`;
    const line =
      step === "comparing" ? "comparing" : `${far}, ${grouped(Math.ceil(bytes / 1024))} KiB${left}`;
    this.#draw(documentsTotal === 0 ? 0 : documents / documentsTotal, () => line);
  };

  #draw(share: number, line: () => string): void {
    const now = performance.now();
    if (now - this.#last < (this.#isTerminal ? EVERY_MS : LINE_EVERY_MS)) return;
    this.#last = now;
    if (!this.#isTerminal) {
      if (!this.#isSilent) printError(line());
      return;
    }
    const filled = Math.floor(Math.min(share, 1) * WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    const sign = TURNING[this.#turn++ % TURNING.length];
    const room = Math.max((process.stderr.columns ?? 80) - WIDTH - 4, 20);
    process.stderr.write(`\r\u001b[2K${sign} ${bar} ${shortened(visible(line()), room - 1)}`);
    this.#isShown = true;
  }

  end(): void {
    if (this.#isShown) process.stderr.write("\r\u001b[2K");
    this.#isShown = false;
  }
}

/** Returns how far the work is: `1,240 of 10,557 chunks, 11 min left, docs/x.md`. */
export function progressLine({
  chunks,
  chunksTotal,
  secondsLeft,
  documentsTotal,
  path,
}: ProgressEvent): string {
  const far =
    chunksTotal === null
      ? `reading ${counted(documentsTotal, "file")}`
      : `${grouped(chunks)} of ${grouped(chunksTotal)} chunks`;
  const left = chunksTotal === null || secondsLeft === null ? null : `${roughly(secondsLeft)} left`;
  return [far, left, path].filter((part) => part !== null).join(", ");
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function roughly(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Names of files may hold anything; controls would move the cursor. */
function visible(line: string): string {
  return line.replace(CONTROLS, "\ufffd");
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
