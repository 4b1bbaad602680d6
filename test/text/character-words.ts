import type { Engine } from "#dist/engine/engine.js";
import { Tokenizer } from "#dist/text/tokenizer.js";

const NO_LIMIT = 0x7fff_ffff;
const UNKNOWN = "[UNK]";
const SPECIALS = [UNKNOWN, "[CLS]", "[SEP]"];
const encoder = new TextEncoder();

/** The words of SPEC §6.2, seen through a vocabulary in which every assigned character is a token. */
export class CharacterWords {
  readonly #tokenizer: Tokenizer;
  readonly #characters: readonly string[];

  constructor(engine: Engine, characters: readonly string[]) {
    this.#characters = characters;
    const tokens = [...SPECIALS, ...characters.flatMap((c) => [c, `##${c}`])];
    this.#tokenizer = new Tokenizer(engine, { tokens, records: recordsOf(tokens), unk: 0, cls: 1, sep: 2 });
  }

  /** The words, each with a space before it. */
  of(text: string): string {
    const { ids } = this.#tokenizer.tokenizeCanonical(encoder.encode(text), NO_LIMIT);
    let words = "";
    for (const id of ids.subarray(1, -1)) {
      const at = id - SPECIALS.length;
      words += at < 0 ? ` ${UNKNOWN}` : `${at % 2 === 0 ? " " : ""}${this.#characters[at >> 1]}`;
    }
    return words;
  }
}

/** The same by the host's Unicode, step by step as in SPEC §6.2. */
export function hostWords(text: string): string {
  const words = text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu, "")
    .replace(/\p{White_Space}/gu, " ")
    .replace(
      /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu,
      " $& ",
    )
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(/./gsu, (c) => c.toLowerCase())
    .match(/[\p{P}$+<=>^`|~]|[^ \p{P}$+<=>^`|~]+/gu);
  return (words ?? []).map((word) => ` ${/\p{Cn}/u.test(word) ? UNKNOWN : word}`).join("");
}

/** The input of `vocabulary_load`: a u16 length and the token's UTF-8, one after another; a special is empty. */
function recordsOf(tokens: readonly string[]): Uint8Array<ArrayBuffer> {
  const records = new Uint8Array(tokens.reduce((sum, { length }) => sum + 2 + 3 * length, 0));
  let at = 0;
  tokens.forEach((token, id) => {
    const length = id < SPECIALS.length ? 0 : encoder.encodeInto(token, records.subarray(at + 2)).written;
    records[at] = length & 0xff;
    records[at + 1] = length >> 8;
    at += 2 + length;
  });
  return records.slice(0, at);
}
