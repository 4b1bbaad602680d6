import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { utf8 } from "./canonical.ts";

/** The parts of a tokenizer.json that WordPiece needs. SPEC §6.1 */
export interface TokenizerFile {
  /** Every token, by id. */
  readonly tokens: readonly string[];
  readonly unk: number;
  readonly cls: number;
  readonly sep: number;
  /** One record per id, in order: length (u16, little-endian), then the bytes; length 0 for ids no text can produce. */
  readonly records: Uint8Array<ArrayBuffer>;
}

type Json = { readonly [name: string]: unknown };

const COUNT_MAX = 1 << 20;
const TOKEN_BYTES_MAX = 0xffff;

/**
 * Reads a Hugging Face `tokenizer.json` of the BERT kind. Its `truncation` and `padding` are ignored: the caller sets
 * the limit, and texts are never padded. Any other setting that would change tokens and is not supported is refused.
 *
 * @throws SelfsameError BAD_TOKENIZER, naming the member that is not as expected
 */
export function readTokenizerFile(json: string | Uint8Array, name = "tokenizer.json"): TokenizerFile {
  const file = parse(json, name);
  const model = object(file["model"], "model", name);
  expectMember(model, "type", "WordPiece", "model", name);
  expectMember(model, "continuing_subword_prefix", "##", "model", name);
  expectMember(model, "max_input_chars_per_word", 100, "model", name);
  const normalizer = object(file["normalizer"], "normalizer", name);
  expectMember(normalizer, "type", "BertNormalizer", "normalizer", name);
  expectMember(normalizer, "clean_text", true, "normalizer", name);
  expectMember(normalizer, "handle_chinese_chars", true, "normalizer", name);
  expectMember(normalizer, "lowercase", true, "normalizer", name);
  // null means "as lowercase says".
  if (normalizer["strip_accents"] !== null)
    expectMember(normalizer, "strip_accents", true, "normalizer", name);
  expectMember(
    object(file["pre_tokenizer"], "pre_tokenizer", name),
    "type",
    "BertPreTokenizer",
    "pre_tokenizer",
    name,
  );

  const ids = new Map<string, number>();
  const specials = new Set<number>();
  for (const [token, id] of Object.entries(object(model["vocab"], "model.vocab", name))) {
    ids.set(
      token,
      checkedId(id, () => `model.vocab[${JSON.stringify(token)}]`, name),
    );
  }
  for (const [i, entry] of array(file["added_tokens"] ?? [], "added_tokens", name).entries()) {
    const added = object(entry, `added_tokens[${i}]`, name);
    expectMember(added, "special", true, `added_tokens[${i}]`, name);
    if (typeof added["content"] !== "string")
      fail(name, `a string as added_tokens[${i}].content`, added["content"]);
    const id = checkedId(added["id"], () => `added_tokens[${i}].id`, name);
    const held = ids.get(added["content"]);
    if (held !== undefined && held !== id)
      fail(name, `id ${held} for the added token ${added["content"]}, as in model.vocab`, id);
    ids.set(added["content"], id);
    specials.add(id);
  }
  const tokens = inOrder(ids, name);
  const special = (token: string) => {
    const id = ids.get(token);
    if (id === undefined) return fail(name, `the token ${token} in model.vocab`, undefined);
    specials.add(id);
    return id;
  };
  const [cls, sep] = specialsAround(file["post_processor"], name);
  if (typeof model["unk_token"] !== "string") fail(name, "a string as model.unk_token", model["unk_token"]);
  const found = { unk: special(model["unk_token"]), cls: special(cls), sep: special(sep) };
  return { tokens, ...found, records: recordsOf(tokens, specials, name) };
}

function fail(name: string, expected: string, got: unknown): never {
  throw new SelfsameError(
    "BAD_TOKENIZER",
    `${name}: expected ${expected}, got ${got === undefined ? "nothing" : describeValue(got)}`,
    "Use the tokenizer.json of an uncased BERT model",
  );
}

function parse(json: string | Uint8Array, name: string): Json {
  try {
    const text = typeof json === "string" ? json : new TextDecoder("utf-8", { fatal: true }).decode(json);
    return object(JSON.parse(text), "the file", name);
  } catch (error) {
    if (error instanceof SelfsameError) throw error;
    throw new SelfsameError(
      "BAD_TOKENIZER",
      `${name}: expected JSON in UTF-8, got ${error instanceof Error ? error.message : String(error)}`,
      "Use the tokenizer.json of an uncased BERT model",
      { cause: error },
    );
  }
}

function object(value: unknown, what: string, name: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    fail(name, `an object as ${what}`, value);
  return value as Json;
}

function array(value: unknown, what: string, name: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(name, `an array as ${what}`, value);
  return value as readonly unknown[];
}

function expectMember(
  holder: Json,
  member: string,
  expected: string | number | boolean,
  what: string,
  name: string,
): void {
  if (holder[member] !== expected)
    fail(name, `${JSON.stringify(expected)} as ${what}.${member}`, holder[member]);
}

/** `what` is called only for an error: building it for each of 30,000 tokens would be costly. */
function checkedId(id: unknown, what: () => string, name: string): number {
  if (!Number.isInteger(id) || (id as number) < 0 || (id as number) >= COUNT_MAX)
    fail(name, `an id from 0 to ${COUNT_MAX - 1} as ${what()}`, id);
  return id as number;
}

/** Ids must be 0 … n−1, each once: they are rows of the model's embedding table. */
function inOrder(ids: ReadonlyMap<string, number>, name: string): string[] {
  const tokens: (string | undefined)[] = new Array(ids.size).fill(undefined);
  for (const [token, id] of ids) {
    if (id >= tokens.length)
      fail(name, `ids 0 to ${tokens.length - 1} for ${tokens.length} tokens`, { [token]: id });
    if (tokens[id] !== undefined)
      fail(name, `one token for id ${id} (it is ${JSON.stringify(tokens[id])})`, token);
    tokens[id] = token;
  }
  return tokens as string[];
}

/** Returns the special tokens before and after a single text, from either notation. */
function specialsAround(processor: unknown, name: string): [cls: string, sep: string] {
  const what = object(processor, "post_processor", name);
  if (what["type"] === "BertProcessing") {
    const [cls, sep] = [what["cls"], what["sep"]].map((pair) => (Array.isArray(pair) ? pair[0] : undefined));
    if (typeof cls === "string" && typeof sep === "string") return [cls, sep];
  }
  if (what["type"] === "TemplateProcessing" && Array.isArray(what["single"]) && what["single"].length === 3) {
    const [before, text, after] = what["single"] as Record<string, Record<string, unknown> | undefined>[];
    const cls = before?.["SpecialToken"]?.["id"];
    const sep = after?.["SpecialToken"]?.["id"];
    if (typeof cls === "string" && text?.["Sequence"] !== undefined && typeof sep === "string")
      return [cls, sep];
  }
  return fail(name, "a post_processor that puts one special before a text and one after it", processor);
}

function recordsOf(
  tokens: readonly string[],
  specials: ReadonlySet<number>,
  name: string,
): Uint8Array<ArrayBuffer> {
  // A UTF-16 unit becomes 3 bytes at most.
  const records = new Uint8Array(tokens.reduce((sum, { length }) => sum + 2 + 3 * length, 0));
  let at = 0;
  for (const [id, token] of tokens.entries()) {
    const length = specials.has(id) ? 0 : writeUtf8(records, at + 2, token);
    if (length > TOKEN_BYTES_MAX)
      fail(name, `tokens of at most ${TOKEN_BYTES_MAX} bytes`, `token ${id} of ${length}`);
    records[at] = length & 0xff;
    records[at + 1] = length >> 8;
    at += 2 + length;
  }
  return records.slice(0, at);
}

/** Returns the number of bytes written. Most tokens are ASCII and skip the host's encoder (4 times faster). */
function writeUtf8(out: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) {
      const bytes = utf8(text);
      out.set(bytes, at);
      return bytes.length;
    }
    out[at + i] = unit;
  }
  return text.length;
}
