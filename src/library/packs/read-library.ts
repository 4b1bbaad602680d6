/** Reads a library for a pack: its documents by id, with the vectors of their texts. SPEC §27.3 */
import type { Breather } from "../../engine/breather.ts";
import { toHex } from "../../engine/digest.ts";
import { leavesBelow } from "../../identity/leaves-below.ts";
import { SortedRoot } from "../../identity/sorted-root.ts";
import type { Leaf } from "../../identity/tree-node.ts";
import type { PackCounts } from "../../packs/pack-header.ts";
import type { PackRecord } from "../../packs/pack-record.ts";
import { type PackItem, SECTION_BYTES } from "../../packs/pack-writer.ts";
import { ENTRIES_MAX, type VectorEntry } from "../../packs/vector-entries.ts";
import { sparseOf } from "../../store/outside.ts";
import { embeddingOf } from "../../store/packs.ts";
import { storedFormat } from "../../store/stored-json.ts";
import { utf8 } from "../../text/canonical.ts";
import { idRange, isBelow } from "../../vectors/prefix.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { Roots } from "../library-state.ts";

/** Which documents of a library are exported. */
export interface Selection {
  /** What the header says: prefixes or patterns. */
  readonly prefixes: readonly string[] | null;
  readonly paths: readonly string[] | null;
  /** Whether these are all documents. */
  readonly isAll: boolean;
  /** Bit prefixes that all of them are below, ascending. */
  readonly ranges: readonly string[];
  /** Whether a path is selected; null: every one is. */
  readonly matches: ((path: string) => boolean) | null;
}

/** Some items, and where to go on: after this id or key; null at the end. */
interface Portion {
  readonly items: readonly PackItem[];
  readonly chunks: number;
  readonly after: Uint8Array | null;
}

interface DocumentOfPack {
  readonly documentId: Uint8Array;
  readonly path: string;
  readonly format: string;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  readonly metadata: string | null;
  readonly isOutside: number;
}

interface ChunkOfPack {
  readonly chunk: number;
  readonly chunkId: Uint8Array;
  readonly textHash: Uint8Array;
  readonly text: string;
  readonly fields: string;
  readonly bm25Terms: string | null;
  readonly given: Uint8Array | null;
}

/** Reads about a section of documents. */
export function nextItems(parts: LibraryParts, selection: Selection, after: Uint8Array): Portion {
  const items: PackItem[] = [];
  let chunks = 0;
  let bytes = 0;
  let last: Uint8Array = after;
  for (const document of documentsAfter(parts, selection, after)) {
    last = document.documentId;
    if (selection.matches?.(document.path) === false) continue;
    const item = itemOf(parts, document);
    items.push(item.item);
    chunks += item.chunks;
    bytes += item.bytes;
    if (bytes >= SECTION_BYTES) return { items, chunks, after: last };
  }
  return { items, chunks, after: null };
}

/** Yields documents by id, those after one. A statement is open until it ends. */
function* documentsAfter(
  { database }: LibraryParts,
  { ranges }: Selection,
  after: Uint8Array,
): Generator<DocumentOfPack> {
  for (const prefix of ranges) {
    const [first, last] = idRange(prefix);
    if (toHex(last) <= toHex(after)) continue;
    for (let from = toHex(first) > toHex(after) ? null : after; ; ) {
      const rows = database.all<DocumentOfPack>(
        `SELECT documentId, path, format, modifiedAt, mime, metadata, isOutside FROM documents
         WHERE documentId ${from === null ? ">=" : ">"} ? AND documentId <= ? ORDER BY documentId LIMIT 64`,
        [from ?? first, last],
      );
      yield* rows;
      if (rows.length < 64) break;
      from = rows.at(-1)!.documentId;
    }
  }
}

function itemOf(
  parts: LibraryParts,
  document: DocumentOfPack,
): { readonly item: PackItem; readonly chunks: number; readonly bytes: number } {
  const { database } = parts;
  const { documentId, path, modifiedAt, mime, metadata } = document;
  if (document.isOutside === 1) return outsideItem(parts, document);
  const format = storedFormat(database, document.format);
  const text = utf8(
    database.get<{ text: string }>("SELECT text FROM texts WHERE documentId = ?", [documentId])!.text,
  );
  const hashes = database.all<{ textHash: Uint8Array }>(
    "SELECT textHash FROM chunks WHERE documentId = ? ORDER BY sequence",
    [documentId],
  );
  const record: PackRecord = { path, format, modifiedAt, mime, metadata, text };
  return {
    item: { record, vectors: vectorsOf(parts, hashes) },
    chunks: hashes.length,
    bytes: text.length + (metadata?.length ?? 0),
  };
}

function outsideItem(parts: LibraryParts, { documentId, path }: DocumentOfPack) {
  const { database, state } = parts;
  const rows = database.all<ChunkOfPack>(
    `SELECT chunk, chunkId, textHash, text, fields, bm25Terms, outsideVectors.vector AS given
     FROM chunks JOIN outsideChunks USING (chunk) LEFT JOIN outsideVectors USING (chunk)
     WHERE documentId = ? ORDER BY sequence`,
    [documentId],
  );
  const chunks = rows.map(({ chunk, chunkId, text, fields, bm25Terms }) => ({
    id: chunkId,
    text: utf8(text),
    fields,
    bm25: bm25Terms,
    sparse: sparseOf(database, chunk),
  }));
  const vectors =
    state.dimension === null
      ? vectorsOf(parts, rows)
      : rows.map(({ chunkId, given }) => ({ key: chunkId, vector: given! }));
  return {
    item: { record: { path, chunks }, vectors },
    chunks: rows.length,
    bytes: chunks.reduce((sum, { text, fields }) => sum + text.length + fields.length, 0),
  };
}

/** Returns the vectors of texts; those without one are left out. */
function vectorsOf(
  { database, state }: LibraryParts,
  texts: readonly { readonly textHash: Uint8Array }[],
): VectorEntry[] {
  const entries: VectorEntry[] = [];
  for (const { textHash } of texts) {
    const vector = embeddingOf(database, textHash, state.model);
    if (vector !== null) entries.push({ key: textHash, vector });
  }
  return entries;
}

/** Reads a section of vectors, by text hash. */
export function nextVectors(parts: LibraryParts, selection: Selection, after: Uint8Array): Portion {
  const { database, state } = parts;
  const vectors: VectorEntry[] = [];
  let last: Uint8Array | null = null;
  eachSelectedText(parts, selection, after, (textHash) => {
    last = textHash;
    vectors.push({ key: textHash, vector: embeddingOf(database, textHash, state.model)! });
    return vectors.length < ENTRIES_MAX;
  });
  const isLast = vectors.length < ENTRIES_MAX;
  return { items: [{ record: null, vectors }], chunks: vectors.length, after: isLast ? null : last };
}

/** Returns how many texts of the selection have a vector. */
export function vectorsCount(parts: LibraryParts, selection: Selection): number {
  let count = 0;
  eachSelectedText(parts, selection, new Uint8Array(0), () => ++count > 0);
  return count;
}

/** Calls back with the hashes of the selected texts that have a vector, ascending, each once, until it returns false. */
function eachSelectedText(
  { database, state }: LibraryParts,
  { isAll, ranges, matches }: Selection,
  after: Uint8Array,
  take: (textHash: Uint8Array) => boolean,
): void {
  let last = "";
  database.until(
    `SELECT chunks.textHash AS textHash, path, documentId FROM chunks JOIN documents USING (documentId)
     WHERE chunks.textHash > ?
       AND EXISTS (SELECT 1 FROM embeddings WHERE embeddings.textHash = chunks.textHash AND model = ?)
     ORDER BY chunks.textHash`,
    [after, state.model],
    (row) => {
      const textHash = row.blobView(0).slice();
      const documentId = row.blobView(2);
      if (!isAll && !ranges.some((prefix) => isBelow(documentId, prefix))) return true;
      if (toHex(textHash) === last || matches?.(row.value(1) as string) === false) return true;
      last = toHex(textHash);
      return take(textHash);
    },
  );
}

/** Returns how much is selected. */
export function selectionCounts(parts: LibraryParts, selection: Selection): Omit<PackCounts, "vectors"> {
  const { database } = parts;
  const { matches, ranges } = selection;
  const counts = { documents: 0, chunks: 0, textBytes: 0 };
  for (const prefix of ranges)
    database.each(
      `SELECT path, textBytes, (SELECT count(*) FROM chunks WHERE chunks.documentId = documents.documentId) AS chunkCount
       FROM documents WHERE documentId BETWEEN ? AND ?`,
      idRange(prefix),
      (row) => {
        if (matches?.(row.value(0) as string) === false) return;
        counts.documents++;
        counts.textBytes += row.value(1) as number;
        counts.chunks += row.value(2) as number;
      },
    );
  return counts;
}

/** Returns the roots of the selected documents alone. */
export async function selectionRoots(
  { engine, database, state }: LibraryParts,
  { ranges, matches }: Selection,
  breather: Breather,
  reading: <T>(read: () => T) => Promise<T>,
): Promise<Roots> {
  const { text, metadata } = state.trees;
  const roots = [new SortedRoot(engine), new SortedRoot(engine)] as const;
  const isSelected = ({ id }: Leaf) =>
    matches === null ||
    matches(database.get<{ path: string }>("SELECT path FROM documents WHERE documentId = ?", [id])!.path);
  for (const prefix of ranges) {
    const [texts, others] = [leavesBelow(text, prefix), leavesBelow(metadata, prefix)];
    for (let isDone = false; !isDone; await breather.due())
      isDone = await reading(() => {
        for (let count = 0; count < 1024; count++) {
          const [leaf, other] = [texts.next(), others.next()];
          if (leaf.done === true || other.done === true) return true;
          if (!isSelected(leaf.value)) continue;
          roots[0].add(leaf.value);
          roots[1].add(other.value);
        }
        return false;
      });
  }
  return { root: toHex(roots[0].root()), metadataRoot: toHex(roots[1].root()) };
}
