import { fromHex, toHex } from "../engine/digest.ts";
import { rowsByKeys } from "../search/chunk-places.ts";
import type { Database } from "../store/database.ts";
import { storedMetadata } from "../store/stored-json.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type DocumentMetadata, documentTime } from "./features.ts";
import type { Permitted } from "./permitted.ts";

/** A chunk that a store found, with what features are computed from. */
export interface Candidate {
  /** The rowid. It depends on history, so it joins tables and decides nothing. */
  readonly chunk: number;
  /** In lower-case hex. */
  readonly chunkId: string;
  readonly documentId: string;
  readonly path: string;
  readonly sequence: number;
  readonly tokens: number;
  readonly metadata: DocumentMetadata;
  /** Milliseconds since 1970; null if the document has none. */
  readonly time: number | null;
}

interface Row {
  readonly chunk: number;
  readonly chunkId: Uint8Array;
  readonly documentId: Uint8Array;
  readonly path: string;
  readonly sequence: number;
  readonly tokens: number;
  readonly modifiedAt: number | null;
  readonly metadata: string | null;
}

const SELECT = `SELECT chunk, chunkId, documentId, path, sequence, chunks.tokens AS tokens, modifiedAt, metadata
  FROM chunks JOIN documents USING (documentId)`;

/** Reads candidates once each, whichever store asks for them. */
export class Candidates {
  readonly #database: Database;
  readonly #permitted: Permitted;
  readonly #byChunk = new Map<number, Candidate>();
  readonly #byId = new Map<string, Candidate>();
  readonly #metadata = new Map<string, DocumentMetadata>();

  constructor(database: Database, permitted: Permitted) {
    this.#database = database;
    this.#permitted = permitted;
  }

  /** Returns candidates by rowid, in no particular order. */
  byChunks(chunks: readonly number[]): Candidate[] {
    const missing = chunks.filter((chunk) => !this.#byChunk.has(chunk));
    this.#keep(rowsByKeys<Row>(this.#database, SELECT, "chunk", missing));
    return chunks.flatMap((chunk) => this.#byChunk.get(chunk) ?? []);
  }

  /** Returns candidates by chunk id, in the order given. Chunks that do not exist or may not be seen are left out. */
  byIds(ids: readonly string[]): Candidate[] {
    const missing = ids.filter((id) => !this.#byId.has(id) && /^[0-9a-f]{32}$/.test(id));
    this.#keep(rowsByKeys<Row>(this.#database, SELECT, "chunkId", missing.map(fromHex)));
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  #keep(rows: readonly Row[]): void {
    for (const { chunkId, documentId, modifiedAt, metadata: json, ...rest } of rows) {
      const document = toHex(documentId);
      if (!this.#permitted.has(document)) continue;
      let metadata = this.#metadata.get(document);
      if (metadata === undefined) {
        metadata = storedMetadata(this.#database, json);
        this.#metadata.set(document, metadata);
      }
      const time = documentTime(metadata, modifiedAt);
      const candidate = { ...rest, chunkId: toHex(chunkId), documentId: document, metadata, time };
      this.#byChunk.set(candidate.chunk, candidate);
      this.#byId.set(candidate.chunkId, candidate);
    }
  }
}

/** By path, then by sequence: the order of chunks with equal scores. */
export function comparePlaces(a: Candidate, b: Candidate): number {
  return compareUtf8(a.path, b.path) || a.sequence - b.sequence || compareUtf8(a.chunkId, b.chunkId);
}

/**
 * Returns the first k chunks by score, ties by place. Only the places of chunks that can be among them are read.
 */
export function firstByScore(
  candidates: Candidates,
  scores: readonly { readonly chunk: number; readonly score: number }[],
  k: number,
): Candidate[] {
  // Of thousands of scores, the k-th: an array of numbers is sorted many times faster than one of objects.
  const ascending = Float64Array.from(scores, ({ score }) => score).sort();
  const last = ascending[Math.max(0, ascending.length - k)]!;
  const within = scores.filter(({ score }) => score >= last);
  const scoreOf = new Map(within.map(({ chunk, score }) => [chunk, score]));
  return candidates
    .byChunks(within.map(({ chunk }) => chunk))
    .sort((a, b) => scoreOf.get(b.chunk)! - scoreOf.get(a.chunk)! || comparePlaces(a, b))
    .slice(0, k);
}
