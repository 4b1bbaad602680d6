import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { type Explanation, printReceipt, type SearchParameters, type SearchResult } from "../index.ts";
import { checkQuery, dbPath, query } from "./arguments.ts";
import { breakdown, scoreBreakdown } from "./search-rifflux.ts";
import type { Service } from "./service.ts";
import { toolResult } from "./tool-result.ts";

const count = z.int().min(1).max(10_000);
const several = z.union([z.string(), z.array(z.string())]);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const instant = z.union([z.number(), z.string()]);

const filters = z.strictObject({
  path: several.optional().describe('Patterns of paths, such as "docs/**"; one must match'),
  mime: several.optional().describe('Such as "text/markdown" or "text/*"; one must match'),
  modified_after: instant
    .optional()
    .describe("A date (UTC unless it names a zone), or milliseconds since 1970"),
  modified_before: instant.optional(),
  contains: z.string().optional().describe("A text that the document has somewhere; case counts"),
  metadata: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .optional()
    .describe("For each key its value, or several, one of which it must have"),
});

export const input = z.strictObject({
  db_path: dbPath,
  query,
  mode: z
    .enum(["hybrid", "semantic", "lexical", "keyword"])
    .optional()
    .describe("Default hybrid: by meaning and by words, fused"),
  top_k: count.optional().describe("How many results; default 10"),
  filters: filters.optional().describe("Which documents are searched; all that is given must hold"),
  filter_mode: z.enum(["pre", "post"]).optional(),
  diversify: z
    .union([z.boolean(), z.strictObject({ lambda: z.number().min(0).max(1).optional() })])
    .optional()
    .describe("Results unlike each other"),
  group_by: z.enum(["path"]).optional().describe("One result for each document"),
  page_size: count.optional().describe("Results in pages of this size, instead of the first top_k"),
  cursor: z.string().optional().describe("next_cursor of the page before"),
  explain: z.boolean().optional().describe("Tell how the ranking came about"),
  semantic_k: count
    .optional()
    .describe("How many candidates by meaning; default 20, or top_k if that is more"),
  lexical_k: count.optional().describe("How many candidates by words"),
  rrf_k: z.number().optional().describe("The constant of reciprocal rank fusion; default 60"),
  weights: z.strictObject({ semantic: z.number().optional(), lexical: z.number().optional() }).optional(),
  lexical_support: z
    .number()
    .optional()
    .describe(
      "The share of the query's terms that a chunk must have for its rank by words to count; default 0.5",
    ),
  ef: count.optional().describe("How widely the graph is searched, where it answers; default 50"),
  approximate: z.boolean().optional(),
  exact: z.boolean().optional().describe("Scan all vectors, where the graph would answer"),
  recall_first: z.boolean().optional(),
  prefer_coverage: z.boolean().optional().describe("Of equal scores, what both channels found stands first"),
  preset: z.enum(["cfs", "rifflux", "orchestration", "docstokg"]).optional().describe("Other defaults"),
});

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
      content: z.string(),
      score: z.number(),
      score_breakdown: scoreBreakdown,
      match: z.enum(["exact", "semantic", "hybrid"]),
      highlights: z
        .array(z.strictObject({ start: z.int(), end: z.int() }))
        .describe("In UTF-8 bytes of content"),
      modified_at: z.number().nullable(),
      mime: z.string().nullable(),
      metadata: z.unknown(),
    }),
  ),
  next_cursor: z.string().nullable(),
  warnings: z.array(z.string()),
  receipt: z
    .looseObject({ digest: z.string(), root: z.string() })
    .describe("What any device can check: the tool verify"),
  explanation: z
    .strictObject({
      total_candidates: z.int(),
      weights: z.strictObject({ semantic: z.number(), lexical: z.number() }),
      rrf_k: z.number(),
      match_expression: z.string().nullable(),
      semantic: z.array(z.strictObject({ ...listed, cosine: z.number() })),
      lexical: z.array(z.strictObject({ ...listed, bm25: z.number() })),
      fused: z.array(
        z.strictObject({ ...listed, path: z.string(), chunk_index: z.int(), score: z.number() }),
      ),
    })
    .optional(),
});

/** Search with everything that the library can, and a receipt of the answer. */
export function registerSearch(server: McpServer, service: Service): void {
  server.registerTool(
    "search",
    {
      title: "Search",
      description:
        "Find chunks of the indexed documents by meaning and by words, with filters, pages and an explanation if wanted. " +
        "The answer carries a receipt: any device with the same documents gives the same answer, bit by bit.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ db_path, query: asked, ...given }) =>
      toolResult(service, async () => {
        const text = checkQuery(asked);
        const path = await service.libraryPath(db_path);
        return service.libraries.use(path, async (library) => {
          const answer = await library.search(text, service.searchParameters(parametersOf(given)));
          return {
            value: {
              query: answer.query,
              mode: answer.mode,
              count: answer.results.length,
              embedding_model: library.model,
              results: answer.results.map(resultOf),
              next_cursor: answer.nextCursor,
              warnings: [...answer.warnings],
              receipt: JSON.parse(printReceipt(answer.receipt)),
              ...(answer.explanation === undefined ? {} : { explanation: explanationOf(answer.explanation) }),
            } satisfies z.infer<typeof output>,
          };
        });
      }),
  );
}

/** The library's names of the arguments that are given; it checks what they say. */
function parametersOf(given: Omit<z.infer<typeof input>, "db_path" | "query">): SearchParameters {
  const { filters: filter, ...rest } = given;
  return {
    ...renamed(rest),
    ...(filter === undefined
      ? {}
      : {
          filters: { ...renamed({ ...filter, metadata: undefined }), ...only("metadata", filter.metadata) },
        }),
  };
}

/** `top_k` is `topK`; what is not given is left out. */
function renamed(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
  );
}

function only(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}

function resultOf(result: SearchResult): z.infer<typeof output>["results"][number] {
  const { modifiedAt, mime, metadata } = result.document;
  return {
    chunk_id: result.chunkId,
    document_id: result.documentId,
    path: result.path,
    heading_path: result.breadcrumb,
    chunk_index: result.chunkIndex,
    content: result.content,
    score: result.score,
    score_breakdown: breakdown(result.scoreBreakdown),
    match: result.match,
    highlights: result.highlights.map(({ start, end }) => ({ start, end })),
    modified_at: modifiedAt,
    mime,
    metadata,
  };
}

function explanationOf(explanation: Explanation): NonNullable<z.infer<typeof output>["explanation"]> {
  const { semantic, lexical, fused } = explanation;
  return {
    total_candidates: explanation.totalCandidates,
    weights: explanation.weights,
    rrf_k: explanation.rrfK,
    match_expression: explanation.matchExpression,
    semantic: semantic.map(({ chunkId, rank, cosine }) => ({ chunk_id: chunkId, rank, cosine })),
    lexical: lexical.map(({ chunkId, rank, bm25 }) => ({ chunk_id: chunkId, rank, bm25 })),
    fused: fused.map(({ chunkId, chunkIndex, rank, path, score }) => ({
      chunk_id: chunkId,
      rank,
      path,
      chunk_index: chunkIndex,
      score,
    })),
  };
}
