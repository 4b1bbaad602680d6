/**
 * What a library keeps of packs: which vectors came with one and were not computed here yet, and the bytes of one that is
 * being imported. Each function that writes runs in the open transaction. SPEC §27.7
 */
import type { Database } from "./database.ts";

/** Stands for every pack in which a vector was wrong. */
export const WRONG_PACK = new Uint8Array(32);

/** Notes that the vector of a text came with a pack. The first pack that brought it counts. */
export function putUnverified(database: Database, textHash: Uint8Array, pack: Uint8Array): void {
  const sql = "INSERT INTO unverified (textHash, pack) VALUES (?, ?) ON CONFLICT (textHash) DO NOTHING";
  database.run(sql, [textHash, pack]);
}

/** Notes that the vector of a text was computed here. */
export function deleteUnverified(database: Database, textHash: Uint8Array): void {
  database.run("DELETE FROM unverified WHERE textHash = ?", [textHash]);
}

/** Returns the pack that a vector came with, if it was not computed here yet; null otherwise. */
export function packOfVector(database: Database, textHash: Uint8Array): Uint8Array | null {
  const sql = "SELECT pack FROM unverified WHERE textHash = ?";
  return database.get<{ pack: Uint8Array }>(sql, [textHash])?.pack ?? null;
}

/** Marks a pack as one with a wrong vector. Returns how many vectors it brought that were not computed here. */
export function markWrongPack(database: Database, pack: Uint8Array): number {
  return database.run("UPDATE unverified SET pack = ? WHERE pack = ?", [WRONG_PACK, pack]);
}

/** Replaces the vector of a text. */
export function replaceEmbedding(
  database: Database,
  textHash: Uint8Array,
  model: Uint8Array,
  vector: Uint8Array,
): void {
  database.run("UPDATE embeddings SET vector = ? WHERE textHash = ? AND model = ?", [
    vector,
    textHash,
    model,
  ]);
}

/** Returns the vector of a text, or null. */
export function embeddingOf(database: Database, textHash: Uint8Array, model: Uint8Array): Uint8Array | null {
  const sql = "SELECT vector FROM embeddings WHERE textHash = ? AND model = ?";
  return database.get<{ vector: Uint8Array }>(sql, [textHash, model])?.vector ?? null;
}

export function putSpooled(database: Database, spool: number, piece: number, bytes: Uint8Array): void {
  database.run("INSERT INTO spooled (spool, piece, bytes) VALUES (?, ?, ?)", [spool, piece, bytes]);
}

/** Returns a piece of a spooled pack, or null. */
export function spooledPiece(database: Database, spool: number, piece: number): Uint8Array | null {
  const sql = "SELECT bytes FROM spooled WHERE spool = ? AND piece = ?";
  return database.get<{ bytes: Uint8Array }>(sql, [spool, piece])?.bytes ?? null;
}

/** Drops one spooled pack, and those of imports that began before a time. */
export function dropSpooled(database: Database, spool: number, before = 0): void {
  database.run("DELETE FROM spooled WHERE spool = ? OR spool < ?", [spool, before]);
}
