import { constants } from "node:os";

/** Why work was stopped: a signal, from Ctrl-C or from another process. */
export class Interruption extends Error {
  /** As in shells: 130 for Ctrl-C, 143 for SIGTERM. */
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs work that can be interrupted. The first Ctrl-C (or SIGTERM) asks it to stop, so that a transaction in progress
 * is completed. The second ends the process at once; the journal then restores the library.
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

/** Returns the interruption that caused an error; null if the cause was anything else. */
export function interruptionOf(error: unknown): Interruption | null {
  if (error instanceof Interruption) return error;
  return error instanceof Error && error.cause !== undefined ? interruptionOf(error.cause) : null;
}
