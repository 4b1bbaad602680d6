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
/** A timer of more ends at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The limits: half a minute without a byte, and one minute more than the file takes at 32 KB per second. */
function timesOf(bytes: number): FetchTimes {
  const totalMs = TOTAL_MS + Math.ceil(bytes / BYTES_PER_MS_LEAST);
  return { idleMs: IDLE_MS, totalMs: Math.min(totalMs, TIMER_MS_MAX) };
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
  const stream = fetchStream(url, bytesMax, { times });
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return value;
    take(value);
  }
}

/** How a request is made. */
export interface FetchOptions {
  readonly times?: FetchTimes;
  /** The method, headers and body; default: GET. */
  readonly init?: Omit<RequestInit, "signal">;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the error of an answer that is none; default: FILE_MISSING with its status. */
  readonly refused?: (response: Response) => Promise<SelfsameError>;
}

/** Yields the bytes behind a URL, part by part, as `fetchParts` passes them on. Returns false if there is more. */
export async function* fetchStream(
  url: URL,
  bytesMax: number,
  {
    times = timesOf(bytesMax),
    init = {},
    signal,
    refused = (response) => badStatus(url, response),
  }: FetchOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, boolean> {
  const deadline = new Deadline(url, times);
  const stop = () => deadline.end();
  signal?.addEventListener("abort", stop);
  try {
    signal?.throwIfAborted();
    const response = await deadline.of(fetchResponse(url, { ...init, signal: deadline.signal }));
    if (!response.ok) throw await deadline.of(refused(response));
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
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
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

/** Returns a response, using the host's fetch. */
async function fetchResponse(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
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
}

async function badStatus(url: URL, { status }: Response): Promise<SelfsameError> {
  return new SelfsameError(
    "FILE_MISSING",
    `expected bytes at ${url.href}, got HTTP status ${status}`,
    "Serve the file there, or give another address",
    { details: { status } },
  );
}

function ended(url: URL, cause: unknown): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected all bytes of ${url.href}, got a connection that ended early`,
    "Check the network and try again",
    { cause },
  );
}
