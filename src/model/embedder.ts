import { Breather } from "../engine/breather.ts";
import { threads } from "../engine/threads.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import { loadModel, type ModelOptions } from "./load.ts";
import type { Model } from "./model.ts";
import { EmbedPool, type PoolOptions } from "./pool.ts";

/** From so many texts on, starting threads (0.4 s each, mostly reading the weights) pays. */
const POOL_FROM = 64;

export interface EmbedTextsOptions {
  /** How many texts there will be, these and those of later calls; default: these. */
  readonly expected?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** The model of a library: loaded when the first text comes, into more threads when many do. */
export class Embedder {
  readonly #options: ModelOptions;
  readonly #workers: number;
  readonly #missing: SelfsameError | null;
  readonly #breather = new Breather();
  #model: Promise<Model> | null = null;
  #pool: Promise<EmbedPool> | null = null;

  /** @param missing what every call ends with, if it is not known which model to load */
  constructor(options: ModelOptions, workers: number | undefined, missing: SelfsameError | null = null) {
    this.#options = options;
    this.#missing = missing;
    // A function that gives the engine's bytes cannot be sent to a thread.
    this.#workers = options.source === undefined ? (workers ?? threads.count) : 1;
  }

  /** Loads the model now, so that the first text need not wait. */
  async prepare(): Promise<void> {
    await this.#loaded();
  }

  /** The vector of one text, a query for instance. */
  async embed(text: string | Uint8Array): Promise<Int16Array<ArrayBuffer>> {
    return (await this.#loaded()).embed(text).vector;
  }

  async #loaded(): Promise<Model> {
    if (this.#missing !== null) throw this.#missing;
    this.#model ??= loadModel(this.#options).then(({ model }) => model);
    const loading = this.#model;
    return loading.catch((error) => {
      // A file or a network that was away may be back at the next try.
      if (this.#model === loading) this.#model = null;
      throw error;
    });
  }

  /**
   * The vectors of all texts, in order; the same for any number of workers. Texts are canonical already, or parts of such.
   */
  async embedCanonical(
    texts: readonly Uint8Array[],
    options: EmbedTextsOptions = {},
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

  /** The pool; null if no thread can be started (a page without its network, a strict policy): then one does all. */
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
      // A pool that has lost a thread stays lost; the next call starts another. One that was stopped is sound.
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

/** What a thread needs of the options of a library. */
function poolOptions({ build, model, files, modelUrl }: ModelOptions): PoolOptions {
  return {
    ...(build === undefined ? {} : { build }),
    ...(model === undefined ? {} : { model }),
    ...(files === undefined ? {} : { files }),
    ...(modelUrl === undefined ? {} : { modelUrl }),
  };
}
