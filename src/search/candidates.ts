import { fromHex, ID_BYTES, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import { storedMetadata } from "../store/stored-json.ts";
import { rowsByKeys } from "./chunk-places.ts";
import type { CompiledFilters } from "./filters.ts";
import { exclusionExpression, phrasesExpression } from "./match.ts";

/**
 * Puts the documents that pass the filters into the temporary table `candidates`. SPEC §20.4
 *
 * @returns whether any document does not pass; if all pass, the table need not be read
 */
export function fillCandidates(database: Database, filters: CompiledFilters): boolean {
  const passing = passingDocuments(database, filters);
  if (passing.length === database.get<{ n: number }>("SELECT count(documentId) AS n FROM documents")!.n)
    return false;
  database.exec("CREATE TEMP TABLE IF NOT EXISTS candidates (documentId BLOB PRIMARY KEY) WITHOUT ROWID");
  database.run("DELETE FROM temp.candidates");
  for (const id of passing) database.run("INSERT INTO temp.candidates (documentId) VALUES (?)", [id]);
  return true;
}

interface FilteredRow {
  readonly documentId: Uint8Array;
  readonly path: string;
  readonly mime: string | null;
  readonly modifiedAt: number | null;
  readonly metadata: string | null;
}

const SELECT_FILTERED = "SELECT documentId, path, mime, modifiedAt, metadata FROM documents";

/** Returns the ids of all documents that pass. */
function passingDocuments(database: Database, filters: CompiledFilters): Uint8Array[] {
  return database
    .all<FilteredRow>(`${SELECT_FILTERED} ORDER BY path`)
    .filter((row) => passes(database, row, filters))
    .map(({ documentId }) => documentId);
}

/** Returns those of the documents that pass, by ids in hexadecimal. */
export function passingAmong(
  database: Database,
  documentIds: readonly string[],
  filters: CompiledFilters,
): Set<string> {
  return new Set(
    documentIds.filter((id) => {
      const row = database.get<FilteredRow>(`${SELECT_FILTERED} WHERE documentId = ?`, [fromHex(id)]);
      return row !== undefined && passes(database, row, filters);
    }),
  );
}

function passes(
  database: Database,
  { documentId, metadata, ...rest }: FilteredRow,
  filters: CompiledFilters,
): boolean {
  return filters.matches({
    ...rest,
    metadata: storedMetadata(database, metadata),
    text: () => textOf(database, documentId),
  });
}

function textOf(database: Database, documentId: Uint8Array): string {
  const sql = "SELECT text FROM texts WHERE documentId = ?";
  const found = database.get<{ text: string }>(sql, [documentId]);
  if (found === undefined) throw missingRow(database, `the text of document ${toHex(documentId)}`);
  return found.text;
}

/**
 * Puts the chunks that the query excludes into the temporary table `excluded`. No channel may return them. SPEC §15.5
 *
 * @returns how many there are
 */
export function fillExcluded(database: Database, items: readonly string[]): number {
  const match = exclusionExpression(items);
  if (match === null) return 0;
  database.exec("CREATE TEMP TABLE IF NOT EXISTS excluded (chunk INTEGER PRIMARY KEY)");
  database.run("DELETE FROM temp.excluded");
  return database.run("INSERT INTO temp.excluded SELECT rowid FROM search WHERE search MATCH ?", [match]);
}

/** Puts the chunks that have every phrase into the temporary table `phrased`. SPEC §15.5 */
export function fillPhrased(database: Database, phrases: readonly string[]): void {
  database.exec("CREATE TEMP TABLE IF NOT EXISTS phrased (chunk INTEGER PRIMARY KEY)");
  database.run("DELETE FROM temp.phrased");
  const match = phrasesExpression(phrases);
  database.run("INSERT INTO temp.phrased SELECT rowid FROM search WHERE search MATCH ?", [match]);
}

/** Returns the ids, in hexadecimal, of those given chunks that are excluded. */
export function excludedAmong(database: Database, ids: readonly Uint8Array[]): Set<string> {
  const select = "SELECT chunkId FROM chunks JOIN temp.excluded USING (chunk)";
  const rows = rowsByKeys<{ chunkId: Uint8Array }>(database, select, "chunkId", ids);
  return new Set(rows.map(({ chunkId }) => toHex(chunkId)));
}

/** Which temporary tables restrict the channels of vectors, dense and sparse. */
export interface Restrictions {
  readonly hasCandidates: boolean;
  readonly hasPhrases: boolean;
  readonly hasExcluded: boolean;
}

/** Returns the ids of the chunks that pass all restrictions, concatenated in one array: there may be many. */
export function candidateChunks(database: Database, restrictions: Restrictions): Uint8Array {
  const { hasCandidates, hasPhrases, hasExcluded } = restrictions;
  const from = hasPhrases ? "FROM temp.phrased CROSS JOIN chunks USING (chunk)" : "FROM chunks";
  const conditions = [
    ...(hasCandidates ? ["documentId IN (SELECT documentId FROM temp.candidates)"] : []),
    ...(hasExcluded ? ["chunk NOT IN (SELECT chunk FROM temp.excluded)"] : []),
  ];
  const restriction = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const { n } = database.get<{ n: number }>(`SELECT count(*) AS n ${from} ${restriction}`)!;
  const ids = new Uint8Array(n * ID_BYTES);
  let at = 0;
  database.each(`SELECT chunkId ${from} ${restriction}`, [], (row) => {
    ids.set(row.blobView(0), at);
    at += ID_BYTES;
  });
  return ids;
}
