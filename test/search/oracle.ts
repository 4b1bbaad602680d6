/** What a search must answer, from the definitions: channels by brute force, the rest by the reference. SPEC §20 */
import { toHex } from "#dist/engine/digest.js";
import type { Opened } from "../library/opened.ts";
import * as filterReference from "../reference/filters.ts";
import * as queryReference from "../reference/query.ts";
import * as ranking from "../reference/ranking.ts";

export interface Wanted {
  readonly mode?: "hybrid" | "semantic" | "lexical";
  readonly topK?: number;
  readonly semanticK?: number;
  readonly lexicalK?: number;
  readonly rrfK?: number;
  readonly weights?: { readonly semantic?: number; readonly lexical?: number };
  readonly preferCoverage?: boolean;
  readonly filters?: Record<string, unknown>;
  readonly filterMode?: "pre" | "post";
  readonly diversify?: { readonly lambda?: number };
  readonly groupBy?: "path";
}

interface Chunk {
  readonly id: string;
  readonly row: number;
  readonly path: string;
  readonly sequence: number;
  readonly vector: Int16Array;
}

export interface Expected {
  readonly ids: readonly string[];
  readonly semantic: readonly string[];
  readonly lexical: readonly string[];
  /** Of the fused results, by id (of the chunk, or of the document's path with groupBy). */
  readonly scores: ReadonlyMap<string, number>;
}

/** Every chunk of the library with its vector, as they are stored. */
function chunksOf({ parts }: Opened): Chunk[] {
  return parts.database
    .all<{
      chunkId: Uint8Array;
      chunk: number;
      path: string;
      sequence: number;
      vector: Uint8Array<ArrayBuffer>;
    }>(
      `SELECT chunkId, chunk, path, sequence, vector
       FROM chunks JOIN documents USING (documentId) JOIN embeddings ON embeddings.textHash = chunks.textHash`,
    )
    .map(({ chunkId, chunk, vector, ...rest }) => ({
      ...rest,
      row: chunk,
      id: toHex(chunkId),
      vector: new Int16Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength)),
    }));
}

function dot(a: Int16Array, b: Int16Array): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0); // below 2⁵³
}

const bytes = (text: string) => Buffer.from(text, "utf8");

function matching({ parts }: Opened, expression: string | null): Map<number, number> {
  if (expression === null) return new Map();
  const rows = parts.database.all<{ row: number; score: number }>(
    "SELECT rowid AS row, bm25(search) AS score FROM search WHERE search MATCH ?",
    [expression],
  );
  return new Map(rows.map(({ row, score }) => [row, score]));
}

async function passing(opened: Opened, filters: Record<string, unknown> | undefined): Promise<Set<string>> {
  return new Set(
    (await opened.library.documents())
      .filter(({ path, mime, modifiedAt, metadata }) => {
        const { text } = opened.parts.database.get<{ text: string }>(
          "SELECT text FROM documents JOIN texts USING (documentId) WHERE path = ?",
          [path],
        )!;
        const known = metadata as Record<string, unknown> | null;
        return filterReference.passes(filters ?? {}, { path, mime, modifiedAt, metadata: known, text });
      })
      .map(({ path }) => path),
  );
}

export async function expectedAnswer(opened: Opened, text: string, wanted: Wanted): Promise<Expected> {
  const { mode = "hybrid", topK = 10, filterMode = "pre", groupBy } = wanted;
  const query = queryReference.parseQuery(text);
  const passes = await passing(opened, wanted.filters);
  const isPre = wanted.filters !== undefined && filterMode === "pre";
  const least = wanted.filters !== undefined && filterMode === "post" ? 100 : 0;
  const semanticK = Math.max(wanted.semanticK ?? Math.max(20, topK), least);
  const lexicalK = Math.max(wanted.lexicalK ?? Math.max(20, topK), least);
  const visible = chunksOf(opened).filter(({ path }) => !isPre || passes.has(path));

  const excluded = matching(opened, queryReference.exclusion(query.excluded));
  const phrased =
    query.phrases.length === 0
      ? null
      : matching(opened, queryReference.match({ ...query, terms: [], excluded: [] }));
  const vector = query.semanticText === "" ? null : await opened.parts.embedder.embed(query.semanticText);
  const semantic =
    vector === null || mode === "lexical"
      ? []
      : visible
          .filter(({ row }) => !excluded.has(row) && (phrased === null || phrased.has(row)))
          .map((chunk) => ({ ...chunk, dot: dot(chunk.vector, vector) }))
          .sort((a, b) => b.dot - a.dot || (a.id < b.id ? -1 : 1))
          .slice(0, semanticK);
  // With NOT, bm25() depends on the order of the rows.
  const scores = matching(opened, queryReference.match({ ...query, excluded: [] }));
  const lexical =
    mode === "semantic"
      ? []
      : visible
          .filter(({ row }) => scores.has(row) && !excluded.has(row))
          .sort(
            (a, b) =>
              scores.get(a.row)! - scores.get(b.row)! ||
              Buffer.compare(bytes(a.path), bytes(b.path)) ||
              a.sequence - b.sequence,
          )
          .slice(0, lexicalK);

  const chunks = new Map([...semantic, ...lexical].map((chunk) => [chunk.id, chunk]));
  const places = Object.fromEntries([...chunks.values()].map(({ id, ...place }) => [id, place]));
  const lists: ranking.List[] = [
    { weight: wanted.weights?.semantic ?? 1, ids: semantic.map(({ id }) => id) },
    { weight: wanted.weights?.lexical ?? 1, ids: lexical.map(({ id }) => id) },
  ];
  const k = wanted.rrfK ?? 60;
  let fused = ranking.fuse(lists, k);
  let ids = ranking.ordered(fused, places, lists, wanted.preferCoverage === true);
  let finalScores = new Map(fused.map(({ id, score }) => [id, score]));
  if (groupBy === "path") {
    const pathOf = (id: string) => chunks.get(id)!.path;
    const first = new Map([...ids].reverse().map((id) => [pathOf(id), id])); // the first in order stays
    const grouped = lists.map(({ weight, ids: own }) => ({ weight, ids: [...new Set(own.map(pathOf))] }));
    fused = ranking.fuse(grouped, k).map(({ id, ...rest }) => ({ ...rest, id: first.get(id)! }));
    const groupedLists = grouped.map(({ weight, ids: own }) => ({
      weight,
      ids: own.map((path) => first.get(path)!),
    }));
    ids = ranking.ordered(fused, places, groupedLists, wanted.preferCoverage === true);
    finalScores = new Map(fused.map(({ id, score }) => [id, score]));
  }
  if (wanted.filters !== undefined && filterMode === "post")
    ids = ids.filter((id) => passes.has(chunks.get(id)!.path));
  if (wanted.diversify !== undefined && vector !== null) {
    const lambda = Math.floor((wanted.diversify.lambda ?? 0.7) * 1000 + 0.5);
    const vectors = ids.map((id) => chunks.get(id)!.vector);
    const order = ids;
    ids = ranking.diversify(vectors, vector, lambda, vectors.length).map((i) => order[i]!);
  }
  return {
    ids: ids.slice(0, topK),
    semantic: semantic.map(({ id }) => id),
    lexical: lexical.map(({ id }) => id),
    scores: finalScores,
  };
}
