import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";

/** How long a NATS server may be away before work that needs it fails. */
const AWAY_MS = 120_000;
const WAIT_MS = 250;
const WAIT_MS_MAX = 2000;

/**
 * Runs work that can be done several times, again and again while NATS does not answer: a server that is started again, or
 * another one that takes over, is back within seconds. Our own errors are not tried again.
 */
export async function persistently<T>(
  work: () => Promise<T>,
  { signal, awayMs = AWAY_MS }: { readonly signal?: AbortSignal | undefined; readonly awayMs?: number } = {},
): Promise<T> {
  const until = performance.now() + awayMs;
  for (let wait = WAIT_MS; ; wait = Math.min(2 * wait, WAIT_MS_MAX)) {
    if (signal?.aborted) throw abortedError(signal, "an answer of NATS", "a stop");
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof SelfsameError) throw cause;
      if (performance.now() > until)
        throw new SelfsameError(
          "CLUSTER_UNREACHABLE",
          `expected NATS to answer within ${awayMs / 1000} s, got: ${cause instanceof Error ? cause.message : String(cause)}`,
          "Start its server again; what was acknowledged is kept",
          { cause },
        );
      await pause(wait, signal);
    }
  }
}

/** Waits, but not longer than until the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
