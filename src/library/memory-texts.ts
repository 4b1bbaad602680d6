import { fromHex, toHex } from "../engine/digest.ts";
import { rowsByKeys } from "../search/chunk-places.ts";
import type { Database } from "../store/database.ts";

/** Returns the texts of chunks, and the lines at which they start in their documents, by chunk id. */
export function memoryTexts(
  database: Database,
  chunks: readonly { readonly chunkId: string }[],
): Map<string, { readonly text: string; readonly line: number }> {
  const rows = rowsByKeys<{ chunkId: Uint8Array; text: string; line: number }>(
    database,
    "SELECT chunkId, text, line FROM chunks",
    "chunkId",
    chunks.map(({ chunkId }) => fromHex(chunkId)),
  );
  return new Map(rows.map(({ chunkId, text, line }) => [toHex(chunkId), { text, line }]));
}
