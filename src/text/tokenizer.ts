import { wordsOf } from "../engine/byte-order.ts";
import type { Engine } from "../engine/engine.ts";
import { BAD_RECORDS, DUPLICATE_TOKEN, ID_OUT_OF_RANGE, NO_MEMORY } from "../engine/exports.generated.ts";
import { type ErrorCode, SelfsameError } from "../errors/selfsame-error.ts";
import { canonicalBytes } from "./canonical.ts";
import type { TokenizerFile } from "./tokenizer-file.ts";

/** The tokens of one text. */
export interface Tokens {
  /** Token ids: indexes into the vocabulary. */
  readonly ids: Uint32Array<ArrayBuffer>;
  /** Two numbers per token: the UTF-8 bytes [start, end) of the canonical text that it covers; 0, 0 for specials. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** Whether the text had more tokens than the limit allows. */
  readonly truncated: boolean;
}

/** Reasons why `vocabulary_load` refuses a vocabulary. */
const LOAD_FAILURES: Readonly<Record<number, { code: ErrorCode; expected: string }>> = {
  [BAD_RECORDS]: { code: "BAD_TOKENIZER", expected: "1 to 1048576 well-formed token records" },
  [ID_OUT_OF_RANGE]: {
    code: "BAD_TOKENIZER",
    expected: "the ids of [UNK], [CLS] and [SEP] in the vocabulary",
  },
  [DUPLICATE_TOKEN]: { code: "BAD_TOKENIZER", expected: "a vocabulary without a token that occurs twice" },
  [NO_MEMORY]: { code: "OUT_OF_MEMORY", expected: "enough memory for the vocabulary" },
};

/** WordPiece with one vocabulary, which stays in the engine's memory permanently. SPEC §6 */
export class Tokenizer {
  readonly #engine: Engine;
  readonly #vocabulary: number;
  /** Every token, by id. */
  readonly tokens: readonly string[];

  /** @internal Use `loadTokenizer`. */
  constructor(engine: Engine, file: TokenizerFile) {
    this.#engine = engine;
    this.tokens = file.tokens;
    const mark = engine.exports.memory_mark();
    const records = engine.write(file.records);
    const { unk, cls, sep } = file;
    const load = engine.exports.vocabulary_load;
    const loaded = load(records, file.records.length, file.tokens.length, unk, cls, sep);
    const failure = LOAD_FAILURES[loaded];
    if (failure !== undefined) {
      engine.exports.memory_release(mark);
      throw new SelfsameError(failure.code, `expected ${failure.expected}, got none`);
    }
    this.#vocabulary = loaded >>> 0;
  }

  /** Returns the tokens of a text's canonical form, at most `limit` including [CLS] and [SEP]. The end is cut off. */
  tokenize(text: string | Uint8Array, limit: number): Tokens {
    return this.tokenizeCanonical(canonicalBytes(this.#engine, text), limit);
  }

  /** Like `tokenize`, for UTF-8 that is already canonical, or any part of it. Offsets count from its first byte. */
  tokenizeCanonical(text: Uint8Array, limit: number): Tokens {
    if (!Number.isInteger(limit) || limit < 2 || limit > 0x7fff_ffff) {
      throw new SelfsameError("BAD_ARGUMENT", `expected a limit of 2 to 2147483647 tokens, got ${limit}`);
    }
    return this.#engine.scope(() => {
      const input = this.#engine.write(text);
      // Prose has about one token per four bytes. If a text has more, the buffer is doubled and the text is read again.
      for (let room = Math.min(limit, 64 + (text.length >> 1)); ; room = Math.min(limit, room * 2)) {
        const tokens = this.#engine.scope(() => this.#run(input, text.length, room));
        if (!tokens.truncated || room === limit) return tokens;
      }
    });
  }

  #run(input: number, length: number, room: number): Tokens {
    const engine = this.#engine;
    const ids = engine.alloc(room * 4);
    const offsets = engine.alloc(room * 8);
    const count = engine.exports.tokenize(this.#vocabulary, ids, offsets, input, length, room);
    return {
      ids: wordsOf(engine.read(ids, count * 4)),
      offsets: wordsOf(engine.read(offsets, count * 8)),
      truncated: engine.exports.tokenize_truncated() === 1,
    };
  }
}
