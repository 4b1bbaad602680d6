import { SelfsameError } from "../errors/selfsame-error.ts";
import { utf8ToString } from "../text/canonical.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import { documentTokens } from "./document-tokens.ts";
import { formatOf } from "./format.ts";
import { codeBlocks, plainBlocks } from "./line-runs.ts";
import { markdownBlocks } from "./markdown.ts";
import { Packer, type Range } from "./packer.ts";

/** What decides how a text is cut; part of a library's canon. SPEC §11.1 */
export interface ChunkParameters {
  /** The most tokens of a chunk, both specials included: what the model reads at once. */
  readonly maxTokens: number;
  /** The most tokens that the next chunk repeats where a block is cut. */
  readonly overlapTokens: number;
  /** The most UTF-8 bytes of a chunk, however few tokens they are. */
  readonly maxBytes: number;
}

/** A part of a document. */
export interface Chunk {
  /** From 0, in the order of the text. */
  readonly sequence: number;
  /** The titles of the headings that it stands under, the outermost first. */
  readonly headingPath: readonly string[];
  /** `[start, end)` in the bytes of the document's canonical text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** How many tokens the text has, both specials included. */
  readonly tokens: number;
}

/** For a model that reads `limit` tokens: 256 gives 256 tokens, an overlap of 32 and 4096 bytes. */
export function chunkParameters(limit: number): ChunkParameters {
  return { maxTokens: limit, overlapTokens: Math.floor(limit / 8), maxBytes: limit * 16 };
}

const MAX_TOKENS_MIN = 8;
const MAX_BYTES_MIN = 32;
const PARAMETER_MAX = 1 << 20;

/**
 * The chunks of canonical text: whole blocks of one section together as far as they fit; a block that fits in no chunk
 * is cut at the best place (part, sentence, line, white space, word). Nothing but white space is left out. The same for
 * the same arguments, in time proportional to the text, whatever it is. SPEC §11
 */
export function chunkDocument(
  tokenizer: Tokenizer,
  path: string,
  canonicalText: Uint8Array,
  parameters: ChunkParameters,
): Chunk[] {
  checkChunkParameters(parameters);
  const chunks: Chunk[] = [];
  const tokens = documentTokens(tokenizer, canonicalText);
  const packer = new Packer(tokenizer, canonicalText, tokens, parameters, (range: Range) => {
    const text = utf8ToString(canonicalText.subarray(range.start, range.end));
    chunks.push({ sequence: chunks.length, ...range, text });
  });
  const scan = { markdown: markdownBlocks, code: codeBlocks, plain: plainBlocks }[formatOf(path)];
  scan(canonicalText, packer);
  packer.close();
  return chunks;
}

/** Throws BAD_ARGUMENT for parameters by which no text can be cut. */
export function checkChunkParameters(parameters: ChunkParameters): void {
  check("maxTokens", parameters.maxTokens, MAX_TOKENS_MIN, PARAMETER_MAX);
  check("overlapTokens", parameters.overlapTokens, 0, parameters.maxTokens >> 1);
  check("maxBytes", parameters.maxBytes, MAX_BYTES_MIN, PARAMETER_MAX);
}

function check(name: string, value: number, lowest: number, highest: number): void {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return;
  throw new SelfsameError("BAD_ARGUMENT", `expected ${name} from ${lowest} to ${highest}, got ${value}`);
}
