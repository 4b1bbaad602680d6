import { SelfsameError } from "../errors/selfsame-error.ts";

/** The parameters that decide how a text is cut; part of a library's canon. SPEC §11.1 */
export interface ChunkParameters {
  /** The maximum number of tokens of a chunk, including both special tokens: what the model reads at once. */
  readonly maxTokens: number;
  /** The maximum number of tokens that the next chunk repeats where a block is cut. */
  readonly overlapTokens: number;
  /** The maximum number of UTF-8 bytes of a chunk, however few tokens they are. */
  readonly maxBytes: number;
}

const MAX_TOKENS_MIN = 8;
const MAX_BYTES_MIN = 32;
const PARAMETER_MAX = 1 << 20;

/**
 * Returns the parameters for a model that reads `limit` tokens: 256 gives 256 tokens, an overlap of 32 and 4096 bytes.
 */
export function chunkParameters(limit: number): ChunkParameters {
  return { maxTokens: limit, overlapTokens: Math.floor(limit / 8), maxBytes: limit * 16 };
}

/** Throws BAD_ARGUMENT for parameters with which no text can be cut. */
export function checkChunkParameters(parameters: ChunkParameters): void {
  check("maxTokens", parameters.maxTokens, MAX_TOKENS_MIN, PARAMETER_MAX);
  check("overlapTokens", parameters.overlapTokens, 0, parameters.maxTokens >> 1);
  check("maxBytes", parameters.maxBytes, MAX_BYTES_MIN, PARAMETER_MAX);
}

function check(name: string, value: number, lowest: number, highest: number): void {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return;
  throw new SelfsameError("BAD_ARGUMENT", `expected ${name} from ${lowest} to ${highest}, got ${value}`);
}
