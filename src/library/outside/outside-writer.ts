import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { documentIds, textHashes } from "../../identity/ids.ts";
import { outsideDigests, outsideLeaf, outsideMetadataHash } from "../../identity/outside.ts";
import { compareChunks, sharedFields } from "../../identity/outside-order.ts";
import type { Change } from "../../identity/root.ts";
import { signatureOf } from "../../search/signature.ts";
import { deleteChunk, insertChunk } from "../../store/chunks.ts";
import type { Database } from "../../store/database.ts";
import { deleteDocument } from "../../store/documents.ts";
import { putOutside, putOutsideDocument } from "../../store/outside.ts";
import { chunkRow } from "../../store/records.ts";
import { storedFields } from "../../store/stored-json.ts";
import { utf8, utf8ToString } from "../../text/canonical.ts";
import { searchText } from "../../text/search-text.ts";
import type { AddedChunk, RemovedChunk } from "../ingest.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { LibraryState } from "../library-state.ts";
import { VocabularyChange } from "../vocabulary.ts";
import { badOutside, type ReadOutsideChunk } from "./outside-record.ts";

/** A chunk with the place that it was read from, for messages. */
export interface PlacedChunk extends ReadOutsideChunk {
  readonly where: string;
}

/** What an ingest did to documents and chunks. */
export interface OutsideCounts {
  /** The number of new documents. */
  readonly added: number;
  /** The number of documents that existed and have changed. */
  readonly updated: number;
  /** The number of documents that existed already, unchanged. */
  readonly unchanged: number;
  /** The number of chunks written. */
  readonly chunks: number;
}

interface StoredChunk {
  readonly chunk: number;
  readonly documentId: Uint8Array;
  /** null for a chunk that was cut here. */
  readonly digest: Uint8Array | null;
  readonly fields: string | null;
  readonly bm25Terms: string | null;
}

interface ChunkOfDocument {
  readonly chunk: number;
  readonly chunkId: Uint8Array;
  readonly sequence: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly digest: Uint8Array | null;
  readonly fields: string | null;
  readonly bm25Terms: string | null;
}

/** Until its document is finished, a chunk has a sequence that no finished one has. */
const UNFINISHED = 2 ** 40;
/** Between the texts of two chunks in the text of their document. */
const LF = 10;
const BETWEEN = new Uint8Array([LF, LF]);
const END = new Uint8Array([LF]);

/**
 * Writes outside chunks. `put` stores chunks as they come, in any order; `finish` then makes documents of them. A
 * document's chunks are exactly those that were given between `new` and `finish`: others that it had are removed. All of
 * it runs in open transactions. SPEC §23.1
 */
export class OutsideWriter {
  readonly #engine: Engine;
  readonly #database: Database;
  readonly #state: LibraryState;
  /** The rows that were given, whether they had to be written or not. */
  readonly #seen = new Set<number>();
  /** Documents that have or had a given chunk, by id in hexadecimal. */
  readonly #touched = new Map<string, { readonly id: Uint8Array; readonly path: string | null }>();
  #unfinished = UNFINISHED;
  /** Ids of chunks that are new or changed, and of those that are gone, for what is derived from them. */
  readonly added: AddedChunk[] = [];
  readonly removed: RemovedChunk[] = [];
  readonly #keepsChanges: boolean;
  readonly #vocabulary: VocabularyChange;
  #chunks = 0;
  #counts = { added: 0, updated: 0, unchanged: 0 };

  /** @param keepsChanges whether `added` and `removed` are wanted; they grow with the number of chunks */
  constructor({ engine, database, state }: LibraryParts, keepsChanges: boolean) {
    this.#engine = engine;
    this.#database = database;
    this.#state = state;
    this.#keepsChanges = keepsChanges;
    this.#vocabulary = new VocabularyChange(database);
  }

  get counts(): OutsideCounts {
    return { ...this.#counts, chunks: this.#chunks };
  }

  /** Stores chunks. One that is stored already, unchanged, costs its digest. */
  put(batch: readonly PlacedChunk[]): void {
    const hashes = textHashes(
      this.#engine,
      batch.map(({ text }) => text),
    );
    const digests = outsideDigests(
      this.#engine,
      batch.map((chunk, i) => ({ ...chunk, textHash: hashes[i]! })),
    );
    const paths = [...new Set(batch.map(({ path }) => path))];
    const ids = documentIds(this.#engine, paths, this.#state.canon.namespace);
    const documents = new Map(paths.map((path, i) => [path, ids[i]!]));
    for (const [i, chunk] of batch.entries())
      this.#putOne(chunk, documents.get(chunk.path)!, hashes[i]!, digests[i]!);
    this.#vocabulary.write();
  }

  #putOne(chunk: PlacedChunk, documentId: Uint8Array, textHash: Uint8Array, digest: Uint8Array): void {
    const stored = this.#database.get<StoredChunk>(
      `SELECT chunk, documentId, digest, fields, bm25Terms FROM chunks LEFT JOIN outsideChunks USING (chunk)
       WHERE chunkId = ?`,
      [chunk.id],
    );
    this.#touch(documentId, chunk.path);
    if (stored !== undefined) {
      const isSame =
        stored.digest !== null &&
        toHex(stored.documentId) === toHex(documentId) &&
        toHex(stored.digest) === toHex(digest) &&
        stored.fields === chunk.fields &&
        stored.bm25Terms === chunk.bm25;
      if (!isSame && this.#seen.has(stored.chunk))
        throw badOutside(
          `expected each UUID once, got ${toHex(chunk.id)} a second time with other contents (${chunk.where})`,
        );
      if (!isSame && stored.digest === null)
        throw badOutside(
          `expected a UUID of an outside chunk, got the id of another chunk: ${toHex(chunk.id)}`,
        );
      if (isSame) {
        this.#seen.add(stored.chunk);
        return;
      }
      this.#touch(stored.documentId, null);
      this.#delete(stored.documentId, stored.chunk, chunk.id);
    }
    const { id, text, tokens, fields, bm25, vector, sparse } = chunk;
    const words = utf8ToString(text);
    const signature = signatureOf(searchText(words), "");
    const row = chunkRow(documentId, {
      ...{ id, sequence: this.#unfinished++, headingPath: [], start: 0, end: text.length, line: 1, page: 1 },
      ...{ tokens, text: words, textHash, ...signature },
    });
    const number = insertChunk(this.#database, row);
    this.#vocabulary.add(number, signature.words);
    putOutside(this.#database, number, { digest, fields, bm25, vector, sparse });
    this.#seen.add(number);
    this.#chunks++;
    if (this.#keepsChanges) this.added.push({ documentId, id, textHash, vector });
  }

  #touch(id: Uint8Array, path: string | null): void {
    const key = toHex(id);
    if (path !== null || !this.#touched.has(key)) this.#touched.set(key, { id, path });
  }

  #delete(documentId: Uint8Array, chunk: number, id: Uint8Array): void {
    deleteChunk(this.#database, id, this.#vocabulary.remove);
    this.#seen.delete(chunk);
    if (this.#keepsChanges) this.removed.push({ documentId, id });
  }

  /** Yields after each part of some documents, which runs in one transaction. */
  *finish(inTransaction: (work: () => void) => void, atOnce = 256): Generator<number, void> {
    const all = [...this.#touched.values()];
    for (let from = 0; from < all.length; from += atOnce) {
      inTransaction(() => {
        const text: Change[] = [];
        const metadata: Change[] = [];
        for (const { id, path } of all.slice(from, from + atOnce)) {
          const values = this.#finishOne(id, path);
          if (values === null) continue;
          text.push({ id, value: values.leaf });
          metadata.push({ id, value: values.metadata });
        }
        this.#vocabulary.write();
        this.#state.trees.text.update(text);
        this.#state.trees.metadata.update(metadata);
      });
      yield Math.min(from + atOnce, all.length);
    }
  }

  /** Returns the new values of a document in both trees; null if it is unchanged. */
  #finishOne(
    id: Uint8Array,
    path: string | null,
  ): { readonly leaf: Uint8Array | null; readonly metadata: Uint8Array | null } | null {
    const rows = this.#database.all<ChunkOfDocument>(
      `SELECT chunk, chunkId, sequence, startByte, endByte, digest, fields, bm25Terms
       FROM chunks LEFT JOIN outsideChunks USING (chunk) WHERE documentId = ? ORDER BY sequence`,
      [id],
    );
    // A document that only lost a chunk to another one keeps the rest.
    const kept = path === null ? rows : rows.filter(({ chunk }) => this.#seen.has(chunk));
    for (const { chunk, chunkId } of rows)
      if (path !== null && !this.#seen.has(chunk)) this.#delete(id, chunk, chunkId);
    if (kept.length === 0) {
      deleteDocument(this.#database, id);
      return { leaf: null, metadata: null };
    }
    const ordered = kept
      .map((row) => ({ row, id: row.chunkId, fields: storedFields(this.#database, row.fields!) }))
      .sort(compareChunks);
    const leaf = outsideLeaf(
      this.#engine,
      ordered.map(({ row }) => row.digest!),
    );
    const metadata = outsideMetadataHash(
      this.#engine,
      ordered.map(({ row }) => ({ fields: row.fields!, bm25: row.bm25Terms })),
    );
    const before = this.#state.trees.text.get(id);
    const isFinished = ordered.every(({ row }, i) => row.sequence === i);
    const isSame =
      isFinished &&
      before !== null &&
      toHex(before) === toHex(leaf) &&
      toHex(this.#state.trees.metadata.get(id)!) === toHex(metadata);
    this.#counts[before === null ? "added" : isSame ? "unchanged" : "updated"]++;
    if (isSame) return null;
    const text = this.#place(ordered.map(({ row }) => row));
    putOutsideDocument(this.#database, {
      id,
      path: path ?? this.#pathOf(id),
      format: "plain",
      text,
      textHash: leaf,
      modifiedAt: null,
      mime: null,
      metadata: sharedFields(ordered),
    });
    return { leaf, metadata };
  }

  #pathOf(id: Uint8Array): string {
    return this.#database.get<{ path: string }>("SELECT path FROM documents WHERE documentId = ?", [id])!
      .path;
  }

  /** Gives chunks their sequences and places, and returns the text of their document. */
  #place(rows: readonly ChunkOfDocument[]): Uint8Array {
    const pieces: Uint8Array[] = [];
    let at = 0;
    let line = 1;
    const moved = rows.flatMap((row, sequence) => {
      const text = utf8(
        this.#database.get<{ text: string }>("SELECT text FROM chunks WHERE chunk = ?", [row.chunk])!.text,
      );
      const [start, first] = [at, line];
      line += lineBreaks(text) + BETWEEN.length;
      pieces.push(text, sequence + 1 < rows.length ? BETWEEN : END);
      at += text.length + BETWEEN.length;
      const isThere =
        row.sequence === sequence && row.startByte === start && row.endByte === start + text.length;
      return isThere ? [] : [{ row, sequence, start, end: start + text.length, line: first }];
    });
    // Sequences are unique in a document: they are moved out of the way first.
    for (const { row } of moved)
      if (row.sequence < UNFINISHED)
        this.#database.run("UPDATE chunks SET sequence = ? WHERE chunk = ?", [this.#unfinished++, row.chunk]);
    for (const { row, sequence, start, end, line: number } of moved)
      this.#database.run(
        "UPDATE chunks SET sequence = ?, startByte = ?, endByte = ?, line = ? WHERE chunk = ?",
        [sequence, start, end, number, row.chunk],
      );
    return concat(pieces);
  }
}

/** Returns the number of line breaks in a text. */
export function lineBreaks(text: Uint8Array): number {
  let count = 0;
  for (const byte of text) if (byte === LF) count++;
  return count;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
