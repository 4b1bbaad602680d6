import { SelfsameError } from "../errors/selfsame-error.ts";
import { pageAddress } from "./page-address.ts";

/** Time limits for a server. */
export interface FetchTimes {
  /** Milliseconds until it answers, and between two parts of its answer. */
  readonly idleMs: number;
  /** Milliseconds until the answer is complete. */
  readonly totalMs: number;
}

/** Larger than any file of this package. */
export const PACKAGE_FILE_BYTES_MAX = 64 << 20;

const IDLE_MS = 30_000;
const TOTAL_MS = 60_000;
const BYTES_PER_MS_LEAST = 32;

/** The limits: half a minute without a byte, and one minute more than the file takes at 32 KB per second. */
function timesOf(bytes: number): FetchTimes {
  return { idleMs: IDLE_MS, totalMs: TOTAL_MS + Math.ceil(bytes / BYTES_PER_MS_LEAST) };
}

/** Returns all bytes behind a URL, using the host's fetch. */
export async function fetchBytes(
  url: URL,
  bytesMax = PACKAGE_FILE_BYTES_MAX,
  times?: FetchTimes,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const isWhole = await fetchParts(url, bytesMax, (part) => parts.push(part), times);
  if (!isWhole) throw tooLong(url, bytesMax, "more");
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Returns the error of a file that is longer than any of its kind. */
export function tooLong(url: URL, bytesMax: number, got: string): SelfsameError {
  return new SelfsameError(
    "FILE_TOO_LARGE",
    `expected at most ${bytesMax} bytes at ${url.href}, got ${got}`,
    "The address serves another file: check it",
  );
}

/**
 * Passes on the bytes behind a URL, part by part, and never more than `bytesMax` bytes.
 *
 * @returns false if there is more; the connection is closed then
 * @throws {SelfsameError} FILE_MISSING if the server does not answer, stops, or takes longer than `times`
 */
export async function fetchParts(
  url: URL,
  bytesMax: number,
  take: (part: Uint8Array<ArrayBuffer>) => void,
  times: FetchTimes = timesOf(bytesMax),
): Promise<boolean> {
  const deadline = new Deadline(url, times);
  try {
    const response = await deadline.of(fetchResponse(url, deadline.signal));
    const reader = response.body?.getReader();
    if (reader === undefined) return true; // an empty answer
    let bytes = 0;
    for (;;) {
      const { done, value } = await deadline.of(
        reader.read().catch((cause) => Promise.reject(ended(url, cause))),
      );
      if (done) return true;
      bytes += value.length;
      if (bytes > bytesMax) return false;
      take(value);
    }
  } finally {
    deadline.end();
  }
}

/** Aborts a request that takes too long or is no longer needed. */
class Deadline {
  readonly #url: URL;
  readonly #times: FetchTimes;
  readonly #controller = new AbortController();
  readonly #total: ReturnType<typeof setTimeout>;

  constructor(url: URL, times: FetchTimes) {
    this.#url = url;
    this.#times = times;
    this.#total = setTimeout(
      () => this.#late(`an incomplete file after ${times.totalMs / 1000} s`),
      times.totalMs,
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for one step of the request. */
  async of<T>(step: Promise<T>): Promise<T> {
    const { idleMs } = this.#times;
    const idle = setTimeout(() => this.#late(`none for ${idleMs / 1000} s`), idleMs);
    try {
      return await step;
    } catch (error) {
      // Throws the reason of the abort, whatever the host makes of it.
      throw this.signal.aborted ? this.signal.reason : error;
    } finally {
      clearTimeout(idle);
    }
  }

  /** Closes the connection, if it is still open. */
  end(): void {
    clearTimeout(this.#total);
    this.#controller.abort();
  }

  #late(got: string): void {
    this.#controller.abort(
      new SelfsameError(
        "FILE_MISSING",
        `expected bytes from ${this.#url.href}, got ${got}`,
        "Check the network and try again",
      ),
    );
  }
}

/** Returns a response with a body, using the host's fetch. */
async function fetchResponse(url: URL, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected bytes at ${url.href}, got no answer`,
      pageAddress() === undefined
        ? "Check the address and the network"
        : "Check the address, the network, and the page's connect-src policy",
      { cause },
    );
  }
  if (!response.ok) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected bytes at ${url.href}, got HTTP status ${response.status}`,
      "Serve the file there, or give another address",
    );
  }
  return response;
}

function ended(url: URL, cause: unknown): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected all bytes of ${url.href}, got a connection that ended early`,
    "Check the network and try again",
    { cause },
  );
}
