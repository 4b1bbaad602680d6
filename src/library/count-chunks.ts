import type { Breather } from "../engine/breather.ts";
import { prepareDocument, type ReadInput } from "./document-input.ts";
import type { LibraryParts } from "./library-parts.ts";

/**
 * Returns how many chunks adding a document would write. Cutting takes a hundredth of the time of embedding, so it is
 * done twice rather than keeping the chunks of all documents in memory.
 *
 * @param path canonical
 */
export async function countChunks(
  { engine, state, ingest }: LibraryParts,
  path: string,
  input: ReadInput,
  force: boolean,
  breather: Breather,
): Promise<number> {
  const document = await prepareDocument(engine, state.canon.namespace, path, input, breather);
  if (ingest.outcome(document, force) === "unchanged") return 0;
  return (await ingest.chunk(document, force, breather)).chunks?.length ?? 0;
}
