import type { z } from "zod";
import { DEFAULT_MODEL, type ModelOptions } from "../index.ts";
import { type Embedding, EmbedPool } from "../library/engine-entry.ts";
import { refused } from "./failure.ts";
import type { embeddingsAnswer, embeddingsRequest, modelsAnswer } from "./schemas.ts";

type Request = z.infer<typeof embeddingsRequest>;
type Answer = z.infer<typeof embeddingsAnswer>;

/** Component values of vectors are this many times too large to be integers. SPEC §9.3 */
const SCALE = 32_767;
/** No embedding reads more: the model sees the first few hundred tokens. */
const INPUT_MAX = 1_000_000;

export interface EmbeddingsOptions {
  readonly model?: string;
  readonly build?: ModelOptions["build"];
  readonly workers?: number;
}

/** OpenAI's endpoints for embeddings, which clients of that API use unchanged. Only what is sent is embedded. */
export class Embeddings {
  readonly #options: EmbeddingsOptions;
  #pool: Promise<EmbedPool> | null = null;

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
  }

  get model(): string {
    return this.#options.model ?? DEFAULT_MODEL;
  }

  /** Answers `POST /v1/embeddings`. */
  async embed(request: Request, signal: AbortSignal): Promise<Answer> {
    const { model, input, encoding_format = "float", dimensions } = request;
    if (model !== this.model)
      throw refused(
        404,
        "MODEL_NOT_FOUND",
        `expected the model ${this.model}, got ${model}`,
        "GET /v1/models lists it",
      );
    const texts = typeof input === "string" ? [input] : input;
    const long = texts.findIndex((text) => text.length > INPUT_MAX);
    if (long >= 0)
      throw refused(
        400,
        "BAD_ARGUMENT",
        `expected texts of at most ${INPUT_MAX} characters, got ${texts[long]!.length} in input ${long}`,
        "The model reads only the beginning of a long text",
      );
    const pool = await this.#started();
    const embedded = await pool.embedMany(texts, { signal });
    const dim = embedded[0]?.vector.length ?? 0;
    if (dimensions !== undefined && dimensions !== dim)
      throw refused(
        400,
        "BAD_ARGUMENT",
        `expected ${dim} dimensions, got ${dimensions}`,
        "Leave out dimensions",
      );
    const tokens = embedded.reduce((sum, each) => sum + each.tokens, 0);
    return {
      object: "list",
      data: embedded.map((each, index) => ({
        object: "embedding",
        index,
        embedding: encoding_format === "base64" ? base64Of(each) : [...floatsOf(each)],
      })),
      model: this.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
  }

  /** Answers `GET /v1/models`. */
  models(): z.infer<typeof modelsAnswer> {
    return { object: "list", data: [{ id: this.model, object: "model", created: 0, owned_by: "selfsame" }] };
  }

  async close(): Promise<void> {
    (await this.#pool?.catch(() => null))?.close();
  }

  /** The threads are started for the first request: most servers get none. */
  #started(): Promise<EmbedPool> {
    const { model, build, workers } = this.#options;
    this.#pool ??= EmbedPool.create({
      ...(model === undefined ? {} : { model }),
      ...(build === undefined ? {} : { build }),
      ...(workers === undefined ? {} : { workers }),
    }).catch((error) => {
      this.#pool = null; // a file that was missing may be there at the next request
      throw error;
    });
    return this.#pool;
  }
}

/** The i16 components as binary32, of which they are exact multiples before the division. */
function floatsOf({ vector }: Embedding): Float32Array {
  return Float32Array.from(vector, (component) => component / SCALE);
}

/** Little-endian, as clients read it, whatever this device's order is. */
function base64Of(embedding: Embedding): string {
  const floats = floatsOf(embedding);
  const bytes = Buffer.alloc(4 * floats.length);
  floats.forEach((value, i) => {
    bytes.writeFloatLE(value, 4 * i);
  });
  return bytes.toString("base64");
}
