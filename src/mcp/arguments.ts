import { z } from "zod";

/** Arguments that several tools share. */

export const dbPath = z.string().min(1).optional().describe("Another library file within the server's roots");

/** The same for tools of contracts, which may be given null. */
export const dbPathOrNull = z
  .string()
  .min(1)
  .nullish()
  .describe("A library file within the server's roots; default: the server's own library");

export const query = z
  .string()
  .describe('Words, or a question. Every result has a quoted "phrase"; none has an excluded -word');
