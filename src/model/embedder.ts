import { Breather } from "../engine/breather.ts";
import { threads } from "../engine/threads.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import { loadModel, type ModelOptions } from "./load.ts";
import type { Model } from "./model.ts";
import { EmbedPool, type PoolOptions } from "./pool.ts";

/** Starting threads (0.4 s each, mostly reading the weights) pays off from this many texts on. */
const POOL_FROM = 64;

export interface EmbedTextsOptions {
  /** Expected number of texts, in this call and later ones; default: those of this call. */
  readonly expected?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** The model of a library. It is loaded for the first text, and into more threads when there are many texts. */
export class Embedder {
  readonly #options: ModelOptions;
  readonly #workers: number;
  readonly #missing: SelfsameError | null;
  readonly #breather = new Breather();
  #model: Promise<Model> | null = null;
  #pool: Promise<EmbedPool> | null = null;
  #users = 0;
  #lastUse = performance.now();

  /** @param missing the error of every call, if it is not known which model to load */
  constructor(options: ModelOptions, workers: number | undefined, missing: SelfsameError | null = null) {
    this.#options = options;
    this.#missing = missing;
    // A function that returns the engine's bytes cannot be sent to a thread.
    this.#workers = options.source === undefined ? (workers ?? threads.count) : 1;
  }

  /** Loads the model now, so that the first text does not have to wait. */
  async prepare(): Promise<void> {
    await this.#loaded();
  }

  /** How long the model has not been used, in milliseconds; null if it is not in memory. */
  get idleMs(): number | null {
    if (this.#model === null && this.#pool === null) return null;
    return this.#users > 0 ? 0 : performance.now() - this.#lastUse;
  }

  /** Returns the vector of one text, a query for instance. */
  async embed(text: string | Uint8Array): Promise<Int16Array<ArrayBuffer>> {
    return this.#using(async () => (await this.#loaded()).embed(text).vector);
  }

  /** Returns the vector of a canonical text, for work that waits until the model is idle: it does not count as a use. */
  async embedQuietly(text: Uint8Array): Promise<Int16Array<ArrayBuffer>> {
    const pool = await this.#pool;
    if (pool !== null) return (await this.#embedInThreads(pool, [text], {}))[0]!;
    return (await this.#loaded()).embedCanonical(text).vector;
  }

  async #using<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work();
    } finally {
      this.#users--;
      this.#lastUse = performance.now();
    }
  }

  async #loaded(): Promise<Model> {
    if (this.#missing !== null) throw this.#missing;
    this.#model ??= loadModel(this.#options).then(({ model }) => model);
    const loading = this.#model;
    return loading.catch((error) => {
      // A file or a network that was unavailable may be back at the next try.
      if (this.#model === loading) this.#model = null;
      throw error;
    });
  }

  /**
   * Returns the vectors of all texts, in order; they are the same for any number of workers. Each text must already be
   * canonical, or part of a canonical text.
   */
  embedCanonical(
    texts: readonly Uint8Array[],
    options: EmbedTextsOptions = {},
  ): Promise<Int16Array<ArrayBuffer>[]> {
    return this.#using(() => this.#embedAll(texts, options));
  }

  async #embedAll(
    texts: readonly Uint8Array[],
    options: EmbedTextsOptions,
  ): Promise<Int16Array<ArrayBuffer>[]> {
    if (this.#missing !== null) throw this.#missing;
    const { signal, onProgress, expected = texts.length } = options;
    if (this.#workers > 1 && (this.#pool !== null || expected >= POOL_FROM)) {
      const pool = await this.#threads();
      if (pool !== null) return this.#embedInThreads(pool, texts, options);
    }
    const vectors: Int16Array<ArrayBuffer>[] = [];
    for (const text of texts) {
      if (signal?.aborted)
        throw abortedError(signal, `${texts.length} embeddings`, `a stop after ${vectors.length}`);
      vectors.push((await this.#loaded()).embedCanonical(text).vector);
      onProgress?.(vectors.length);
      await this.#breather.due();
    }
    return vectors;
  }

  /**
   * The pool; null if no thread can be started (a page without network, a strict policy). Then this thread does all the
   * work.
   */
  async #threads(): Promise<EmbedPool | null> {
    this.#pool ??= EmbedPool.create({ ...poolOptions(this.#options), workers: this.#workers });
    const starting = this.#pool;
    try {
      return await starting;
    } catch (error) {
      if (this.#pool === starting) this.#pool = null;
      if (error instanceof SelfsameError && error.code === "WORKER_FAILED") return null;
      throw error;
    }
  }

  async #embedInThreads(
    pool: EmbedPool,
    texts: readonly Uint8Array[],
    { signal, onProgress }: EmbedTextsOptions,
  ): Promise<Int16Array<ArrayBuffer>[]> {
    try {
      const embeddings = await pool.embedCanonical(texts, {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress: (done: number) => onProgress(done) } : {}),
      });
      return embeddings.map(({ vector }) => vector);
    } catch (error) {
      // A pool that has lost a thread cannot be used again; the next call starts another. A pool that was stopped still
      // works.
      if (!signal?.aborted) this.#closePool();
      throw error;
    }
  }

  close(): void {
    this.#closePool();
    this.#model = null;
  }

  #closePool(): void {
    this.#pool?.then((pool) => pool.close()).catch(() => undefined);
    this.#pool = null;
  }
}

/** Returns the part of a library's options that a thread needs. */
function poolOptions({ build, model, files, modelUrl }: ModelOptions): PoolOptions {
  return {
    ...(build === undefined ? {} : { build }),
    ...(model === undefined ? {} : { model }),
    ...(files === undefined ? {} : { files }),
    ...(modelUrl === undefined ? {} : { modelUrl }),
  };
}
