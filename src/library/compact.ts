import { rebuildLengths } from "../store/lengths.ts";
import { pruneSparseTerms } from "../store/outside.ts";
import { forgetGraphs } from "./kept-graph.ts";
import type { LibraryParts } from "./library-parts.ts";
import { pruneEmbeddings } from "./prune-embeddings.ts";

/** What `Library.compact` did. */
export interface CompactReport {
  /** The size of the file before. */
  readonly bytesBefore: number;
  /** The size of the file now. */
  readonly bytesAfter: number;
  /** How many vectors of texts that no document has were dropped. */
  readonly embeddingsDropped: number;
}

/**
 * Reduces the file to what its documents need. Deleted rows are overwritten with zeros (secure_delete), but FTS5 keeps
 * removed words in its segments until they are merged. So the word index is rebuilt; then SQLite rewrites the file
 * without free pages. Roots and answers do not change.
 */
export function compact({ database, state }: LibraryParts): CompactReport {
  const bytesBefore = bytesOf(database);
  const embeddingsDropped = database.transaction(() => {
    state.checkCanon();
    const dropped = pruneEmbeddings(database, state.model, () => 0);
    // A graph of other documents contains vectors of removed texts. The next search builds it again.
    forgetGraphs(database, ({ segment, subtree }) => subtree !== state.subtree(segment));
    pruneSparseTerms(database);
    database.run("INSERT INTO search (search) VALUES ('rebuild')");
    rebuildLengths(database);
    return dropped;
  });
  // SQLite's temporary copy goes to an unnamed file beside the library: a large one would not fit in memory.
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
