import { littleEndianBytes, vectorOf, wordsOf } from "../engine/byte-order.ts";
import { blake3, toHex } from "../engine/digest.ts";
import type { Build, Engine } from "../engine/engine.ts";
import { checkFile } from "../engine/pinned-file.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { Tokenizer, type Tokens } from "../text/tokenizer.ts";
import { readTokenizerFile } from "../text/tokenizer-file.ts";
import { loadBert } from "./bert.ts";
import { checkEmbeds, checkManifest, type ModelManifest } from "./manifest.ts";
import { readSafetensors } from "./safetensors.ts";
import { checkForwardCode, writeIds } from "./token-ids.ts";

/** The embedding of a text: the same integers on every device. */
export interface Embedding {
  /** `dim` integers of 16 bits; a unit vector times 32767. */
  readonly vector: Int16Array<ArrayBuffer>;
  /** BLAKE3 of the vector's little-endian bytes, in hexadecimal: a short form for people to compare. */
  readonly digest: string;
  /** Number of tokens that were read, including [CLS] and [SEP]. */
  readonly tokens: number;
  /** Whether the text was longer than the model's limit, so that its end was not read. */
  readonly truncated: boolean;
}

/** The bytes of a model's two files. */
export interface ModelFiles {
  /** The safetensors file. */
  readonly weights: Uint8Array;
  /** The tokenizer.json file. */
  readonly tokenizer: Uint8Array;
}

/** Checks the weights against the manifest and loads them into `engine`, which must hold no other model. SPEC §8.1 */
export async function loadWeights(
  engine: Engine,
  manifest: ModelManifest,
  weights: Uint8Array,
): Promise<void> {
  const file = manifest.files.weights;
  await checkFile(weights, file);
  loadBert(engine, manifest, readSafetensors(weights, file.path), file.path);
}

/** One model in one engine: text in, integers out. SPEC §9.4 */
export class Model {
  /** The model's manifest. */
  readonly manifest: ModelManifest;
  /** Its tokenizer. */
  readonly tokenizer: Tokenizer;
  readonly #engine: Engine;

  private constructor(engine: Engine, manifest: ModelManifest, tokenizer: Tokenizer) {
    this.#engine = engine;
    this.manifest = manifest;
    this.tokenizer = tokenizer;
  }

  /** Checks the files against the manifest and loads them into `engine`, which must hold no other model. SPEC §8.1 */
  static async load(engine: Engine, given: ModelManifest, files: ModelFiles): Promise<Model> {
    const manifest = checkManifest(given, "the given manifest");
    checkEmbeds(manifest);
    await loadWeights(engine, manifest, files.weights);
    return new Model(engine, manifest, await Model.loadTokenizer(engine, manifest, files.tokenizer));
  }

  /** Loads the model's tokenizer alone, checked against the manifest. */
  static async loadTokenizer(engine: Engine, manifest: ModelManifest, bytes: Uint8Array): Promise<Tokenizer> {
    const file = manifest.files.tokenizer;
    await checkFile(bytes, file);
    const vocabulary = readTokenizerFile(bytes, file.path);
    if (vocabulary.tokens.length !== manifest.vocabulary) {
      throw new SelfsameError(
        "BAD_TOKENIZER",
        `${file.path}: expected ${manifest.vocabulary} tokens, got ${vocabulary.tokens.length}`,
        "The tokenizer belongs to another model",
      );
    }
    return new Tokenizer(engine, vocabulary);
  }

  /** The model's name in its manifest. */
  get name(): string {
    return this.manifest.name;
  }

  /** The length of every vector. */
  get dim(): number {
    return this.manifest.hidden;
  }

  /** The build that runs it. */
  get build(): Build {
    return this.#engine.build;
  }

  /** Bytes of WebAssembly memory that the model uses. */
  get memoryBytes(): number {
    return this.#engine.exports.memory.buffer.byteLength;
  }

  /** Returns the tokens of a text's canonical form, within the model's limit. */
  tokenize(text: string | Uint8Array): Tokens {
    return this.tokenizer.tokenize(text, this.manifest.limit);
  }

  /**
   * Returns the embedding of one text, a pure function of its canonical form.
   *
   * @example
   * const { vector, digest } = model.embed("The quick brown fox");
   */
  embed(text: string | Uint8Array): Embedding {
    return this.#embedTokens(this.tokenize(text));
  }

  /** @internal Like `embed`, for UTF-8 that is already canonical, or any part of it. SPEC §6.3 */
  embedCanonical(text: Uint8Array): Embedding {
    return this.#embedTokens(this.tokenizer.tokenizeCanonical(text, this.manifest.limit));
  }

  #embedTokens({ ids, truncated }: Tokens): Embedding {
    const vector = this.embedIds(ids);
    return {
      vector,
      digest: toHex(blake3(this.#engine, littleEndianBytes(vector))),
      tokens: ids.length,
      truncated,
    };
  }

  /** Returns the vector of the given token ids, which include [CLS] and [SEP]. */
  embedIds(ids: ArrayLike<number>): Int16Array<ArrayBuffer> {
    const engine = this.#engine;
    return engine.scope(() => {
      const out = engine.alloc(this.dim * 2);
      checkForwardCode(engine.exports.embed(out, writeIds(engine, ids), ids.length), this.manifest, ids);
      return vectorOf(engine.bytes(out, this.dim * 2));
    });
  }

  /**
   * Returns the bit patterns of the states after the embeddings and after each layer, tokens by channels. For test
   * vectors.
   */
  hiddenStates(ids: ArrayLike<number>): Uint32Array<ArrayBuffer>[] {
    const engine = this.#engine;
    const { forward_embeddings: embeddings, forward_layer: layer, forward_states: at } = engine.exports;
    const count = ids.length * this.dim;
    const states = () => wordsOf(engine.read(at(), count * 4));
    return engine.scope(() => {
      checkForwardCode(embeddings(writeIds(engine, ids), ids.length, ids.length), this.manifest, ids);
      const all = [states()];
      for (let i = 0; i < this.manifest.layers; i++) {
        checkForwardCode(layer(i, ids.length), this.manifest, ids);
        all.push(states());
      }
      return all;
    });
  }
}
