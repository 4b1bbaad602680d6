import platform from "#platform";
import { abortedError } from "../errors.ts";
import { loadModel, type ModelOptions } from "../model/load.ts";
import type { Model } from "../model/model.ts";
import { EmbedPool, type PoolOptions } from "../model/pool.ts";

/** From so many texts on, starting threads (0.4 s each, mostly reading the weights) pays. */
const POOL_FROM = 64;

export interface EmbedTextsOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** The model of a library: loaded when the first text comes, into more threads when many do. */
export class Embedder {
  readonly #options: ModelOptions;
  readonly #workers: number;
  #model: Promise<Model> | null = null;
  #pool: Promise<EmbedPool> | null = null;

  constructor(options: ModelOptions, workers: number | undefined) {
    this.#options = options;
    // A function that gives the engine's bytes cannot be sent to a thread.
    this.#workers = options.source === undefined ? (workers ?? platform.threads) : 1;
  }

  /** The vector of one text, a query for instance. */
  async embed(text: string | Uint8Array): Promise<Int16Array<ArrayBuffer>> {
    this.#model ??= loadModel(this.#options).then(({ model }) => model);
    return (await this.#model).embed(text).vector;
  }

  /** The vectors of all texts, in order; the same for any number of workers. */
  async embedMany(
    texts: readonly Uint8Array[],
    options: EmbedTextsOptions = {},
  ): Promise<Int16Array<ArrayBuffer>[]> {
    const { signal, onProgress } = options;
    if (texts.length >= POOL_FROM && this.#workers > 1) {
      this.#pool ??= EmbedPool.create({ ...poolOptions(this.#options), workers: this.#workers });
      const progress = onProgress === undefined ? {} : { onProgress: (done: number) => onProgress(done) };
      const embeddings = await (await this.#pool).embedMany(texts, {
        ...(signal ? { signal } : {}),
        ...progress,
      });
      return embeddings.map(({ vector }) => vector);
    }
    const vectors: Int16Array<ArrayBuffer>[] = [];
    for (const text of texts) {
      if (signal?.aborted)
        throw abortedError(signal, `${texts.length} embeddings`, `a stop after ${vectors.length}`);
      vectors.push(await this.embed(text));
      onProgress?.(vectors.length);
    }
    return vectors;
  }

  close(): void {
    this.#pool?.then((pool) => pool.close()).catch(() => undefined);
    this.#pool = null;
    this.#model = null;
  }
}

/** What a thread needs of the options of a library. */
function poolOptions({ build, model, files }: ModelOptions): PoolOptions {
  return {
    ...(build === undefined ? {} : { build }),
    ...(model === undefined ? {} : { model }),
    ...(files === undefined ? {} : { files }),
  };
}
