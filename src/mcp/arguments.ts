import { z } from "zod";
import { SelfsameError } from "../index.ts";

/** Arguments that several tools have. */

export const dbPath = z
  .string()
  .min(1)
  .nullish()
  .describe("A library file within the server's roots; default: the server's own library");

export const query = z
  .string()
  .describe(
    'Words, or a question. What is found by words has every "phrase" word by word; what is found by meaning need not. ' +
      "Nothing that is found has an excluded -word.",
  );

export const mode = z
  .enum(["hybrid", "semantic", "lexical"])
  .default("hybrid")
  .describe("hybrid: by meaning and by words, fused; semantic: by meaning; lexical: by words");

/** What a person or an agent asks is far shorter, and the channels look at 256 tokens and 64 terms. */
const QUERY_LIMIT = 100_000;

export function checkQuery(text: string): string {
  if (text.length <= QUERY_LIMIT) return text;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a query of at most ${QUERY_LIMIT} characters, got ${text.length}`,
    "Ask a question, or give the sentence that matters most",
  );
}
