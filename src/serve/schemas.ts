/** The requests and answers of all other endpoints. */
import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { namespaceName, receipt } from "./query-schema.ts";

export const errorAnswer = z.strictObject({
  error: z.strictObject({
    code: z.string().describe("Stable, for programs to branch on"),
    message: z.string().describe("What was expected and what came instead"),
    hint: z.string().describe("What to do about it; may be empty"),
  }),
});

export const namespaceQuery = z.strictObject({ namespace: namespaceName.optional() });

export const ingestQuery = namespaceQuery.extend({
  vectors: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Where the vectors of a new namespace come from: the name of another model, under which chunks have their dense vector, or `model` for this server's own; default: as the first chunk says",
    ),
  dimension: z.coerce
    .number()
    .pipe(z.int().min(8).max(4096))
    .optional()
    .describe("The length of those vectors; default: that of the first one"),
  dedupe_threshold: z.coerce
    .number()
    .pipe(z.number().min(0).max(0.999))
    .optional()
    .describe(
      "Of a new namespace: a chunk whose cosine with an earlier one is larger is stored and not ranked",
    ),
});

const weighted = z.strictObject({ terms: z.array(z.string()), weights: z.array(z.number()) });

/** Only for the description: the library checks chunks. */
export const chunk = z
  .looseObject({
    uuid: z.string().describe("32 hexadecimal digits, with or without hyphens: the chunk keeps it as its id"),
    doc_id: z.string().describe("The document; its chunks are exactly those of this request"),
    text: z.string(),
    chunk_id: z.union([z.string(), z.int()]).optional(),
    num_tokens: z.int().optional(),
    source_chunk_idxs: z.array(z.int()).optional(),
    doc_items_refs: z.array(z.string()).optional(),
    source_path: z.string().optional(),
    vector: z
      .array(z.number())
      .optional()
      .describe('The dense vector; or under the name of its model: `"Qwen3-4B": {"vector": […]}`'),
    sparse: weighted.optional().describe("The sparse vector; or as `SpladeV3`"),
    bm25: weighted.optional().describe("Kept and given back; or as `BM25`"),
    namespace: namespaceName.optional(),
  })
  .describe("A chunk that was made elsewhere. Every other member is kept, and comes back as metadata");

export const document = z.strictObject({
  path: z.string().min(1).describe("The document's name: adding it again updates the document"),
  text: z.string(),
  metadata: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("Anything; `filters` of a query can ask for it"),
  modified_at: z
    .union([z.int(), z.iso.datetime({ offset: true })])
    .nullish()
    .describe("Milliseconds since 1970, or a date with its time zone"),
  mime: z.string().nullish().describe("Such as `text/markdown`"),
  namespace: namespaceName.optional().describe("Instead of the parameter; the same in all documents"),
});

export const ingestAnswer = z.strictObject({
  namespace: z.string(),
  received: z.int(),
  added: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
  chunks: z.int().describe("The number of chunks that were written"),
  embedded: z.int().describe("How many texts had to be embedded; the others were known"),
  near_duplicates: z.int().describe("How many chunks of the namespace are stored and not ranked"),
  rejections: z
    .array(
      z.strictObject({
        row: z.int().describe("The number of the document in the request, from 1"),
        path: z.string().nullable(),
        code: z.string(),
        reason: z.string(),
      }),
    )
    .describe("The first 100"),
  root: z.string(),
  metadata_root: z.string(),
  duration_ms: z.number(),
});

export const deleteRequest = z.strictObject({
  namespace: namespaceName.optional(),
  paths: z.array(z.string()).min(1).max(LIMITS.pathsMax),
});

export const deleteAnswer = z.strictObject({
  namespace: z.string(),
  removed: z.int(),
  missing: z.array(z.string()),
  root: z.string(),
});

export const namespaceStats = z.looseObject({
  ntotal: z.int().nullable().describe("The number of vectors; null if the library cannot be read"),
  documents: z.int().nullable(),
  last_used: z.string().nullable(),
  open: z.boolean(),
  degraded: z.boolean(),
  warnings: z.array(z.string()),
});

export const statsAnswer = z.strictObject({
  namespaces: z.record(z.string(), namespaceStats),
  lexical: z.record(z.string(), z.strictObject({ bm25_latency_p95_ms: z.number() })),
  configuration: z.strictObject({
    max_active_namespaces: z.int(),
    notices: z.array(z.string()).describe("Settings that have another effect here than they say, or none"),
  }),
  degraded: z.boolean(),
});

export const healthAnswer = z.strictObject({
  status: z.enum(["ok", "degraded", "broken"]),
  degraded: z.boolean(),
  version: z.string(),
  engine: z.strictObject({
    build: z.string().nullable(),
    probe: z.enum(["passed", "failed"]),
  }),
  model: z.strictObject({ name: z.string(), weights: z.enum(["present", "missing"]) }),
  namespaces: z
    .record(z.string(), namespaceStats)
    .describe("Those that are open, and those that are degraded"),
  warnings: z.array(z.string()),
});

export const namespacesAnswer = z.strictObject({
  namespaces: z.array(namespaceStats.extend({ name: z.string() })),
});

export const dropAnswer = z.strictObject({ namespace: z.string(), dropped: z.literal(true) });

export const rootAnswer = z.strictObject({
  namespace: z.string(),
  root: z.string().describe("The same on every device with the same paths and texts"),
  metadata_root: z.string().describe("The same for times, media types and metadata"),
  canon: z.string().describe("The digest of everything else that decides results"),
  documents: z.int(),
  chunks: z.int(),
});

export const verifyAnswer = z.strictObject({
  namespace: z.string(),
  is_same: z.boolean(),
  differences: z.array(z.looseObject({})),
  actual: receipt,
  warnings: z.array(z.string()),
});

export const embeddingsRequest = z.looseObject({
  input: z.union([z.string(), z.array(z.string()).min(1).max(LIMITS.inputsMax)]),
  model: z.string(),
  encoding_format: z.enum(["float", "base64"]).optional().describe("Default `float`"),
  dimensions: z.int().optional().describe("Only the model's own"),
});

export const embeddingsAnswer = z.strictObject({
  object: z.literal("list"),
  data: z.array(
    z.strictObject({
      object: z.literal("embedding"),
      index: z.int(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe("The unit vector, or its binary32 in base64"),
    }),
  ),
  model: z.string(),
  usage: z.strictObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
});

export const model = z.strictObject({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});

export const modelsAnswer = z.strictObject({ object: z.literal("list"), data: z.array(model) });

export const verifyRequest = z
  .looseObject({})
  .describe("A receipt, as a query returned it or as `selfsame search --receipt` wrote it");

const bitPrefix = z.string().regex(/^[01]{0,128}$/);

export const nodesRequest = z.strictObject({
  tree: z.enum(["text", "metadata"]).describe("The tree of the root, or that of the metadata root"),
  prefixes: z
    .array(z.string().regex(/^[0-9a-f]{0,31}$/))
    .min(1)
    .max(LIMITS.nodesMax)
    .describe("Prefixes of document ids, in hexadecimal digits; the empty one is the root"),
});

export const nodesAnswer = z.strictObject({
  nodes: z.array(z.string()).describe("The record of each node in base64; empty if there is no such node"),
});

export const pathsRequest = z.strictObject({
  ids: z
    .array(z.string().regex(/^[0-9a-f]{32}$/))
    .min(1)
    .max(LIMITS.pathsMax)
    .describe("Document ids, in hexadecimal"),
});

export const pathsAnswer = z.strictObject({
  paths: z.array(z.string().nullable()).describe("null for a document that does not exist"),
});

export const packRequest = z.strictObject({
  prefixes: z
    .array(bitPrefix)
    .min(1)
    .max(LIMITS.nodesMax)
    .describe("Bit prefixes of document ids, none within another: the pack has the documents below them"),
  vectors: z.boolean().optional().describe("Whether it has the vectors of their texts; default true"),
});
