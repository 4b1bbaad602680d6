import type { Database } from "../store/database.ts";
import { type Bm25Scoring, bm25FromCounts } from "./bm25.ts";
import { PLACE_COLUMNS, type PlaceRow, rowsByKeys } from "./chunk-places.ts";
import { scoredItems } from "./match.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { allChunks, countItems } from "./word-counts.ts";

/** A place with its score. */
export interface ScoredPlace extends PlaceRow {
  readonly bm25: number;
}

/**
 * Returns the first k chunks of a query by a score that is computed from counts, and all that tie with the last of them:
 * what FTS5 finds for the same query, scored by another formula. SPEC §25.4
 */
export function firstByCounts(
  database: Database,
  query: Pick<ParsedQuery, "phrases" | "terms" | "excluded">,
  scoring: Bm25Scoring,
  k: number,
  hasCandidates: boolean,
): ScoredPlace[] {
  const counted = allChunks(database);
  const { having, counts } = countItems(database, scoredItems(query), counted);
  const excluded = countItems(database, query.excluded, counted).counts;
  const candidates = hasCandidates ? candidateRows(database) : null;
  const score = bm25FromCounts(counted.totals, having, scoring);
  const required = query.phrases.length;
  const scored: { chunk: number; bm25: number }[] = [];
  for (const [chunk, row] of counts) {
    if (excluded.has(chunk) || candidates?.has(chunk) === false) continue;
    if (row.subarray(0, required).includes(0)) continue;
    scored.push({ chunk, bm25: score(row, counted.tokensOf(chunk)) });
  }
  scored.sort((a, b) => a.bm25 - b.bm25);
  const last = scored[Math.min(k, scored.length) - 1]?.bm25 ?? 0;
  const best = new Map(scored.filter(({ bm25 }) => bm25 <= last).map(({ chunk, bm25 }) => [chunk, bm25]));
  const select = `SELECT ${PLACE_COLUMNS} FROM chunks JOIN documents USING (documentId)`;
  const places = rowsByKeys<PlaceRow>(database, select, "chunk", [...best.keys()]);
  return places.map((place) => ({ ...place, bm25: best.get(place.chunk)! }));
}

function candidateRows(database: Database): Set<number> {
  const sql = "SELECT chunk FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates)";
  const rows = new Set<number>();
  database.each(sql, [], (row) => rows.add(row.value(0) as number));
  return rows;
}
