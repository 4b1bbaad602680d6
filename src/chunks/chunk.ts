import { runAtOnce } from "../engine/breather.ts";
import { utf8ToString } from "../text/canonical.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import { eachBlock } from "./block.ts";
import { type ChunkParameters, checkChunkParameters } from "./chunk-parameters.ts";
import { codeBlocks } from "./code.ts";
import { documentTokens } from "./document-tokens.ts";
import { type Format, formatOf } from "./format.ts";
import { plainBlocks } from "./line-runs.ts";
import { markdownBlocks } from "./markdown.ts";
import { Packer, type Range } from "./packer.ts";
import { TextPlaces } from "./text-places.ts";

/** A part of a document. */
export interface Chunk {
  /** Counts from 0, in the order of the text. */
  readonly sequence: number;
  /** The titles of the headings that the chunk is under, the outermost first. */
  readonly headingPath: readonly string[];
  /** `[start, end)` in the bytes of the document's canonical text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The line of the canonical text that it starts in, from 1: the line of the file, too. SPEC §11.1 */
  readonly line: number;
  /** The page that it starts on, from 1: form feeds separate pages. */
  readonly page: number;
  /** The number of tokens of the text, including both special tokens. */
  readonly tokens: number;
}

/**
 * Returns the chunks of canonical text. Whole blocks of one section are packed together as far as they fit. A block
 * that does not fit in a chunk is cut at the best place (part, sentence, line, white space, word). Only white space is
 * left out. The result is the same for the same arguments, and the time is proportional to the text, whatever it
 * contains. SPEC §11
 */
export function chunkDocument(
  tokenizer: Tokenizer,
  path: string,
  canonicalText: Uint8Array,
  parameters: ChunkParameters,
  format: Format = formatOf(path),
): Chunk[] {
  return runAtOnce(chunkSteps(tokenizer, canonicalText, parameters, format));
}

/** Like `chunkDocument`, in steps of a few milliseconds each. */
export function* chunkSteps(
  tokenizer: Tokenizer,
  canonicalText: Uint8Array,
  parameters: ChunkParameters,
  format: Format,
): Generator<void, Chunk[]> {
  checkChunkParameters(parameters);
  const chunks: Chunk[] = [];
  const places = new TextPlaces(canonicalText);
  const tokens = yield* documentTokens(tokenizer, canonicalText);
  const packer = new Packer(tokenizer, canonicalText, tokens, parameters, (range: Range) => {
    const text = utf8ToString(canonicalText.subarray(range.start, range.end));
    chunks.push({ sequence: chunks.length, ...range, ...places.at(range.start), text });
  });
  const scan = { markdown: markdownBlocks, code: codeBlocks, plain: plainBlocks }[format];
  yield* eachBlock(
    (sink) => scan(canonicalText, sink),
    (block) => packer.block(block),
  );
  packer.close();
  return chunks;
}
