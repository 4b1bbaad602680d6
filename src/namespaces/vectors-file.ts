import { ID_BYTES } from "../engine/digest.ts";
import { uuidOf } from "../identity/uuid.ts";
import type { Database } from "../store/database.ts";

const MAGIC = "SELFVECS";
const VERSION = 1;
const HEADER_BYTES = 32;
/** Vectors are written in parts of this size, each from one scan of the table: memory does not grow with the library. */
const PART_BYTES = 512 << 20;
const LINES_PER_WRITE = 8192;

/** Writes bytes to the end of a file. */
export type Append = (bytes: Uint8Array) => Promise<void>;

/** The chunks of a library in the order of their ids: the position of a chunk is its faiss_id. */
export interface Registry {
  readonly ntotal: number;
  /** Ids, 16 bytes each, ascending. */
  readonly ids: Uint8Array;
  /** The faiss_id of each chunk, by its number in this file. */
  readonly byChunk: Numbers;
}

/** Numbers by rowid, in an array if rowids are nearly as many as rows: a map takes several times as long. */
class Numbers {
  readonly #array: Int32Array | null;
  readonly #map = new Map<number, number>();

  constructor(rows: number, largest: number) {
    this.#array = largest <= 4 * rows + 1024 ? new Int32Array(largest + 1).fill(-1) : null;
  }

  /** Returns −1 if there is none. */
  get(rowid: number): number {
    return (this.#array === null ? this.#map.get(rowid) : this.#array[rowid]) ?? -1;
  }

  set(rowid: number, number: number): void {
    if (this.#array === null) this.#map.set(rowid, number);
    else this.#array[rowid] = number;
  }
}

/** Reads the ids of all chunks, in the order of their UUIDs, which is that of their bytes. */
export function readRegistry(database: Database): Registry {
  const { ntotal, largest } = database.get<{ ntotal: number; largest: number }>(
    "SELECT count(chunkId) AS ntotal, coalesce(max(chunk), 0) AS largest FROM chunks",
  )!;
  const ids = new Uint8Array(ntotal * ID_BYTES);
  const byChunk = new Numbers(ntotal, largest);
  let id = 0;
  database.each("SELECT chunkId, chunk FROM chunks ORDER BY chunkId", [], (row) => {
    ids.set(row.blobView(0), id * ID_BYTES);
    byChunk.set(row.value(1) as number, id++);
  });
  return { ntotal, ids, byChunk };
}

/** Writes `uuid_registry.jsonl`: one line for each chunk, by faiss_id. SPEC §22.2 */
export async function writeRegistry({ ntotal, ids }: Registry, append: Append): Promise<void> {
  const encoder = new TextEncoder();
  for (let from = 0; from < ntotal; from += LINES_PER_WRITE) {
    let lines = "";
    for (let id = from; id < Math.min(from + LINES_PER_WRITE, ntotal); id++)
      lines += `{"uuid":"${uuidOf(ids.subarray(id * ID_BYTES, (id + 1) * ID_BYTES))}","faiss_id":${id}}\n`;
    await append(encoder.encode(lines));
  }
}

/**
 * Writes `vectors.index`: a header and the vector of each faiss_id. A chunk without a vector has zeros. SPEC §22.2
 *
 *     bytes  0–7   "SELFVECS"
 *            8–11  version, 1
 *           12–15  dimension
 *           16–19  ntotal
 *           20–31  zeros
 *           32–…   ntotal × dimension × i16
 */
export async function writeVectors(
  database: Database,
  model: Uint8Array,
  dimension: number,
  { ntotal, byChunk }: Registry,
  append: Append,
): Promise<void> {
  const header = new Uint8Array(HEADER_BYTES);
  new TextEncoder().encodeInto(MAGIC, header);
  const view = new DataView(header.buffer);
  for (const [i, value] of [VERSION, dimension, ntotal].entries()) view.setUint32(8 + 4 * i, value, true);
  await append(header);
  const byEmbedding = readEmbeddings(database, model, ntotal, byChunk);
  const bytes = 2 * dimension;
  const perPart = Math.max(1, Math.floor(PART_BYTES / bytes));
  for (let from = 0; from < ntotal; from += perPart) {
    const to = Math.min(from + perPart, ntotal);
    const part = new Uint8Array((to - from) * bytes);
    const put = (id: number, vector: Uint8Array) => {
      if (id >= from && id < to && vector.length === bytes) part.set(vector, (id - from) * bytes);
    };
    // In the order of the file: by id, each vector would be on a page somewhere else.
    database.each("SELECT embedding, vector FROM embeddings", [], (row) => {
      let id = byEmbedding.first.get(row.value(0) as number);
      if (id < 0) return;
      const vector = row.blobView(1);
      for (; id >= 0; id = byEmbedding.next[id]!) put(id, vector);
    });
    database.each("SELECT chunk, vector FROM outsideVectors", [], (row) =>
      put(byChunk.get(row.value(0) as number), row.blobView(1)),
    );
    await append(part);
  }
}

/** The faiss_ids of the chunks that share an embedding, as a list: the first of each, and the next of each; −1 ends it. */
interface SharedEmbeddings {
  readonly first: Numbers;
  readonly next: Int32Array;
}

/** Only indexes are read, both in the order of texts. */
function readEmbeddings(
  database: Database,
  model: Uint8Array,
  ntotal: number,
  byChunk: Numbers,
): SharedEmbeddings {
  const { rows, largest } = database.get<{ rows: number; largest: number }>(
    "SELECT count(textHash) AS rows, coalesce(max(embedding), 0) AS largest FROM embeddings",
  )!;
  const first = new Numbers(rows, largest);
  const next = new Int32Array(ntotal).fill(-1);
  const sql = `SELECT embedding, chunk FROM chunks CROSS JOIN embeddings USING (textHash)
               WHERE model = ? ORDER BY textHash`;
  database.each(sql, [model], (row) => {
    const embedding = row.value(0) as number;
    const id = byChunk.get(row.value(1) as number);
    next[id] = first.get(embedding);
    first.set(embedding, id);
  });
  return { first, next };
}

/** Returns the length of the library's vectors; null if it has none. */
export function storedDimension(database: Database, model: Uint8Array): number | null {
  const row = database.get<{ vectorBytes: number | null }>(
    `SELECT coalesce((SELECT length(vector) FROM outsideVectors LIMIT 1),
                     (SELECT length(vector) FROM embeddings WHERE model = ? LIMIT 1)) AS vectorBytes`,
    [model],
  );
  return row?.vectorBytes == null ? null : row.vectorBytes / 2;
}
