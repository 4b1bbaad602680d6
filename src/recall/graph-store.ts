import { ID_BYTES, toHex } from "../engine/digest.ts";
import { inBatches } from "../search/chunk-places.ts";
import { STOP_WORDS } from "../search/stop-words.ts";
import { tokenOf } from "../search/token.ts";
import { wordsOf } from "../search/words.ts";
import type { Database } from "../store/database.ts";
import { linksOf } from "../store/links.ts";
import { searchText } from "../text/search-text.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { SegmentedIndex } from "../vectors/segmented-index.ts";
import type { Permitted } from "./permitted.ts";

/** A document that the graph leads to. SPEC §26.6 */
interface Reached {
  readonly id: Uint8Array;
  readonly path: string;
  /** Links from a document that the query names. */
  readonly distance: number;
  /** The number of words of the name or tag that led here. */
  readonly words: number;
  readonly byTag: boolean;
}

/** Of a query, this many words and names of this many words are looked up. SPEC §26.6 */
const QUERY_WORDS_MAX = 64;
const NAME_WORDS_MAX = 8;
/** From each distance, the links of this many documents are followed. */
const FOLLOWED_MAX = 32;
/** This many documents are compared with the query. */
const REACHED_MAX = 512;

/**
 * Returns chunks of documents that the query names by name or tag, and of documents up to `hops` links away, the best
 * first: one chunk of each document, the nearest to the query. SPEC §26.6
 */
export function graphStore(
  database: Database,
  queryText: string,
  permitted: Permitted,
  near: { readonly index: SegmentedIndex; readonly vector: Int16Array } | null,
  hops: number,
  k: number,
): string[] {
  const reached = new Map<string, Reached>();
  const add = (each: Reached) => {
    const id = toHex(each.id);
    const known = reached.get(id);
    if (!permitted.has(id) || (known !== undefined && compareReached(known, each) <= 0)) return;
    reached.set(id, each);
  };
  for (const seed of namedDocuments(database, queryText)) add(seed);
  for (let distance = 0; distance < hops; distance++) {
    const front = [...reached.values()]
      .filter((each) => each.distance === distance)
      .sort(compareReached)
      .slice(0, FOLLOWED_MAX);
    for (const { id, words, byTag } of front) {
      for (const neighbour of linkedDocuments(database, id))
        if (reached.get(toHex(neighbour.id)) === undefined)
          add({ ...neighbour, distance: distance + 1, words, byTag });
    }
  }
  const ordered = [...reached.values()].sort(compareReached).slice(0, REACHED_MAX);
  const best = nearestChunks(database, ordered, near);
  return ordered
    .flatMap((each) => {
      const chunk = best.get(toHex(each.id)); // none, if the document is empty
      return chunk === undefined ? [] : [{ each, ...chunk }];
    })
    .sort((a, b) => compareWays(a.each, b.each) || b.dot - a.dot || compareUtf8(a.each.path, b.each.path))
    .slice(0, k)
    .map(({ chunkId }) => chunkId);
}

/** Nearer before farther, longer names before shorter ones, names before tags. */
function compareWays(a: Reached, b: Reached): number {
  return a.distance - b.distance || b.words - a.words || Number(a.byTag) - Number(b.byTag);
}

function compareReached(a: Reached, b: Reached): number {
  return compareWays(a, b) || compareUtf8(a.path, b.path);
}

/** The documents whose name or tag is a sequence of words of the query. */
function namedDocuments(database: Database, queryText: string): Reached[] {
  const words = wordsOf(searchText(queryText), QUERY_WORDS_MAX);
  const tokens = words.map(tokenOf);
  const keys = new Map<string, number>();
  for (let from = 0; from < words.length; from++) {
    for (let length = 1; length <= NAME_WORDS_MAX && from + length <= words.length; length++) {
      if (length === 1 && STOP_WORDS.has(words[from]!)) continue;
      keys.set(tokens.slice(from, from + length).join(" "), length);
    }
  }
  const found: Reached[] = [];
  inBatches([...keys.keys()], (slots, batch) => {
    const sql = `SELECT documentId, path, kind, target FROM links JOIN documents USING (documentId)
                 WHERE target IN (${slots}) AND kind IN ('name', 'tag')`;
    for (const row of database.all<DocumentRow & { kind: string; target: string }>(sql, batch)) {
      const { documentId: id, path, kind, target } = row;
      found.push({ id, path, distance: 0, words: keys.get(target)!, byTag: kind === "tag" });
    }
  });
  return found;
}

interface DocumentRow {
  readonly documentId: Uint8Array;
  readonly path: string;
}

/** Returns the documents one link away from a document, in either direction, by path and each once. SPEC §26.6 */
export function linkedDocuments(
  database: Database,
  documentId: Uint8Array,
): { readonly id: Uint8Array; readonly path: string }[] {
  const found = new Map<string, { id: Uint8Array; path: string }>();
  const read = (sql: string, parameters: readonly (string | Uint8Array)[]) => {
    for (const { documentId: id, path } of database.all<DocumentRow>(sql, parameters))
      found.set(toHex(id), { id, path });
  };
  const own = database.get<{ path: string }>("SELECT path FROM documents WHERE documentId = ?", [documentId]);
  if (own === undefined) return [];
  read(
    "SELECT documentId, path FROM links JOIN documents USING (documentId) WHERE target = ? AND kind = 'path'",
    [own.path],
  );
  for (const { kind, target } of linksOf(database, documentId)) {
    if (kind === "path") read("SELECT documentId, path FROM documents WHERE path = ?", [target]);
    else if (kind !== "tag")
      read(
        "SELECT documentId, path FROM links JOIN documents USING (documentId) WHERE target = ? AND kind = ?",
        [target, kind === "title" ? "name" : "title"],
      );
  }
  found.delete(toHex(documentId));
  return [...found.values()].sort((a, b) => compareUtf8(a.path, b.path));
}

/** Returns, by document, its chunk that is nearest to the query; without vectors, its first. SPEC §26.6 */
export function nearestChunks(
  database: Database,
  documents: readonly { readonly id: Uint8Array }[],
  near: { readonly index: SegmentedIndex; readonly vector: Int16Array } | null,
): Map<string, { readonly chunkId: string; readonly dot: number }> {
  const best = new Map<string, { chunkId: string; dot: number }>();
  const documentOf = new Map<string, string>();
  const ids: Uint8Array[] = [];
  for (const { id } of documents) {
    const sql =
      "SELECT chunkId FROM chunks WHERE documentId = ? AND chunk NOT IN (SELECT chunk FROM unranked) ORDER BY sequence";
    for (const { chunkId } of database.all<{ chunkId: Uint8Array }>(sql, [id])) {
      if (!best.has(toHex(id)))
        best.set(toHex(id), { chunkId: toHex(chunkId), dot: Number.NEGATIVE_INFINITY });
      documentOf.set(toHex(chunkId), toHex(id));
      ids.push(chunkId);
    }
  }
  if (near === null || ids.length === 0) return best;
  const candidates = new Uint8Array(ids.length * ID_BYTES);
  for (const [i, id] of ids.entries()) candidates.set(id, i * ID_BYTES);
  for (const { id, dot } of near.index.exact(near.vector, { k: ids.length, candidates })) {
    const document = documentOf.get(toHex(id))!;
    if (best.get(document)!.dot === Number.NEGATIVE_INFINITY) best.set(document, { chunkId: toHex(id), dot });
  }
  return best;
}
