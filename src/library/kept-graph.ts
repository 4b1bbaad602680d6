import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { VectorIndex } from "../vectors/vector-index.ts";

/** SQLite could store a larger blob; pieces keep its copies small. */
const PIECE_BYTES = 8 << 20;

/** An index that is stored in the database, and the root that it belongs to. */
export interface KeptGraph {
  readonly index: VectorIndex;
  readonly root: string;
}

/** Stores an index in place of the previous one, in the open transaction. */
export function keepGraph(database: Database, index: VectorIndex, root: string): void {
  const bytes = index.serialize();
  database.run("DELETE FROM graph");
  for (let at = 0, piece = 0; at < bytes.length; at += PIECE_BYTES, piece++) {
    database.run("INSERT INTO graph (piece, root, totalBytes, bytes) VALUES (?, ?, ?, ?)", [
      piece,
      root,
      bytes.length,
      bytes.subarray(at, at + PIECE_BYTES),
    ]);
  }
}

/** Loads the stored index into the engine; null if there is none, or if it is damaged: it can be built again. */
export function keptGraph(database: Database, engine: Engine, dim: number): KeptGraph | null {
  const kept = keptBytes(database);
  if (kept === null) return null;
  try {
    const index = VectorIndex.deserialize(engine, kept.bytes);
    if (index.dim === dim && index.hasGraph) return { index, root: kept.root };
    index.close();
    return null;
  } catch (error) {
    if (error instanceof SelfsameError && error.code === "BAD_INDEX_BYTES") return null;
    throw error;
  }
}

function keptBytes(database: Database): { bytes: Uint8Array; root: string } | null {
  const first = database.get<{ root: string; totalBytes: number }>(
    "SELECT root, totalBytes FROM graph WHERE piece = 0",
  );
  if (first === undefined) return null;
  const sql = "SELECT coalesce(sum(length(bytes)), 0) AS kept FROM graph";
  // The row's size is not trusted, since that many bytes would be allocated.
  if (database.get<{ kept: number }>(sql)!.kept !== first.totalBytes) return null;
  const bytes = new Uint8Array(first.totalBytes);
  let at = 0;
  database.each("SELECT bytes FROM graph ORDER BY piece", [], (row) => {
    const piece = row.blobView(0);
    if (at + piece.length <= bytes.length) bytes.set(piece, at);
    at += piece.length;
  });
  return at === bytes.length ? { bytes, root: first.root } : null;
}
