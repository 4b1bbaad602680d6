import { z } from "zod";

/** Arguments that several tools share. */

export const dbPath = z
  .string()
  .min(1)
  .nullish()
  .describe("A library file within the server's roots; default: the server's own library");

export const query = z
  .string()
  .describe(
    'Words, or a question. Every result contains a quoted "phrase" (search_rifflux: every match by words). ' +
      "No result contains an excluded -word.",
  );

export const mode = z
  .enum(["hybrid", "semantic", "lexical"])
  .default("hybrid")
  .describe("hybrid: by meaning and by words, fused by rank; semantic: by meaning; lexical: by words");
