import { DatabaseBusyError } from "./failure.ts";

/**
 * How often a waiting connection announces itself: one that has only just got the files did not hear it the first time.
 */
const ASK_EVERY_MS = 50;

/**
 * A Web Lock, by which the tabs of one site agree on who has a library's files. It ends with its tab, however that
 * ends. A tab that waits for it asks the holder, which releases it as soon as it can.
 */
export class TabLock {
  readonly #name: string;
  readonly #library: string;
  readonly #channel: BroadcastChannel;
  readonly #timeoutMs: number;
  #release: (() => void) | null = null;

  /** @param onWanted called, between two turns of the event loop, when another tab (or library object) waits */
  constructor(library: string, timeoutMs: number, onWanted: () => void) {
    this.#library = library;
    this.#name = `selfsame:${library}`;
    this.#timeoutMs = timeoutMs;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener("message", onWanted);
  }

  async acquire(): Promise<void> {
    const tooLate = new AbortController();
    const ask = () => this.#channel.postMessage("wanted");
    const asking = setInterval(ask, ASK_EVERY_MS);
    const timeout = setTimeout(() => tooLate.abort(), this.#timeoutMs);
    ask();
    try {
      this.#release = await new Promise<() => void>((got, failed) => {
        const hold = () => new Promise<void>((release) => got(release));
        navigator.locks.request(this.#name, { signal: tooLate.signal }, hold).catch(failed);
      });
    } catch (cause) {
      throw tooLate.signal.aborted ? this.#busy(cause) : cause;
    } finally {
      clearInterval(asking);
      clearTimeout(timeout);
    }
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }

  /** Stops asking and listening. */
  close(): void {
    this.release();
    this.#channel.close();
  }

  #busy(cause: unknown): DatabaseBusyError {
    return new DatabaseBusyError(
      `expected ${this.#library} to become free within ${this.#timeoutMs} ms, got another tab that keeps it`,
      "Try again, close the other tab, or give a longer timeoutMs",
      null,
      { cause },
    );
  }
}
