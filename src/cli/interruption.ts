import { constants } from "node:os";

/** Why work was stopped: a signal, from Ctrl-C or from another process. */
export class Interruption extends Error {
  /** As shells have it: 130 for Ctrl-C, 143 for SIGTERM. */
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs work that can be stopped half-way: the first Ctrl-C (or SIGTERM) asks it to end, so that a transaction under way
 * is finished; the second ends the process at once, and the journal brings the library back.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (signal: "SIGINT" | "SIGTERM") => {
    const reason = new Interruption(signal);
    if (stop.signal.aborted) process.exit(reason.exitCode);
    stop.abort(reason);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

/** The interruption that an error came from, null if it came from anything else. */
export function interruptionOf(error: unknown): Interruption | null {
  if (error instanceof Interruption) return error;
  return error instanceof Error && error.cause !== undefined ? interruptionOf(error.cause) : null;
}
