import { z } from "zod";
import { contractParameters, type ScoreBreakdown, SEARCH_PARAMETERS } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPathOrNull } from "./arguments.ts";
import { READS, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  db_path: dbPathOrNull,
  query: z
    .string()
    .describe(
      'Words, or a question. Every match by words contains a quoted "phrase". No result contains an excluded -word.',
    ),
  top_k: z.int().min(1).default(10).describe("How many results at most"),
  mode: z
    .enum(["hybrid", "semantic", "lexical"])
    .default("hybrid")
    .describe("hybrid: by meaning and by words, fused by rank; semantic: by meaning; lexical: by words"),
});

const rank = z.int().min(1).nullable();

/** Of the tool's mode, and of no other. */
export const scoreBreakdown = z.union([
  z.strictObject({ bm25: z.number() }),
  z.strictObject({ cosine: z.number() }),
  z.strictObject({ rrf: z.number(), lexical_rank: rank, semantic_rank: rank }),
]);

const output = z.strictObject({
  query: z.string(),
  mode: z.string(),
  count: z.int(),
  embedding_model: z.string(),
  results: z.array(
    z.strictObject({
      chunk_id: z.string(),
      path: z.string(),
      heading_path: z.string(),
      chunk_index: z.int().min(0),
      content: z.string(),
      score_breakdown: scoreBreakdown,
    }),
  ),
});

/** The tool of the Rifflux search contract: its names, its defaults, its candidates, and no field more. */
export const SEARCH_RIFFLUX = tool({
  name: "search_rifflux",
  description:
    "Find chunks of the indexed documents by meaning, by words, or by both, combined by reciprocal rank fusion. " +
    "Best first. score_breakdown says how each result was found.",
  input,
  output,
  isStructured: true,
  annotations: READS,
  run: (service: LibraryAccess, asked) =>
    toolResult(service, true, async () => {
      const path = await service.libraryPath(asked.db_path);
      return service.libraries.use(path, async (library) => {
        const parameters = contractParameters("rifflux", {
          mode: asked.mode,
          topK: Math.min(asked.top_k, SEARCH_PARAMETERS.topK.maximum), // the library gives no more
          rrfK: service.rrfK,
        });
        const { results, warnings } = await library.search(asked.query, parameters);
        return {
          warnings,
          text: null,
          value: {
            query: asked.query,
            mode: asked.mode,
            count: results.length,
            embedding_model: library.model,
            results: results.map((result) => ({
              chunk_id: result.chunkId,
              path: result.path,
              heading_path: result.breadcrumb,
              chunk_index: result.chunkIndex,
              content: result.content,
              score_breakdown: breakdown(result.scoreBreakdown),
            })),
          } satisfies z.infer<typeof output>,
        };
      });
    }),
});

export function breakdown(score: ScoreBreakdown): z.infer<typeof scoreBreakdown> {
  if (!("rrf" in score)) return score;
  return { rrf: score.rrf, lexical_rank: score.lexicalRank, semantic_rank: score.semanticRank };
}
