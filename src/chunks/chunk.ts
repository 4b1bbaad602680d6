import { runAtOnce } from "../engine/breather.ts";
import { utf8ToString } from "../text/canonical.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import type { Block } from "./block.ts";
import { type ChunkParameters, checkChunkParameters } from "./chunk-parameters.ts";
import { documentTokens } from "./document-tokens.ts";
import { formatOf } from "./format.ts";
import { codeBlocks, plainBlocks } from "./line-runs.ts";
import { markdownBlocks } from "./markdown.ts";
import { Packer, type Range } from "./packer.ts";

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
  return runAtOnce(chunkSteps(tokenizer, path, canonicalText, parameters));
}

/** As `chunkDocument`, in steps of some milliseconds each. */
export function* chunkSteps(
  tokenizer: Tokenizer,
  path: string,
  canonicalText: Uint8Array,
  parameters: ChunkParameters,
): Generator<void, Chunk[]> {
  checkChunkParameters(parameters);
  const chunks: Chunk[] = [];
  const tokens = yield* documentTokens(tokenizer, canonicalText);
  const packer = new Packer(tokenizer, canonicalText, tokens, parameters, (range: Range) => {
    const text = utf8ToString(canonicalText.subarray(range.start, range.end));
    chunks.push({ sequence: chunks.length, ...range, text });
  });
  let blocks: Block[] = [];
  const pack = function* (): Generator<void> {
    for (const block of blocks) yield* packer.block(block);
    blocks = [];
  };
  const scan = { markdown: markdownBlocks, code: codeBlocks, plain: plainBlocks }[formatOf(path)];
  const scanning = scan(canonicalText, (block) => blocks.push(block));
  while (scanning.next().done !== true) {
    yield* pack();
    yield;
  }
  yield* pack();
  packer.close();
  return chunks;
}
