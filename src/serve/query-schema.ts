/** The request and the answer of `POST /v1/hybrid/query`: contract 5's, field by field, and what goes beyond it. */
import { z } from "zod";
import { searchFields } from "../http/index.ts";
import { LIMITS } from "./limits.ts";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const namespaceName = z
  .string()
  .describe("1 to 64 of A-Z a-z 0-9 . _ : - and the first not a dot; default `default`");

/** Parameters of the library's search that the contract names differently: `filters` filters metadata here. */
const { filters: documentFilters, page_size: _, cursor: __, preset, ...others } = searchFields();

export const queryRequest = z.strictObject({
  query: z.string().min(1).max(LIMITS.queryMax).describe("Words, or a question"),
  namespace: namespaceName.optional(),
  filters: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .nullish()
    .describe("Only documents whose metadata has this value, or one of these values, under this key"),
  page_size: z.int().min(1).max(LIMITS.pageMax).optional().describe("Results per page; default 10"),
  cursor: z.string().nullish().describe("`next_cursor` of the page before, with the same other fields"),
  diversification: z
    .boolean()
    .optional()
    .describe("Make results differ from each other (MMR); default false"),
  diagnostics: z.boolean().optional().describe("Add each channel's score to every result; default true"),
  recall_first: z
    .boolean()
    .optional()
    .describe("Compare all vectors, even if a graph would answer; default false"),
  timeout_ms: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe(
      "After this time the answer is what was found by then: `degraded`, with a warning and without a receipt",
    ),
  document_filters: documentFilters!.describe("Filters on paths, media types, times, text and metadata"),
  preset: z
    .union([z.enum(["cfs", "rifflux", "orchestration", "docstokg"]), z.null()])
    .optional()
    .describe("The contract whose defaults hold; default `docstokg`; null for the library's own"),
  ...others,
});

export type QueryRequest = z.infer<typeof queryRequest>;

export const fusionWeights = z.strictObject({ bm25: z.number(), splade: z.number(), dense: z.number() });

export const queryResult = z.strictObject({
  doc_id: z.string().describe("The document's path"),
  chunk_id: z
    .string()
    .describe(
      "The path and the chunk's place in the document: `notes/ties.md#0`; or the `chunk_id` that it came with",
    ),
  vector_id: z
    .string()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .describe("The chunk's id as a UUID"),
  namespace: z.string(),
  score: z.number().describe("The fused score"),
  fused_rank: z.int().describe("The place in the whole list, from 1"),
  text: z.string(),
  highlights: z.array(z.string()).describe("The words that matched"),
  duplicates: z
    .array(z.string())
    .optional()
    .describe("With `near_duplicates`: the ids of the chunks that were folded into it"),
  provenance_offsets: z
    .array(z.tuple([z.int(), z.int()]))
    .describe(
      "Where they are in `text`: [start, end), in UTF-16 units, as `text.slice(start, end)` takes them",
    ),
  diagnostics: z
    .strictObject({
      bm25_score: z
        .number()
        .nullable()
        .describe("From 0 to 1 within the list; null if words did not find the chunk"),
      splade_score: z.number().nullable().describe("null if the sparse channel did not find the chunk"),
      dense_score: z
        .number()
        .nullable()
        .describe("The cosine, from 0 to 1; null if the vectors did not find the chunk"),
      fusion_weights: fusionWeights,
    })
    .optional()
    .describe("Left out if `diagnostics` is false"),
  metadata: z
    .record(z.string(), z.unknown())
    .describe("Of the document; and the fields that came with a chunk that was made elsewhere"),
});

export const receipt = z
  .looseObject({
    version: z.int(),
    canon: z.string(),
    root: z.string(),
    query: z.string(),
    digest: z.string(),
  })
  .describe(
    "What any device can check: POST /v1/namespaces/{name}/verify-receipt, or selfsame verify-receipt",
  );

export const queryAnswer = z.strictObject({
  results: z.array(queryResult),
  next_cursor: z.string().nullable(),
  total_candidates: z.int().describe("The number of distinct chunks that the channels found"),
  timings_ms: z.strictObject({
    lexical_ms: z.number(),
    dense_ms: z.number().describe("Embedding the query and searching the vectors"),
    fusion_ms: z.number(),
    total_ms: z.number(),
  }),
  fusion_weights: fusionWeights,
  stats: z.strictObject({
    faiss: z.strictObject({
      ntotal: z.int().describe("The number of vectors"),
      dimension: z.int(),
      index_type: z.enum(["Flat", "HNSW"]),
    }),
    lexical: z.strictObject({ bm25_latency_p95_ms: z.number() }),
  }),
  receipt: receipt.nullable().describe("null if the answer is partial"),
  notices: z
    .array(z.string())
    .describe(
      "What a person should know first: nothing is close, a word was corrected, all words are common ones",
    ),
  warnings: z.array(z.string()).describe("What could not be done, and what was done instead"),
  degraded: z.boolean().describe("Whether something worked less well than it should; `warnings` says what"),
  explanation: z.record(z.string(), z.unknown()).optional().describe("If `explain` was set"),
});

export type QueryAnswer = z.infer<typeof queryAnswer>;
export type QueryResult = z.infer<typeof queryResult>;
