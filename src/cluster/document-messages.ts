/** What a coordinator asks shards about documents, and what they answer. SPEC §29.4 */
import { z } from "zod";
import type { ChunkInfo, ChunkOfDocument, DocumentInfo, DocumentText } from "../library/contents.ts";

const IDS_MAX = 100_000;
const id = z.string().regex(/^[0-9a-f]{32}$/);
const count = z.number().int().min(0);
const text = z.string();

const info = {
  documentId: id,
  path: text,
  format: text,
  textHash: text,
  bytes: count,
  modifiedAt: z.number().nullable(),
  mime: text.nullable(),
  metadata: z.unknown(),
  chunks: count,
};
const documentInfo = z.object(info) as unknown as z.ZodType<DocumentInfo>;
const documentText = z.object({ ...info, text }) as unknown as z.ZodType<DocumentText>;

const chunk = {
  chunkId: id,
  sequence: count,
  headingPath: z.array(text),
  breadcrumb: text,
  start: z.number(),
  end: z.number(),
  line: z.number(),
  page: z.number().nullable(),
  tokens: count,
  text,
  fields: z.record(text, z.unknown()).nullable(),
};
const chunkInfo = z.object(chunk) as unknown as z.ZodType<ChunkInfo>;
const chunkOfDocument = z.object({
  ...chunk,
  document: z.object(info),
}) as unknown as z.ZodType<ChunkOfDocument>;

/** The questions about documents: what is given, and what is answered. */
export const DOCUMENT_QUESTIONS = {
  documents: {
    given: z.object({
      after: text.optional(),
      match: z.array(text).max(1000).optional(),
      limit: count.optional(),
    }),
    answer: z.array(documentInfo),
  },
  document: { given: z.object({ id }), answer: documentText.nullable() },
  chunks: { given: z.object({ id }), answer: z.array(chunkInfo) },
  chunk: { given: z.object({ id }), answer: chunkOfDocument.nullable() },
  paths: {
    given: z.object({ ids: z.array(id).max(IDS_MAX) }),
    answer: z.array(text.nullable()).max(IDS_MAX),
  },
};
