/** What a coordinator asks shards about searches, and what they answer: JSON, checked on both sides. SPEC §29.4 */
import { z } from "zod";
import { COUNT_MAX } from "../search/parameter-table.ts";
import { ITEMS_MAX, WORDS_MAX } from "../search/parse-query.ts";

/** The most chunks of one list, and of one request for contents. */
const CHUNKS_MAX = 100_000;
/** The terms of a query's sparse vector, or its tokens. */
const TERMS_MAX = 65_536;

const id = z.string().regex(/^[0-9a-f]{32}$/);
const vector = z.string().regex(/^([0-9a-f]{16}){1,512}$/); // the components, little-endian: a multiple of 8
const hex = z.string().regex(/^([0-9a-f]{2})*$/);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const most = z.number().int().min(1).max(COUNT_MAX);
const word = z.string().min(1).max(100_000);
const words = z.array(word);
const ids = z.array(id).max(CHUNKS_MAX);
const query = z.object({
  phrases: words.max(ITEMS_MAX),
  terms: words.max(ITEMS_MAX),
  excluded: words.max(ITEMS_MAX),
});

const lists = z.object({
  query,
  bindsPhrases: z.boolean(),
  filters: z.record(z.string(), z.unknown()).nullable(),
  lexical: z.object({ k: most, scoring: z.enum(["bm25", "bm25plus"]) }).nullable(),
  semantic: z.object({ vector, k: most, ef: most, allowsGraph: z.boolean() }).nullable(),
  sparse: z
    .object({
      terms: z
        .object({ terms: z.array(z.string()).max(TERMS_MAX), weights: z.array(count).max(TERMS_MAX) })
        .nullable(),
      tokens: z.array(z.string()).max(TERMS_MAX),
      k: most,
    })
    .nullable(),
});

/** What all shards know together. */
const whole = z.object({
  words: z.object({
    totals: z.object({ chunks: count, tokens: count }),
    items: words.max(3 * ITEMS_MAX),
    having: z.array(count).max(3 * ITEMS_MAX),
  }),
  excluded: count,
  sparse: z.object({
    size: count,
    tokens: z.array(z.string()).max(TERMS_MAX),
    having: z.array(count).max(TERMS_MAX),
  }),
  segments: count,
  answersByGraph: z.boolean(),
});

/** What is wanted of every chunk that a list names, so that nobody has to ask for it afterwards. */
const wanted = z.object({
  /** The dot product with this vector. */
  vector: vector.nullable(),
  simHashes: z.boolean(),
  /** Whether the document passes these filters. */
  filters: z.record(z.string(), z.unknown()).nullable(),
});

const number = z.number();
/** One number for each chunk of a list. */
const numbers = z.array(number).max(CHUNKS_MAX);
const text = z.string();

/** Of every chunk that a list names, in columns. What was not wanted is null. */
const named = z.object({
  ids,
  documents: ids,
  paths: z.array(text).max(CHUNKS_MAX),
  sequences: z.array(count).max(CHUNKS_MAX),
  /** null for a chunk without a vector. */
  dots: z.array(number.nullable()).max(CHUNKS_MAX).nullable(),
  /** "" for a chunk without terms. */
  simHashes: z.array(hex.max(16)).max(CHUNKS_MAX).nullable(),
  passing: z.array(z.boolean()).max(CHUNKS_MAX).nullable(),
});

const fields = z.record(text, z.unknown()).nullable();

const content = z.object({
  line: number,
  page: number.nullable(),
  text,
  searchText: text,
  headingPath: z.array(text),
  fields,
  document: z.object({ modifiedAt: number.nullable(), mime: text.nullable(), metadata: z.unknown() }),
});

const nearWords = z.object({
  distance: count,
  words: z.array(z.object({ word: text, chunks: count })),
});

/** The questions about searches: what is given, and what is answered. */
export const SEARCH_QUESTIONS = {
  count: {
    given: z.object({
      words: words.max(2 * WORDS_MAX),
      items: words.max(3 * ITEMS_MAX),
      tokens: z.array(text).max(TERMS_MAX),
    }),
    answer: z.object({ occur: z.array(z.boolean()), having: z.array(count), sparse: z.array(count) }),
  },
  near: { given: z.object({ words: words.max(2 * WORDS_MAX) }), answer: z.array(nearWords) },
  lists: {
    given: z.object({ lists, whole, wanted }),
    answer: z.object({
      lexical: z.object({ ids, bm25: numbers }),
      semantic: z.object({ ids, dots: numbers }),
      sparse: z.object({ ids, scores: numbers }),
      named,
    }),
  },
  /** Vectors in hexadecimal, "" for a chunk without one. */
  vectors: { given: z.object({ ids }), answer: z.array(hex).max(CHUNKS_MAX) },
  contents: { given: z.object({ ids }), answer: z.array(content).max(CHUNKS_MAX) },
};

export type WholeGiven = z.infer<typeof whole>;
export type NamedChunks = z.infer<typeof named>;
