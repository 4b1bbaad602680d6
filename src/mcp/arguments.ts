import { z } from "zod";
import { SelfsameError } from "../index.ts";

/** Arguments that several tools share. */

export const dbPath = z
  .string()
  .min(1)
  .nullish()
  .describe("A library file within the server's roots; default: the server's own library");

export const query = z
  .string()
  .describe(
    'Words, or a question. A quoted "phrase" is required of keyword matches, not of matches by meaning. ' +
      "No result contains an excluded -word.",
  );

export const mode = z
  .enum(["hybrid", "semantic", "lexical"])
  .default("hybrid")
  .describe("hybrid: by meaning and by words, fused by rank; semantic: by meaning; lexical: by words");

/** Real queries are far shorter, and a search reads 256 tokens and 64 terms at most. */
const QUERY_LIMIT = 100_000;

export function checkQuery(text: string): string {
  if (text.length <= QUERY_LIMIT) return text;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a query of at most ${QUERY_LIMIT} characters, got ${text.length}`,
    "Send a question, or the most important sentence",
  );
}
