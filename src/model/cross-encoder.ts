import { wordsOf } from "../engine/byte-order.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import { checkManifest, type ModelManifest } from "./manifest.ts";
import { loadWeights, Model, type ModelFiles } from "./model.ts";
import { checkForwardCode, writeIds } from "./token-ids.ts";

/** Which cross-encoder it is, as receipts name it: what its logits depend on. */
export interface CrossEncoderIdentity {
  /** The sha256 digest of the file of its weights. */
  readonly weights: string;
  /** That of its tokenizer's. */
  readonly tokenizer: string;
  /** The most tokens of a pair. */
  readonly limit: number;
}

/** The tokens of a pair of texts. */
export interface PairTokens {
  /** `[CLS] a [SEP] b [SEP]` */
  readonly ids: Uint32Array<ArrayBuffer>;
  /** How many of them belong to the first text: they have type 0, the others type 1. */
  readonly first: number;
  /** Whether a text was cut. */
  readonly truncated: boolean;
}

/** A model that reads two texts together and returns one number: how well they fit. SPEC §8.6 */
export class CrossEncoder {
  /** Its manifest. */
  readonly manifest: ModelManifest;
  readonly #engine: Engine;
  readonly #tokenizer: Tokenizer;

  private constructor(engine: Engine, manifest: ModelManifest, tokenizer: Tokenizer) {
    this.#engine = engine;
    this.manifest = manifest;
    this.#tokenizer = tokenizer;
  }

  /** Checks the files against the manifest and loads them into `engine`, which must hold no other model. */
  static async load(engine: Engine, given: ModelManifest, files: ModelFiles): Promise<CrossEncoder> {
    const manifest = checkManifest(given, "the given manifest");
    if (manifest.head !== "classifier")
      throw new SelfsameError(
        "BAD_MODEL",
        `expected ${manifest.name} to be a cross-encoder (head: "classifier"), got a model that embeds texts`,
        "See docs/cross-encoder.md",
      );
    await loadWeights(engine, manifest, files.weights);
    return new CrossEncoder(engine, manifest, await Model.loadTokenizer(engine, manifest, files.tokenizer));
  }

  /** Which model it is, for receipts. */
  get identity(): CrossEncoderIdentity {
    const { files, limit } = this.manifest;
    return { weights: files.weights.sha256, tokenizer: files.tokenizer.sha256, limit };
  }

  /**
   * Returns the logit of a pair, a binary32: the higher, the better the text fits the query. A pure function of the two
   * canonical texts.
   */
  score(query: string, text: string): number {
    const { ids, first } = this.tokenizePair(query, text);
    return this.scoreIds(ids, first);
  }

  /** Returns the logit of the given ids, of which the first `first` are those of the first text. */
  scoreIds(ids: ArrayLike<number>, first: number): number {
    const engine = this.#engine;
    return engine.scope(() => {
      const out = engine.alloc(4);
      const code = engine.exports.classify(out, writeIds(engine, ids), ids.length, first);
      checkForwardCode(code, this.manifest, ids);
      const bits = wordsOf(engine.read(out, 4));
      return new Float32Array(bits.buffer, bits.byteOffset, 1)[0]!;
    });
  }

  /** Returns the tokens of a pair, of which the longer text is cut first. SPEC §8.6 */
  tokenizePair(a: string, b: string): PairTokens {
    const room = this.manifest.limit - 3;
    const [one, other] = [a, b].map((text) => this.#tokenizer.tokenize(text, room + 2)) as [Tokens, Tokens];
    const counts = pairLengths(one.ids.length - 2, other.ids.length - 2, room);
    const first = counts.a + 2;
    const ids = new Uint32Array(first + counts.b + 1);
    const sep = one.ids.at(-1)!;
    ids.set(one.ids.subarray(0, counts.a + 1));
    ids[first - 1] = sep;
    ids.set(other.ids.subarray(1, counts.b + 1), first);
    ids[ids.length - 1] = sep;
    const isCut = counts.a + counts.b < one.ids.length + other.ids.length - 4;
    return { ids, first, truncated: one.truncated || other.truncated || isCut };
  }
}

type Tokens = ReturnType<Tokenizer["tokenize"]>;

/** Returns how many tokens of each text are read, so that they have room together: the longer text is cut first. SPEC §8.6 */
function pairLengths(a: number, b: number, room: number): { readonly a: number; readonly b: number } {
  if (a + b <= room) return { a, b };
  const shorter = Math.min(a, b);
  if (2 * shorter <= room) return a <= b ? { a, b: room - a } : { a: room - b, b };
  const half = Math.floor(room / 2);
  return a <= b ? { a: half, b: room - half } : { a: room - half, b: half };
}
