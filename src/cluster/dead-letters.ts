import { type Connection, isMissing } from "./connection.ts";
import type { Job } from "./job.ts";
import { isDigest } from "./names.ts";
import { persistently } from "./persistently.ts";

/** A job that failed this often is put aside. */
export const JOB_TRIES = 5;
const LISTED_MAX = 1000;
const TEXT_MAX = 2000;

/** A job that was put aside, and why. */
export interface DeadLetter {
  /** Its id. */
  readonly job: string;
  /** A document that has its first text. */
  readonly path: string;
  /** Why it failed the last time. */
  readonly reason: string;
  /** The worker that tried it last. */
  readonly worker: string;
  /** How often it was tried. */
  readonly tries: number;
}

/** Puts a job aside. `status` shows it, and the next build tries it again. */
export async function deadLetter(
  { streams, names }: Connection,
  { job, reason, worker, tries }: { job: Job | null; reason: string; worker: string; tries: number },
): Promise<void> {
  const letter = {
    job: job?.id ?? null,
    path: job?.path ?? "",
    reason: reason.slice(0, TEXT_MAX),
    worker,
    tries,
  };
  const subject = `${names.deadSubject}.${job?.id ?? "unreadable"}`;
  await persistently(() => streams.publish(subject, JSON.stringify(letter)));
}

/** Returns the jobs that were put aside, at most 1000 of them. */
export async function deadLetters({ manager, names }: Connection): Promise<DeadLetter[]> {
  const { state } = await persistently(() =>
    manager.streams.info(names.dead, { subjects_filter: `${names.deadSubject}.*` }),
  );
  const letters: DeadLetter[] = [];
  for (const subject of Object.keys(state.subjects ?? {})
    .sort()
    .slice(0, LISTED_MAX)) {
    const message = await persistently(() =>
      manager.streams.getMessage(names.dead, { last_by_subj: subject }).catch((error) => {
        if (isMissing(error)) return null; // taken out meanwhile
        throw error;
      }),
    );
    const letter = message === null ? null : readLetter(message.data);
    if (letter !== null) letters.push(letter);
  }
  return letters;
}

/** Returns why a job was put aside; null if it was not. */
export async function deadLetterOf({ manager, names }: Connection, job: string): Promise<DeadLetter | null> {
  const subject = `${names.deadSubject}.${job}`;
  const message = await persistently(() =>
    manager.streams.getMessage(names.dead, { last_by_subj: subject }).catch((error) => {
      if (isMissing(error)) return null;
      throw error;
    }),
  );
  return message === null ? null : readLetter(message.data);
}

/** Forgets that a job was put aside. */
export async function forgetDeadLetter({ manager, names }: Connection, job: string): Promise<void> {
  await persistently(() => manager.streams.purge(names.dead, { filter: `${names.deadSubject}.${job}` }));
}

function readLetter(bytes: Uint8Array): DeadLetter | null {
  try {
    const read = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Record<keyof DeadLetter, unknown>>;
    const text = (value: unknown) => (typeof value === "string" ? value.slice(0, TEXT_MAX) : "");
    return {
      job: isDigest(read.job) ? read.job : "",
      path: text(read.path),
      reason: text(read.reason),
      worker: text(read.worker),
      tries: Number.isSafeInteger(read.tries) ? (read.tries as number) : 0,
    };
  } catch {
    return null;
  }
}
