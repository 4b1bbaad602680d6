/** The request and the answer of a recall as servers take and give them in JSON: the envelopes of the recall contract. */
import { z } from "zod";
import { BANDS, FEATURES, printReceipt, type RecallRequest, type RecallResponse } from "../index.ts";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const features = z.strictObject(Object.fromEntries(FEATURES.map((name) => [name, z.number()])));

const filters = z.strictObject({
  allow_shared: z.boolean().optional().describe("Whether shared documents may be seen; default true"),
  max_band: z.enum(BANDS).optional().describe("The highest band that may be seen; default GREEN"),
  roles: z.array(z.string()).max(64).optional().describe("Roles of the person that `readers` may name"),
  path: z.union([z.string(), z.array(z.string())]).optional(),
  mime: z.union([z.string(), z.array(z.string())]).optional(),
  modifiedAfter: z.union([z.number(), z.string()]).optional(),
  modifiedBefore: z.union([z.number(), z.string()]).optional(),
  contains: z.string().optional(),
  metadata: z.record(z.string(), z.union([scalar, z.array(scalar)])).optional(),
});

/** The fields of `ctx`. The library checks what they say. */
export const recallContext = z.strictObject({
  person_id: z
    .string()
    .optional()
    .describe("Who asks; documents with `readers` must name this person or a role"),
  space_id: z.string().optional().describe("The namespace"),
  focus_event_id: z.string().optional().describe("A document in focus, by path or id"),
  workspace: z.array(z.string()).max(16).optional().describe("Texts that a workspace shows at this moment"),
  time_budget_ms: z
    .number()
    .optional()
    .describe("How much work is done, by a fixed table: 5 to 1000; default 40"),
  top_k: z.int().optional().describe("How many memories: 1 to 100; default 12"),
  allow_cross_encoder: z
    .boolean()
    .optional()
    .describe("Whether a cross-encoder, if there is one, ranks the first memories again; default false"),
  mmr_lambda: z
    .number()
    .optional()
    .describe("0: as different as possible; 1: by relevance alone; default 0.35"),
  near_duplicates: z
    .int()
    .optional()
    .describe("Bits of 64 in which near-duplicates may differ; default 3, 0: off"),
  per_document: z.int().optional().describe("The most memories of one document: 1 to 100; default no limit"),
  filters: filters.optional(),
  now: z.int().optional().describe("Milliseconds since 1970; only with it the answer has a receipt"),
  affect: z.strictObject({ valence: z.number(), arousal: z.number() }).optional(),
  tom: z.array(z.string()).max(64).optional().describe("What the person has in mind: goals, beliefs"),
  weights: z.partialRecord(z.enum(FEATURES), z.number()).optional().describe("Other weights, by feature"),
  calibration: z.strictObject({ slope: z.number(), offset: z.number() }).optional(),
  stores: z.array(z.string()).optional().describe("The stores to ask; default all"),
  use_feedback: z.boolean().optional(),
  deadline_ms: z
    .int()
    .optional()
    .describe("A hard limit: stages may be left out, and then there is no receipt"),
});

export const recallRequest = z.strictObject({
  query_text: z.string().describe("The question"),
  ctx: recallContext.optional(),
});

const top = { doc_id: z.string(), chunk_id: z.string(), score: z.number(), reasons: z.array(z.string()) };

export const recallAnswer = z.strictObject({
  results: z.array(
    z.strictObject({
      ...top,
      text: z.string(),
      line: z.int().describe("Where the chunk starts in its document, from 1"),
      confidence: z.number(),
      source: z.string().describe("The store that ranked it best"),
      features,
      contributions: features.describe("Weight times feature; their sum is the score"),
      duplicates: z.array(z.string()).describe("Chunks that are nearly the same, folded into this one"),
      cross_encoder: z.number().optional(),
    }),
  ),
  used_time_ms: z.number(),
  trace: z.strictObject({
    stage: z.string(),
    top3: z.array(z.strictObject(top)),
    stages: z.array(z.strictObject({ stage: z.string(), candidates: z.int() })),
    budget: z.strictObject({
      time_budget_ms: z.number(),
      top_k: z.int(),
      candidates: z.int(),
      hops: z.int(),
      pairs: z.int(),
    }),
    clamped: z.array(z.string()),
    left_out: z.array(z.string()),
  }),
  now: z.int(),
  now_source: z.enum(["request", "clock"]),
  receipt: z.looseObject({ digest: z.string(), root: z.string() }).nullable(),
  warnings: z.array(z.string()),
});

/** Returns a checked request without the fields that were left open. */
export function recallRequestOf(given: z.infer<typeof recallRequest>): RecallRequest {
  return JSON.parse(JSON.stringify(given)) as RecallRequest;
}

/** Returns an answer as JSON, its receipt in the form that is verified. */
export function recallAnswerOf(answer: RecallResponse): z.infer<typeof recallAnswer> {
  const { receipt, ...rest } = answer;
  const printed = receipt === null ? null : (JSON.parse(printReceipt(receipt)) as object);
  return { ...(JSON.parse(JSON.stringify(rest)) as object), receipt: printed } as z.infer<
    typeof recallAnswer
  >;
}
