import type { LibraryParts } from "./library-parts.ts";
import { pruneEmbeddings } from "./prune-embeddings.ts";

/** What `Library.compact` did. */
export interface CompactReport {
  /** The size of the file before. */
  readonly bytesBefore: number;
  /** The size of the file now. */
  readonly bytesAfter: number;
  /** How many vectors were dropped, of texts that no document has. */
  readonly embeddingsDropped: number;
}

/**
 * Leaves nothing in the file but what its documents need. Rows that go are overwritten with zeros (secure_delete), but
 * FTS5 keeps removed words in its segments until they are merged, so the word index is built again; then SQLite writes the
 * file anew, without free pages. Roots and answers stay what they are.
 */
export function compact({ database, state }: LibraryParts): CompactReport {
  const bytesBefore = bytesOf(database);
  const embeddingsDropped = database.transaction(() => {
    state.checkCanon();
    const dropped = pruneEmbeddings(database, state.model, () => 0);
    // A graph of an earlier root holds vectors of removed texts. The next search makes it again.
    database.run("DELETE FROM graph WHERE root <> ?", [state.root()]);
    database.run("INSERT INTO search (search) VALUES ('rebuild')");
    return dropped;
  });
  // The copy that SQLite makes goes to a nameless file beside the library: in memory a large one would not fit.
  database.exec("PRAGMA temp_store = file");
  try {
    database.exec("VACUUM");
  } finally {
    database.exec("PRAGMA temp_store = memory");
  }
  return { bytesBefore, bytesAfter: bytesOf(database), embeddingsDropped };
}

function bytesOf(database: LibraryParts["database"]): number {
  return database.get<{ fileBytes: number }>(
    `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS fileBytes`,
  )!.fileBytes;
}
