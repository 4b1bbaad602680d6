/** Graphs and the shape of the index in the database. They are a cache: what is missing or damaged is built again. */
import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { isPrefix } from "../vectors/prefix.ts";
import type { SegmentIndex } from "../vectors/segment-index.ts";
import type { SegmentThread } from "../vectors/segment-threads.ts";
import type { SnapshotSource } from "../vectors/snapshot.ts";
import { ThreadedIndex } from "../vectors/threaded-index.ts";
import { VectorIndex } from "../vectors/vector-index.ts";

/** SQLite could store a larger blob; pieces keep its copies small. */
const PIECE_BYTES = 2 << 20;
/** Pieces that stay in memory while a graph is loaded: it is read in two places in turn. */
const PIECES_HELD = 3;

/** Where graphs are loaded from, and into which engine's like. */
export interface GraphGround {
  readonly database: Database;
  readonly engine: Engine;
  readonly dim: number;
}

/** A graph in the database, without its bytes. */
export interface KeptGraph {
  /** The bit prefix of the documents. */
  readonly segment: string;
  /** The digest of the documents that it was built from, in hexadecimal. */
  readonly subtree: string;
  readonly ids: number;
  readonly vectors: number;
  readonly totalBytes: number;
}

/** How the vectors were divided: the prefixes of segments, and those of forks with their bounds. */
export interface KeptShape {
  readonly segments: readonly string[];
  readonly bounds: ReadonlyMap<string, number>;
}

/** Stores the graph of a segment in place of the previous one, in the open transaction. */
export function keepGraph(database: Database, segment: string, subtree: string, index: SegmentIndex): void {
  const bytes = index.serialize();
  database.run("DELETE FROM graph WHERE segment = ?", [segment]);
  for (let at = 0, piece = 0; at < bytes.length; at += PIECE_BYTES, piece++) {
    database.run(
      "INSERT INTO graph (segment, piece, subtree, ids, vectors, totalBytes, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        ...[segment, piece, fromHex(subtree), index.size, index.distinct, bytes.length],
        bytes.subarray(at, at + PIECE_BYTES),
      ],
    );
  }
}

/** Returns all graphs that are stored, by prefix. */
export function keptGraphs(database: Database): KeptGraph[] {
  return database
    .all<Omit<KeptGraph, "subtree"> & { subtree: Uint8Array }>(
      "SELECT segment, subtree, ids, vectors, totalBytes FROM graph WHERE piece = 0 ORDER BY segment",
    )
    .filter(({ segment }) => isPrefix(segment))
    .map((row) => ({ ...row, subtree: toHex(row.subtree) }));
}

/** Deletes all graphs, or those that are named, in the open transaction. */
export function forgetGraphs(database: Database, isNamed: (graph: KeptGraph) => boolean = () => true): void {
  for (const graph of keptGraphs(database))
    if (isNamed(graph)) database.run("DELETE FROM graph WHERE segment = ?", [graph.segment]);
}

/**
 * Starts to load a stored graph, without what only changes need: in a thread, which goes on by itself, or at once in an
 * engine of this one. The function that is returned ends it; null if the graph is damaged or no longer there. Before the
 * first change the rest is read, from the same rows.
 */
export function startGraph(
  { database, dim, engine }: GraphGround,
  kept: KeptGraph,
  thread: SegmentThread | null,
): () => SegmentIndex | null {
  // The row's size is not trusted, since about that much memory would be reserved.
  const sql = "SELECT coalesce(sum(length(bytes)), 0) AS total FROM graph WHERE segment = ?";
  if (database.get<{ total: number }>(sql, [kept.segment])!.total !== kept.totalBytes) return () => null;
  const source = piecesOf(database, kept);
  const here = () => VectorIndex.load(engine.another(), source);
  const index = unlessDamaged(() => (thread === null ? here() : new ThreadedIndex(thread, source)));
  return () => {
    const loaded = unlessDamaged(() => {
      if (!(index instanceof ThreadedIndex)) return index;
      try {
        return index.loaded();
      } catch (error) {
        if (index.thread.isAlive) throw error;
        return here();
      }
    });
    if (loaded?.dim === dim && loaded.hasGraph && isOfSize(loaded, kept)) return loaded;
    index?.close();
    return null;
  };
}

/** Loads a stored graph into an engine of this thread; null if it is damaged or no longer there. */
export function loadGraph(ground: GraphGround, kept: KeptGraph): VectorIndex | null {
  return startGraph(ground, kept, null)() as VectorIndex | null;
}

function isOfSize({ size, distinct }: SegmentIndex, { ids, vectors }: KeptGraph): boolean {
  return size === ids && distinct === vectors;
}

function unlessDamaged<T>(load: () => T): T | null {
  try {
    return load();
  } catch (error) {
    if (error instanceof SelfsameError && error.code === "BAD_INDEX_BYTES") return null;
    throw error;
  }
}

function piecesOf(database: Database, { segment, subtree, totalBytes }: KeptGraph): SnapshotSource {
  const held = new Map<number, Uint8Array>();
  const pieceAt = (piece: number): Uint8Array => {
    const known = held.get(piece);
    if (known !== undefined) return known;
    const row = database.get<{ subtree: Uint8Array; bytes: Uint8Array }>(
      "SELECT subtree, bytes FROM graph WHERE segment = ? AND piece = ?",
      [segment, piece],
    );
    const isLast = (piece + 1) * PIECE_BYTES >= totalBytes;
    const length = isLast ? totalBytes - piece * PIECE_BYTES : PIECE_BYTES;
    if (row === undefined || toHex(row.subtree) !== subtree || row.bytes.length !== length)
      throw new SelfsameError("BAD_INDEX_BYTES", `expected piece ${piece} of a graph, got none or another`);
    for (const old of held.keys()) if (held.size >= PIECES_HELD) held.delete(old);
    held.set(piece, row.bytes);
    return row.bytes;
  };
  return {
    length: totalBytes,
    read(from, length) {
      const piece = Math.floor(from / PIECE_BYTES);
      const start = from - piece * PIECE_BYTES;
      return pieceAt(piece).subarray(start, start + length);
    },
  };
}

/** Stores the shape in place of the previous one, in the open transaction. */
export function keepShape(database: Database, { segments, bounds }: KeptShape): void {
  database.run("DELETE FROM segments");
  for (const segment of segments)
    database.run("INSERT INTO segments (segment, bound) VALUES (?, NULL)", [segment]);
  for (const [segment, bound] of bounds)
    database.run("INSERT INTO segments (segment, bound) VALUES (?, ?)", [segment, bound]);
}

/** Returns the shape that is stored; null if there is none, or if it is not one. */
export function keptShape(database: Database): KeptShape | null {
  const rows = database.all<{ segment: string; bound: number | null }>("SELECT segment, bound FROM segments");
  if (rows.length === 0 || !rows.every(({ segment }) => isPrefix(segment))) return null;
  const segments = rows.filter(({ bound }) => bound === null).map(({ segment }) => segment);
  const forks = rows.filter(({ bound }) => bound !== null);
  const bounds = new Map(forks.map(({ segment, bound }) => [segment, bound as number]));
  // Every prefix but the empty one hangs below a fork.
  const isTree = rows.every(({ segment }) => segment === "" || bounds.has(segment.slice(0, -1)));
  return isTree ? { segments, bounds } : null;
}
