import { z } from "zod";
import {
  type Explanation,
  type Library,
  noticesOf,
  printReceipt,
  type SearchAnswer,
  type SearchResult,
} from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { inPages, input, listedInput, parametersOf } from "./search-input.ts";
import { breakdown, scoreBreakdown } from "./search-rifflux.ts";
import { searchText } from "./search-text.ts";
import { READS, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const listed = { chunk_id: z.string(), rank: z.int() };

const output = z.strictObject({
  query: z.string(),
  mode: z.string(),
  count: z.int(),
  embedding_model: z.string(),
  results: z.array(
    z.strictObject({
      chunk_id: z.string(),
      document_id: z.string(),
      path: z.string(),
      heading_path: z.string(),
      chunk_index: z.int(),
      line: z.int(),
      page: z.int().nullable(),
      content: z.string(),
      score: z.number(),
      score_breakdown: scoreBreakdown,
      match: z.enum(["lexical", "semantic", "sparse", "hybrid"]),
      cosine: z.number().nullable(),
      closeness: z.enum(["close", "related", "weak"]).nullable(),
      duplicates: z.array(z.string()).optional().describe("With near_duplicates: what was folded into it"),
      highlights: z
        .array(z.strictObject({ start: z.int(), end: z.int() }))
        .describe("In UTF-8 bytes of content"),
      modified_at: z.number().nullable(),
      mime: z.string().nullable(),
      metadata: z.unknown(),
    }),
  ),
  notices: z.array(z.string()).describe("What to know before reading the results"),
  next_cursor: z.string().nullable(),
  warnings: z.array(z.string()),
  receipt: z
    .looseObject({ digest: z.string(), root: z.string() })
    .describe("Any device can check it with the tool verify"),
  explanation: z
    .strictObject({
      total_candidates: z.int(),
      weights: z.strictObject({ semantic: z.number(), lexical: z.number(), sparse: z.number().optional() }),
      rrf_k: z.number(),
      match_expression: z.string().nullable(),
      semantic: z.array(z.strictObject({ ...listed, cosine: z.number() })),
      lexical: z.array(z.strictObject({ ...listed, bm25: z.number() })),
      sparse: z.array(z.strictObject({ ...listed, score: z.number() })).optional(),
      fused: z.array(
        z.strictObject({ ...listed, path: z.string(), chunk_index: z.int(), score: z.number() }),
      ),
    })
    .optional(),
});

/** Search with everything that the library can, and a receipt of the answer. */
export const SEARCH = tool({
  name: "search",
  description:
    "Search the user's documents by meaning and by words. Gives passages with path:line, best first, and the digest of a " +
    "receipt: the same on every device with the same documents",
  input,
  shown: listedInput,
  output,
  annotations: READS,
  run: (service: LibraryAccess, asked) => {
    const explains = (asked.options as Record<string, unknown> | undefined)?.["explain"] === true;
    return toolResult(service, asked.structured || explains, async () => {
      const path = await service.libraryPath(asked.options?.db_path);
      return service.libraries.use(path, async (library) => {
        const parameters = inPages(service.searchParameters(parametersOf(asked)));
        const answer = await library.search(asked.query, parameters);
        return { value: fieldsOf(library, answer), text: () => searchText(answer) };
      });
    });
  },
});

function fieldsOf(library: Library, answer: SearchAnswer): z.infer<typeof output> {
  return {
    query: answer.query,
    mode: answer.mode,
    count: answer.results.length,
    embedding_model: library.model,
    results: answer.results.map(resultOf),
    notices: noticesOf(answer),
    next_cursor: answer.nextCursor,
    warnings: [...answer.warnings],
    receipt: JSON.parse(printReceipt(answer.receipt)),
    ...(answer.explanation === undefined ? {} : { explanation: explanationOf(answer.explanation) }),
  };
}

function resultOf(result: SearchResult): z.infer<typeof output>["results"][number] {
  const { modifiedAt, mime, metadata } = result.document;
  return {
    chunk_id: result.chunkId,
    document_id: result.documentId,
    path: result.path,
    heading_path: result.breadcrumb,
    chunk_index: result.chunkIndex,
    line: result.line,
    page: result.page,
    content: result.content,
    score: result.score,
    score_breakdown: breakdown(result.scoreBreakdown),
    match: result.match,
    cosine: result.cosine,
    closeness: result.closeness,
    ...(result.duplicates === undefined ? {} : { duplicates: [...result.duplicates] }),
    highlights: result.highlights.map(({ start, end }) => ({ start, end })),
    modified_at: modifiedAt,
    mime,
    metadata,
  };
}

function explanationOf(explanation: Explanation): NonNullable<z.infer<typeof output>["explanation"]> {
  const { semantic, lexical, sparse, fused } = explanation;
  return {
    total_candidates: explanation.totalCandidates,
    weights: explanation.weights,
    rrf_k: explanation.rrfK,
    match_expression: explanation.matchExpression,
    semantic: semantic.map(({ chunkId, rank, cosine }) => ({ chunk_id: chunkId, rank, cosine })),
    lexical: lexical.map(({ chunkId, rank, bm25 }) => ({ chunk_id: chunkId, rank, bm25 })),
    ...(sparse === undefined
      ? {}
      : { sparse: sparse.map(({ chunkId, rank, score }) => ({ chunk_id: chunkId, rank, score })) }),
    fused: fused.map(({ chunkId, chunkIndex, rank, path, score }) => ({
      chunk_id: chunkId,
      rank,
      path,
      chunk_index: chunkIndex,
      score,
    })),
  };
}
