import type { z } from "zod";
import { isChunk, type Row } from "./document-rows.ts";
import { ingestChunks } from "./ingest-chunks.ts";
import { ingestDocuments } from "./ingest-documents.ts";
import type { Declared, IngestOptions } from "./ingest-options.ts";
import type { ingestAnswer } from "./schemas.ts";
import type { SpooledBody } from "./spooled-body.ts";

type Answer = z.infer<typeof ingestAnswer>;

/** Adds what arrives: documents, or chunks with their vectors. The first row says which. */
export async function ingest(
  body: SpooledBody,
  rowsOf: (pieces: AsyncIterable<Uint8Array>) => AsyncGenerator<Row>,
  declared: Declared,
  options: IngestOptions,
): Promise<Answer> {
  const arriving = rowsOf(body.arriving());
  const { done, value: first } = await arriving.next();
  if (done === true || !isChunk(first)) {
    body.forget();
    return ingestDocuments(done === true ? null : first, arriving, declared, options);
  }
  await body.receive();
  return ingestChunks(rowsOf(body.pieces()), declared, options);
}
