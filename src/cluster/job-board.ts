import { toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { textHashes } from "../identity/ids.ts";
import type { Connection } from "./connection.ts";
import { deadLetterOf, forgetDeadLetter } from "./dead-letters.ts";
import { encodeJob, type Job } from "./job.ts";
import { decodeResult, RESULT_BYTES_MAX } from "./job-result.ts";
import { pause, persistently } from "./persistently.ts";
import type { SpooledVectors } from "./spooled-vectors.ts";

/** How often the board looks whether a job is done. */
const LOOK_MS = 100;
const LOOK_MS_MAX = 1000;
/** A job without a result is published again if the queue has been empty for this long. */
const EMPTY_MS = 5000;

/** The jobs of one build: it publishes those that are not done, and collects what workers made of them. */
export class JobBoard {
  readonly #connection: Connection;
  readonly #dimension: number;
  readonly #spool: SpooledVectors;
  readonly #signal: AbortSignal | undefined;
  readonly #open: Job[] = [];
  /** The ids of all jobs of the build. */
  readonly ids = new Set<string>();
  /** How many of them somebody had done before. */
  known = 0;

  constructor(
    connection: Connection,
    dimension: number,
    spool: SpooledVectors,
    signal: AbortSignal | undefined,
  ) {
    this.#connection = connection;
    this.#dimension = dimension;
    this.#spool = spool;
    this.#signal = signal;
  }

  /** The number of jobs that have no result yet. */
  get waiting(): number {
    return this.#open.length;
  }

  /** Publishes a job, unless its result is there. One that was put aside is tried again. */
  async add(job: Job): Promise<void> {
    if (this.ids.has(job.id)) return;
    this.ids.add(job.id);
    if (await this.#collected(job)) {
      this.known++;
      return;
    }
    await forgetDeadLetter(this.#connection, job.id);
    await this.#publish(job, job.id);
    this.#open.push(job);
  }

  /** Waits until all jobs are done. @throws {SelfsameError} JOB_FAILED if one was put aside */
  async settled(onProgress: (waiting: number) => void = () => undefined): Promise<void> {
    let wait = LOOK_MS;
    let emptySince: number | null = null;
    while (this.#open.length > 0) {
      if (this.#signal?.aborted)
        throw new SelfsameError("ABORTED", `expected ${this.#open.length} jobs to be done, got a stop`, "", {
          cause: this.#signal.reason,
        });
      if (await this.#collected(this.#open[0]!)) {
        this.#open.shift();
        onProgress(this.#open.length);
        [wait, emptySince] = [LOOK_MS, null];
        continue;
      }
      await this.#refuseDead(this.#open[0]!);
      emptySince = (await this.#isQueueEmpty()) ? (emptySince ?? performance.now()) : null;
      if (emptySince !== null && performance.now() - emptySince > EMPTY_MS) {
        // Its message is gone and its result is not there: it was done, and the result was removed since.
        const [job] = this.#open;
        await this.#publish(job!, `${job!.id}.${crypto.randomUUID()}`);
        emptySince = null;
      }
      await pause(wait, this.#signal);
      wait = Math.min(LOOK_MS_MAX, wait * 1.5);
    }
  }

  async #collected(job: Job): Promise<boolean> {
    const { objects, engine } = this.#connection;
    const result = await persistently(
      () =>
        objects.results.get(job.id, RESULT_BYTES_MAX, (bytes) =>
          decodeResult(engine, job.id, bytes, this.#dimension),
        ),
      { signal: this.#signal },
    );
    if (result === null) return false;
    const hashes = textHashes(engine, result.texts);
    for (const [i, hash] of hashes.entries()) this.#spool.put(toHex(hash), result.vectors[i]!);
    return true;
  }

  async #publish(job: Job, msgID: string): Promise<void> {
    const { streams, names } = this.#connection;
    const bytes = encodeJob(job);
    await persistently(() => streams.publish(names.jobSubject, bytes, { msgID }), { signal: this.#signal });
  }

  async #refuseDead(job: Job): Promise<void> {
    const letter = await deadLetterOf(this.#connection, job.id);
    if (letter === null) return;
    throw new SelfsameError(
      "JOB_FAILED",
      `expected the texts of ${JSON.stringify(letter.path)} to be embedded, got ${letter.tries} failures, the last one of worker ${letter.worker}: ${letter.reason}`,
      "selfsame cluster status lists such jobs; the next build tries them again",
      { details: { job: job.id, path: letter.path } },
    );
  }

  async #isQueueEmpty(): Promise<boolean> {
    const { manager, names } = this.#connection;
    const { state } = await persistently(() => manager.streams.info(names.jobs), { signal: this.#signal });
    return state.messages === 0;
  }
}
