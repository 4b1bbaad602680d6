import { toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import type { CompiledFilters } from "./filters.ts";
import { exclusionExpression } from "./match.ts";

/** Puts the documents that pass the filters into the temporary table `candidates`. SPEC §20.4 */
export function fillCandidates(database: Database, filters: CompiledFilters): void {
  database.exec("CREATE TEMP TABLE IF NOT EXISTS candidates (documentId BLOB PRIMARY KEY) WITHOUT ROWID");
  database.run("DELETE FROM temp.candidates");
  for (const id of passingDocuments(database, filters)) {
    database.run("INSERT INTO temp.candidates (documentId) VALUES (?)", [id]);
  }
}

/** The ids of the documents that pass. */
export function passingDocuments(database: Database, filters: CompiledFilters): Uint8Array[] {
  return database
    .all<{
      documentId: Uint8Array;
      path: string;
      mime: string | null;
      modifiedAt: number | null;
      metadata: string | null;
    }>("SELECT documentId, path, mime, modifiedAt, metadata FROM documents ORDER BY path")
    .filter(({ documentId, metadata, ...rest }) =>
      filters.matches({
        ...rest,
        metadata: metadata === null ? null : JSON.parse(metadata),
        text: () =>
          database.get<{ text: string }>("SELECT text FROM texts WHERE documentId = ?", [documentId])!.text,
      }),
    )
    .map(({ documentId }) => documentId);
}

/** Chunks that the query excludes, in hexadecimal: no channel may return them. SPEC §15.5 */
export function excludedChunks(database: Database, excluded: readonly string[]): Set<string> {
  const match = exclusionExpression(excluded);
  if (match === null) return new Set();
  const sql = "SELECT chunkId FROM search JOIN chunks ON chunk = search.rowid WHERE search MATCH ?";
  return new Set(database.all<{ chunkId: Uint8Array }>(sql, [match]).map(({ chunkId }) => toHex(chunkId)));
}

/** The chunks of the candidates. */
export function candidateChunks(database: Database): Uint8Array[] {
  const sql =
    "SELECT chunkId FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates) ORDER BY chunkId";
  return database.all<{ chunkId: Uint8Array }>(sql).map(({ chunkId }) => chunkId);
}
