import type { ExternalVectors } from "../vector-source.ts";
import { type IngestOptions, type OutsideFileNames, readerOf } from "./ingest-outside.ts";

/**
 * Returns the name and the dimension of the dense vectors in files, from their first record; null if they have none. So a
 * library can be made for them.
 *
 * @example
 * const vectors = await vectorsOfFiles({ chunks: "Data" });
 * const library = await open("papers.db", vectors === null ? {} : { vectors });
 */
export async function vectorsOfFiles(
  files: OutsideFileNames,
  options: Pick<IngestOptions, "denseKey"> = {},
): Promise<ExternalVectors | null> {
  // However the records are ordered, the first vector tells.
  const reader = await readerOf(files, { ...options, vectorCacheLimit: Number.MAX_SAFE_INTEGER });
  return reader.vectors();
}
