import type { z } from "zod";
import { isChunk, type Row } from "./document-rows.ts";
import { ingestChunks } from "./ingest-chunks.ts";
import { ingestDocuments } from "./ingest-documents.ts";
import type { Declared, IngestOptions } from "./ingest-options.ts";
import type { ingestAnswer } from "./schemas.ts";

type Answer = z.infer<typeof ingestAnswer>;

/** Adds what arrives: documents, or chunks with their vectors. The first row says which. */
export async function ingest(
  rows: AsyncGenerator<Row>,
  declared: Declared,
  options: IngestOptions,
): Promise<Answer> {
  const { done, value: first } = await rows.next();
  if (done !== true && isChunk(first)) {
    try {
      return await ingestChunks(first, rows, declared, options);
    } finally {
      await rows.return(undefined); // what is left of the body is not read
    }
  }
  return ingestDocuments(done === true ? null : first, rows, declared, options);
}
