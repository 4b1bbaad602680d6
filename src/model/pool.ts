import { threads } from "../engine/threads.ts";
import type { WorkerHandle } from "../engine/threads-port.ts";
import { errorOfRecord } from "../errors/error-record.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import type { ModelOptions } from "./load.ts";
import type { Embedding } from "./model.ts";
import type { WorkerAnswer, WorkerRequest } from "./pool-protocol.ts";

/** Small, so that the threads finish together. A message costs far less than embedding four texts. */
const BATCH = 4;

/** Options of a pool: its model, and the number of threads. */
export interface PoolOptions extends Omit<ModelOptions, "source"> {
  /** Number of threads; default: the number of cores. Results do not depend on it. */
  readonly workers?: number;
}

/** Options of `EmbedPool.embedMany`: progress and cancellation. */
export interface EmbedManyOptions {
  /** Stops the work. The promise then rejects with the code ABORTED, and the pool stays usable. */
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of texts that are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

type EmbedRequest = Extract<WorkerRequest, { readonly texts: unknown }>;

interface Member {
  readonly handle: WorkerHandle;
  /** Settles the request that the worker is processing. */
  settle: { resolve(answer: WorkerAnswer): void; reject(error: Error): void } | null;
}

/**
 * A model in several threads, for many texts. Each text is computed alone and results keep the order of the texts,
 * so they are the same for any number of workers.
 *
 * @example
 * const pool = await EmbedPool.create({ workers: 2 });
 * const embeddings = await pool.embedMany(texts, { onProgress: (done, total) => … });
 * pool.close();
 */
export class EmbedPool {
  readonly #members: Member[] = [];
  #closed = false;
  #queue: Promise<unknown> = Promise.resolve();

  /** Starts the threads and loads the model into each. */
  static async create(options: PoolOptions = {}): Promise<EmbedPool> {
    const { workers = threads.count, ...model } = options;
    if (!Number.isInteger(workers) || workers < 1 || workers > 256) {
      throw new SelfsameError("BAD_ARGUMENT", `expected 1 to 256 workers, got ${workers}`);
    }
    const pool = new EmbedPool();
    try {
      for (let i = 0; i < workers; i++) pool.#start();
      // A URL cannot be cloned into a thread.
      const named = model.model instanceof URL ? model.model.href : model.model;
      const load = { ...model, ...(named === undefined ? {} : { model: named }) };
      await Promise.all(pool.#members.map((member) => pool.#ask(member, { type: "load", options: load })));
    } catch (error) {
      pool.close();
      throw error;
    }
    return pool;
  }

  /** The number of threads. */
  get workers(): number {
    return this.#members.length;
  }

  /** Returns the embeddings of all texts, in their order. Concurrent calls run one after the other. */
  embedMany(texts: readonly (string | Uint8Array)[], options: EmbedManyOptions = {}): Promise<Embedding[]> {
    return this.#enqueue(texts, "embed", options);
  }

  /** @internal Like `embedMany`, for texts that are already canonical, or parts of canonical texts. */
  embedCanonical(texts: readonly Uint8Array[], options: EmbedManyOptions = {}): Promise<Embedding[]> {
    return this.#enqueue(texts, "embed canonical", options);
  }

  #enqueue<Text extends string | Uint8Array>(
    texts: readonly Text[],
    type: EmbedRequest["type"],
    options: EmbedManyOptions,
  ): Promise<Embedding[]> {
    const run = this.#queue.then(() => this.#embedAll(texts, type, options));
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Stops the threads; pending work is rejected. */
  close(): void {
    this.#closed = true;
    for (const member of this.#members) {
      member.settle?.reject(closedError());
      member.settle = null;
      member.handle.stop();
    }
  }

  async #embedAll(
    texts: readonly (string | Uint8Array)[],
    type: EmbedRequest["type"],
    options: EmbedManyOptions,
  ): Promise<Embedding[]> {
    const { signal, onProgress } = options;
    const results = new Array<Embedding>(texts.length);
    let next = 0;
    let done = 0;
    let failure: unknown;
    const work = async (member: Member): Promise<void> => {
      while (next < texts.length && failure === undefined) {
        if (signal?.aborted) throw abortedError(signal, `${texts.length} embeddings`, `a stop after ${done}`);
        const first = next;
        next = Math.min(first + BATCH, texts.length);
        const batch = texts.slice(first, next);
        const answer = await this.#ask(member, { type, batch: first, texts: batch } as EmbedRequest);
        if (answer.type !== "embedded")
          throw new SelfsameError("WORKER_FAILED", `expected embeddings, got ${answer.type}`);
        for (const [i, embedding] of answer.embeddings.entries()) results[first + i] = embedding;
        done += batch.length;
        onProgress?.(done, texts.length);
      }
    };
    // Every member becomes idle before the promise settles, so that the next call finds all of them idle.
    await Promise.all(
      this.#members.map((member) =>
        work(member).catch((error) => {
          failure ??= error;
        }),
      ),
    );
    if (failure !== undefined) throw failure;
    if (signal?.aborted && done < texts.length)
      throw abortedError(signal, `${texts.length} embeddings`, `a stop after ${done}`);
    return results;
  }

  #start(): void {
    const member: Member = { handle: threads.start("embed"), settle: null };
    this.#members.push(member);
    member.handle.onMessage((message) => {
      const { settle } = member;
      member.settle = null;
      settle?.resolve(message as WorkerAnswer);
    });
    member.handle.onFailure((reason) => {
      const { settle } = member;
      member.settle = null;
      this.#closed = true;
      settle?.reject(
        new SelfsameError(
          "WORKER_FAILED",
          `expected a working thread, got ${reason.message}`,
          "Create a new pool",
          {
            cause: reason,
          },
        ),
      );
    });
  }

  async #ask(member: Member, request: WorkerRequest): Promise<WorkerAnswer> {
    if (this.#closed) throw closedError();
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      member.settle = { resolve, reject };
      member.handle.post(request);
    });
    if (answer.type === "failed") throw errorOfRecord(answer.error, "WORKER_FAILED");
    return answer;
  }
}

function closedError(): SelfsameError {
  return new SelfsameError("WORKER_FAILED", "expected an open pool, got a closed one", "Create a new pool");
}
