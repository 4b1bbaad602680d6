import { SelfsameError } from "../errors/selfsame-error.ts";

/** `warning`: all answers are right, and something is slower or less sure than it could be. `problem`: not so. */
export type FindingVerdict = "ok" | "warning" | "problem";

/** What a check found. */
export interface Finding {
  /** What was looked at: "word index", "model weights". */
  readonly subject: string;
  /** How it stands. */
  readonly verdict: FindingVerdict;
  /** One line for people. */
  readonly detail: string;
  /** What to do; empty where all is well. */
  readonly wayOut: string;
}

export function ok(subject: string, detail: string): Finding {
  return { subject, verdict: "ok", detail, wayOut: "" };
}

export function warning(subject: string, detail: string, wayOut: string): Finding {
  return { subject, verdict: "warning", detail, wayOut };
}

export function problem(subject: string, detail: string, wayOut: string): Finding {
  return { subject, verdict: "problem", detail, wayOut };
}

/** A check that could not be made at all says nothing bad of what it would have looked at. */
const NOT_CHECKED = ["DATABASE_BUSY", "DATABASE_READONLY"];

const UNFORESEEN = "Nothing is known to help: please report it, with this message";

/** What an error says, as a finding; a stop that was asked for stays an error. */
export function findingOf(subject: string, error: unknown): Finding {
  if (!(error instanceof SelfsameError)) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return problem(subject, detail, UNFORESEEN);
  }
  if (error.code === "ABORTED") throw error;
  const { code, hint, reason } = error;
  const detail = `${code}: ${reason}`;
  return NOT_CHECKED.includes(code)
    ? warning(subject, `not checked, ${detail}`, hint)
    : problem(subject, detail, hint || UNFORESEEN);
}
