import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { compareUtf8 } from "../../text/utf8-order.ts";

/** The files of an ingest, each list in the order in which it is read. */
export interface OutsideFiles {
  readonly chunks: readonly string[];
  readonly vectors: readonly string[];
  readonly manifests: readonly string[];
}

const CHUNKS = /\.chunks?\.jsonl(\.gz)?$/;
const VECTORS = /\.vectors\.(jsonl|jsonl\.gz|parquet)$/;
const MANIFEST = /^docparse\.(chunks|embeddings)\.manifest\.jsonl$/;
const FOLDERS = { chunks: "ChunkedDocTagFiles", vectors: "Embeddings", manifests: "Manifests" };
const DEPTH_MAX = 16;

/**
 * Finds the files that paths stand for. A file is taken as it is. A folder is one of the contract's layout (with
 * `ChunkedDocTagFiles`, `Embeddings` and `Manifests` in it, or in its folder `Data`), or any folder with such files.
 */
export function findOutsideFiles(chunks: string, vectors: readonly string[]): OutsideFiles {
  const root = isFolder(chunks) ? layoutRoot(chunks) : null;
  if (root === null) {
    const own = isFolder(chunks) ? filesOf(chunks) : [chunks];
    const chunkFiles = isFolder(chunks) ? own.filter((file) => CHUNKS.test(file)) : own;
    const beside =
      vectors.length > 0 ? vectors.flatMap(vectorFiles) : own.filter((file) => VECTORS.test(file));
    const manifests = isFolder(chunks) ? own.filter((file) => MANIFEST.test(basename(file))) : [];
    return complete(chunks, { chunks: chunkFiles, vectors: preferred(beside), manifests });
  }
  const below = (name: string, wanted: RegExp) =>
    filesOf(join(root, name)).filter((file) => wanted.test(basename(file)));
  return complete(chunks, {
    chunks: below(FOLDERS.chunks, CHUNKS),
    vectors: preferred(vectors.length > 0 ? vectors.flatMap(vectorFiles) : below(FOLDERS.vectors, VECTORS)),
    manifests: below(FOLDERS.manifests, MANIFEST),
  });
}

function complete(given: string, files: OutsideFiles): OutsideFiles {
  if (files.chunks.length > 0) return files;
  throw new SelfsameError(
    "FILE_MISSING",
    `expected chunk files (*.chunk.jsonl) in ${given}, got none`,
    `Name a chunk file, or a folder that has ${FOLDERS.chunks}, ${FOLDERS.vectors} and ${FOLDERS.manifests}`,
  );
}

function vectorFiles(path: string): string[] {
  return isFolder(path) ? filesOf(path).filter((file) => VECTORS.test(file)) : [path];
}

/** If vectors are there both as Parquet and as JSONL, the Parquet file is taken: it is faster to read. */
function preferred(files: readonly string[]): string[] {
  const byStem = new Map<string, string>();
  for (const file of files) {
    const stem = file.replace(VECTORS, "");
    const other = byStem.get(stem);
    if (other === undefined || file.endsWith(".parquet")) byStem.set(stem, file);
  }
  return [...byStem.values()];
}

function layoutRoot(path: string): string | null {
  const candidates = [path, join(path, "Data")];
  return candidates.find((folder) => filesOf(join(folder, FOLDERS.chunks)).length > 0) ?? null;
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found.isDirectory();
  throw new SelfsameError(
    "FILE_MISSING",
    `expected a file or folder at ${path}, got none`,
    "Check the path",
    {
      details: { file: path },
    },
  );
}

/** Returns the files below a folder, in the order of their paths. Links to folders are not followed. */
function filesOf(folder: string, depth = 0): string[] {
  if (depth > DEPTH_MAX || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => compareUtf8(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesOf(path, depth + 1) : entry.isFile() ? [path] : [];
    });
}
