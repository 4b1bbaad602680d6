import { hostname } from "node:os";
import type { JsMsg } from "@nats-io/jetstream";
import { chunkParameters } from "../chunks/chunk-parameters.ts";
import { runConformance } from "../conformance/run.ts";
import { type ConformanceModel, MODELS } from "../conformance/suites.ts";
import { toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { canonParts, modelDigest } from "../library/canon.ts";
import { Embedder } from "../model/embedder.ts";
import { readManifest } from "../model/load.ts";
import { type Connection, JOB_WAIT_MS } from "./connection.ts";
import { deadLetter, JOB_TRIES } from "./dead-letters.ts";
import { definedModels, modelNamed } from "./definition.ts";
import { decodeJob, type Job } from "./job.ts";
import { encodeResult } from "./job-result.ts";
import { pause, persistently } from "./persistently.ts";
import { announce } from "./presence.ts";

/** What a worker says while it works. */
export type WorkerEvent =
  | {
      /** What happened. */ readonly type: "verified";
      /** How many cases of the published vectors passed. */
      readonly cases: number;
      /** The name of the model. */
      readonly model: string;
    }
  | {
      /** What happened. */ readonly type: "ready";
      /** The name of the worker. */
      readonly id: string;
    }
  | {
      /** What happened. */ readonly type: "done";
      /** The id of the job. */
      readonly job: string;
      /** How many texts it has. */
      readonly texts: number;
      /** Whether it had no result before. */
      readonly isNew: boolean;
    }
  | {
      /** What happened. */ readonly type: "failed";
      /** The id of the job; null if it could not be read. */
      readonly job: string | null;
      /** Why. */
      readonly reason: string;
    };

/** Options of a worker. */
export interface WorkerOptions {
  /** How many threads embed; default: the number of cores. */
  readonly threads?: number;
  /** Its name, which results record; default: the host's name and the process. */
  readonly id?: string;
  /** Stops it after the job that it has. */
  readonly signal?: AbortSignal;
  /** Stops it if the queue stays empty for this long; default: never. */
  readonly idleMs?: number;
  /** Called as it works. */
  readonly onEvent?: (event: WorkerEvent) => void;
}

/** What a worker did. */
export interface WorkerReport {
  /** Its name. */
  readonly id: string;
  /** How many texts it embedded. */
  readonly texts: number;
  /** How many jobs it did. */
  readonly jobs: number;
}

/** The suites that say whether a device embeds as SPEC says. */
const SUITES = ["digest", "text", "tokenizer", "kernels", "forward", "embedding", "self-test"];
/** A device with one of these errors must not take another job. */
const REFUSED: readonly string[] = ["ENGINE_REFUSED", "CANON_MISMATCH", "BAD_MODEL", "FILE_MISSING"];
/** How long one request for a job waits. */
const PULL_MS = 2000;
/** A job that failed is tried again after this long, by any worker. */
const AGAIN_MS = 1000;
const DEFINED_MS = 1000;
const ID = /^[\w.-]{1,64}$/;

/** Takes jobs, embeds their texts and stores the vectors, until it is stopped. */
export async function runWorker(connection: Connection, options: WorkerOptions = {}): Promise<WorkerReport> {
  const worker = new Worker(connection, options);
  try {
    return await worker.run();
  } finally {
    await worker.close();
  }
}

class Worker {
  readonly #connection: Connection;
  readonly #options: WorkerOptions;
  readonly #id: string;
  readonly #models = new Map<string, Promise<Embedder>>();
  readonly #since = Date.now();
  #texts = 0;
  #jobs = 0;
  /** Milliseconds of work. */
  #busy = 0;

  constructor(connection: Connection, options: WorkerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#id = options.id ?? `${hostname()}-${process.pid}`.replace(/[^\w.-]/g, "_").slice(-64);
    if (!ID.test(this.#id))
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected a worker's id of 1 to 64 letters, digits, _, . and -, got ${JSON.stringify(this.#id)}`,
      );
  }

  async run(): Promise<WorkerReport> {
    const { streams, names } = this.#connection;
    const { signal, idleMs = Number.POSITIVE_INFINITY } = this.#options;
    await this.#verify();
    const presence = announce(this.#connection, `worker.${this.#id}`, () => this.#facts());
    try {
      let idleSince = performance.now();
      this.#options.onEvent?.({ type: "ready", id: this.#id });
      while (!signal?.aborted && performance.now() - idleSince < idleMs) {
        let message: JsMsg | null;
        try {
          const consumer = await streams.consumers.get(names.jobs, "workers");
          message = await consumer.next({ expires: Math.min(PULL_MS, Math.max(1000, idleMs)) });
        } catch {
          await pause(500, signal); // NATS is away; it will be back
          continue;
        }
        if (message === null) continue;
        await this.#take(message);
        idleSince = performance.now();
      }
      return { id: this.#id, texts: this.#texts, jobs: this.#jobs };
    } finally {
      await presence.stop();
    }
  }

  /** Loads the cluster's models. A device that computes one of them wrongly takes no job. */
  async #verify(): Promise<void> {
    const { signal } = this.#options;
    for (;;) {
      const digests = await persistently(() => definedModels(this.#connection), { signal });
      for (const digest of digests) await this.#embedderOf(digest);
      if (digests.length > 0 || signal?.aborted) return;
      await pause(DEFINED_MS, signal); // until somebody defines the cluster
    }
  }

  async close(): Promise<void> {
    for (const embedder of this.#models.values()) (await embedder.catch(() => null))?.close();
  }

  async #take(message: JsMsg): Promise<void> {
    const beating = setInterval(() => message.working(), JOB_WAIT_MS / 3);
    let job: Job | null = null;
    try {
      job = decodeJob(this.#connection.engine, message.data);
      // A job that ends its worker is never reported as failed: it is counted when it comes once more.
      if (message.info.deliveryCount > JOB_TRIES) throw new Error(`no worker survived it ${JOB_TRIES} times`);
      const isNew = await this.#embed(job);
      // Acknowledged twice over: without the second one, a lost message would be a job done again.
      await message.ackAck({ timeout: 5000 }).catch(() => message.ack());
      this.#options.onEvent?.({ type: "done", job: job.id, texts: job.texts.length, isNew });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onEvent?.({ type: "failed", job: job?.id ?? null, reason });
      if (error instanceof SelfsameError && REFUSED.includes(error.code)) {
        message.nak(); // for a device that can do it
        throw error;
      }
      const isLast = job === null || message.info.deliveryCount >= JOB_TRIES;
      if (!isLast) {
        message.nak(AGAIN_MS);
        return;
      }
      await deadLetter(this.#connection, {
        job,
        reason,
        worker: this.#id,
        tries: message.info.deliveryCount,
      });
      message.term(); // without a reason, which servers before 2.10.4 do not understand
    } finally {
      clearInterval(beating);
      // What was said of the job must reach NATS even if this is the last thing that the worker does.
      await this.#connection.nats.flush().catch(() => undefined);
    }
  }

  /** Stores the vectors of a job. Returns false if they were there already. */
  async #embed(job: Job): Promise<boolean> {
    const { objects } = this.#connection;
    const { signal } = this.#options;
    if ((await persistently(() => objects.results.size(job.id))) !== null) return false;
    const embedder = await this.#embedderOf(toHex(job.model));
    const began = performance.now();
    const vectors = await embedder.embedCanonical(job.texts);
    this.#busy += performance.now() - began;
    this.#texts += job.texts.length;
    this.#jobs++;
    const result = encodeResult(job, this.#id, vectors);
    await persistently(() => objects.results.put(job.id, result), { signal });
    return true;
  }

  #embedderOf(digest: string): Promise<Embedder> {
    let embedder = this.#models.get(digest);
    if (embedder === undefined) {
      embedder = this.#load(digest);
      this.#models.set(digest, embedder);
      embedder.catch(() => this.#models.delete(digest)); // the next job tries again
    }
    return embedder;
  }

  /** Loads a model, after the published vectors have shown that this device computes it right. */
  async #load(digest: string): Promise<Embedder> {
    const { engine } = this.#connection;
    const name = await persistently(() => modelNamed(this.#connection, digest));
    if (name === null)
      throw new SelfsameError("BAD_CLUSTER_DATA", `expected a model that the cluster knows, got ${digest}`);
    const { manifest } = await readManifest(name);
    const parts = canonParts(manifest, chunkParameters(manifest.limit), "auto", "default");
    const own = toHex(modelDigest(engine, parts));
    if (own !== digest)
      throw new SelfsameError(
        "CANON_MISMATCH",
        `expected the model ${name} of the cluster, with digest ${digest}, got another with ${own}`,
        "Install the same version of Selfsame and of the model on every machine",
      );
    const models = (MODELS as readonly string[]).includes(name) ? [name as ConformanceModel] : [];
    const { isSame, suites } = await runConformance({ only: SUITES, models });
    const wrong = suites.find(({ firstMismatch }) => firstMismatch !== null);
    if (!isSame)
      throw new SelfsameError(
        "ENGINE_REFUSED",
        `expected this device to compute the published vectors, got another result in ${wrong?.file}`,
        "selfsame verify says which bits differ; no job is taken on this device",
      );
    const cases = suites.reduce((sum, { passed }) => sum + passed, 0);
    this.#options.onEvent?.({ type: "verified", cases, model: name });
    const embedder = new Embedder({ model: name }, this.#options.threads);
    await embedder.prepare();
    return embedder;
  }

  #facts(): object {
    const seconds = this.#busy / 1000;
    const rate = seconds === 0 ? 0 : this.#texts / seconds;
    return { texts: this.#texts, jobs: this.#jobs, rate, since: this.#since };
  }
}
