import { SelfsameError } from "../errors/selfsame-error.ts";

/**
 * `warning`: all answers are right, but something is slower or less certain than it could be. `problem`:
 * answers may be wrong.
 */
export type FindingVerdict = "ok" | "warning" | "problem";

/** What a check found. */
export interface Finding {
  /** What was checked, such as "word index" or "model weights". */
  readonly subject: string;
  /** The verdict. */
  readonly verdict: FindingVerdict;
  /** One line for people. */
  readonly detail: string;
  /** What to do; empty if all is well. */
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

/** If a check could not run at all, that says nothing bad about what it would have checked. */
const NOT_CHECKED = ["DATABASE_BUSY", "DATABASE_READONLY"];

const UNFORESEEN = "No fix is known: please report it with this message";

/** Converts an error to a finding. A requested stop stays an error. */
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
