import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { PRIVATE_FOLDER } from "../store/library-files.node.ts";
import { openDatabase } from "../store/open-database.ts";
import { prepareSchema } from "../store/schema.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { copyFile, digestFile, syncFolder, syncPath, writeFileDurably } from "./durable-files.node.ts";
import { SNAPSHOT_VERSION, type SnapshotMetadata } from "./snapshot-metadata.ts";
import { readRegistry, storedDimension, writeRegistry, writeVectors } from "./vectors-file.ts";

/** What a snapshot is made of, and where. */
export interface SnapshotTask {
  readonly name: string;
  /** The library's file. */
  readonly path: string;
  readonly library: OpenOptions;
  /** The folder that is made. Its name says that it is not whole; the caller renames it. */
  readonly folder: string;
  /** Now, as an ISO date. */
  readonly createdAt: string;
}

/**
 * Writes a snapshot of a library into a new folder. Writers wait only while the library's file is copied: a read lock
 * keeps it as it is. Everything else is made from the copy. SPEC §22.2
 */
export async function writeSnapshot(task: SnapshotTask): Promise<SnapshotMetadata> {
  const { name, path, folder } = task;
  mkdirSync(folder, { mode: PRIVATE_FOLDER });
  try {
    const copy = join(folder, "library.db");
    await copyLibrary(path, copy, task.library.timeoutMs);
    const parts = await openParts(copy, { ...task.library, namespace: name }, { isReader: true });
    try {
      return await describe(task, parts, copy);
    } finally {
      if (parts.ownsEmbedder) parts.embedder.close();
      parts.database.close();
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the number of distinct vectors; or that of chunks, if that is small enough already. */
function distinctVectors({ database, state }: LibraryParts, chunks: number): number {
  if (chunks <= Number(state.canon.segment)) return chunks;
  const sql =
    state.dimension === null
      ? "SELECT count(DISTINCT textHash) AS vectors FROM chunks"
      : "SELECT count(DISTINCT vector) AS vectors FROM outsideVectors";
  return database.get<{ vectors: number }>(sql)!.vectors;
}

/** Copies a library's file while a read lock keeps it as it is. */
async function copyLibrary(path: string, copy: string, timeoutMs: number | undefined): Promise<void> {
  const database = await openDatabase(path, timeoutMs === undefined ? {} : { timeoutMs });
  try {
    prepareSchema(database);
    database.snapshot(() => {
      database.get("SELECT key FROM meta LIMIT 1"); // the first read takes the lock
      copyFile(path, copy);
    });
  } finally {
    database.close();
  }
}

async function describe(
  { name, folder, createdAt }: SnapshotTask,
  parts: LibraryParts,
  copy: string,
): Promise<SnapshotMetadata> {
  const { database, state, identity, semantic } = parts;
  const registry = readRegistry(database);
  const dimension = storedDimension(database, state.model) ?? identity.hidden;
  const [vectors, uuids] = await Promise.all([
    writeFileDurably(join(folder, "vectors.index"), (append) =>
      writeVectors(database, state.model, dimension, registry, append),
    ),
    writeFileDurably(join(folder, "uuid_registry.jsonl"), (append) => writeRegistry(registry, append)),
  ]);
  const { documents } = database.get<{ documents: number }>(
    "SELECT count(documentId) AS documents FROM documents",
  )!;
  const { root, metadataRoot } = state.roots();
  syncPath(copy);
  const config = createHash("sha256").update(canonicalJson({ ...state.canon }));
  const metadata: SnapshotMetadata = {
    namespace: name,
    created_at: createdAt,
    ntotal: registry.ntotal,
    documents,
    dimension,
    index_type: semantic.answersByGraphAt(distinctVectors(parts, registry.ntotal)) ? "HNSW" : "Flat",
    config_hash: `sha256:${config.digest("hex")}`,
    snapshot_version: SNAPSHOT_VERSION,
    canon: state.canonDigest,
    root,
    metadata_root: metadataRoot,
    files: { "library.db": digestFile(copy), "vectors.index": vectors, "uuid_registry.jsonl": uuids },
  };
  const text = new TextEncoder().encode(`${JSON.stringify(metadata, null, 2)}\n`);
  await writeFileDurably(join(folder, "metadata.json"), (append) => append(text));
  syncFolder(folder);
  return metadata;
}
