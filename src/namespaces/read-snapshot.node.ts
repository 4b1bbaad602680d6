import { closeSync, constants, fstatSync, lstatSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { openParts } from "../library/open.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { openBeside } from "../store/library-files.node.ts";
import { checkFolder } from "./data-folder.node.ts";
import { copyFile, digestFile } from "./durable-files.node.ts";
import {
  badSnapshot,
  readSnapshotMetadata,
  SNAPSHOT_FILES,
  type SnapshotMetadata,
} from "./snapshot-metadata.ts";

/** The longest `metadata.json` and `current` that are read. */
const TEXT_BYTES_MAX = 1 << 20;

/** Reads a short file of a snapshot. @throws {SelfsameError} BAD_SNAPSHOT if there is none */
export function readShortFile(path: string): string {
  let fd: number;
  try {
    fd = openBeside(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw badSnapshot(path, "a file", "none");
  }
  try {
    const { size } = fstatSync(fd);
    if (size > TEXT_BYTES_MAX) throw badSnapshot(path, `at most ${TEXT_BYTES_MAX} bytes`, `${size}`);
    const bytes = new Uint8Array(size);
    return new TextDecoder().decode(bytes.subarray(0, readSync(fd, bytes, 0, size, 0)));
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns the folder of the snapshot that is meant: the given one, or the one that its file `current` names.
 *
 * @throws {SelfsameError} BAD_SNAPSHOT
 */
export function snapshotFolder(folder: string): string {
  if (!checkFolder(folder, false)) throw badSnapshot(folder, "a folder of a snapshot", "none");
  const current = join(folder, "current");
  if (lstatSync(current, { throwIfNoEntry: false }) === undefined) return folder;
  const name = readShortFile(current).trimEnd();
  if (!SNAPSHOT_NAME.test(name)) throw badSnapshot(current, "the name of a snapshot", "something else");
  const named = join(folder, name);
  if (!checkFolder(named, false)) throw badSnapshot(named, "the snapshot that current names", "none");
  return named;
}

/** The name of a snapshot's folder: the time that it was made, and the root. */
export const SNAPSHOT_NAME = /^\d{8}T\d{9}Z-[0-9a-f]{64}$/;

/** What is restored, and where. */
export interface RestoreTask {
  readonly name: string;
  /** The folder of the snapshot. */
  readonly folder: string;
  /** Where the checked copy of the library is put. */
  readonly copy: string;
  readonly library: OpenOptions;
}

/**
 * Checks a snapshot as a whole and makes a copy of its library, in a new file. Digests are compared with the copy's own
 * bytes, so that nothing can change in between. SPEC §22.3
 *
 * @throws {SelfsameError} BAD_SNAPSHOT; then there is no copy
 */
export async function stageSnapshot({ name, folder, copy, library }: RestoreTask): Promise<SnapshotMetadata> {
  const metadata = readSnapshotMetadata(readShortFile(join(folder, "metadata.json")), folder);
  if (metadata.namespace !== name)
    throw badSnapshot(folder, `a snapshot of the namespace ${name}`, `one of ${metadata.namespace}`);
  try {
    const files = SNAPSHOT_FILES.map((file) => ({ file, path: join(folder, file) }));
    for (const { file, path } of files) checkIsThere(folder, file, path);
    copyFile(join(folder, "library.db"), copy);
    for (const { file, path } of files) {
      const found = digestFile(file === "library.db" ? copy : path);
      const { bytes, sha256 } = metadata.files[file];
      if (found.bytes !== bytes || found.sha256 !== sha256)
        throw badSnapshot(
          folder,
          `${file} with ${bytes} bytes and sha256 ${sha256}`,
          `${found.bytes} bytes and ${found.sha256}`,
        );
    }
    await checkLibrary(copy, name, library, folder, metadata);
    return metadata;
  } catch (error) {
    rmSync(copy, { force: true });
    if (error instanceof SelfsameError) throw error;
    throw badSnapshot(folder, "files that can be read", (error as Error).message);
  }
}

function checkIsThere(folder: string, file: string, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw badSnapshot(folder, `the file ${file}`, "none");
}

/** Digests say that the files belong together; this says that the library is the one that the metadata describes. */
async function checkLibrary(
  copy: string,
  name: string,
  library: OpenOptions,
  folder: string,
  metadata: SnapshotMetadata,
): Promise<void> {
  const { database, state, semantic, embedder, ownsEmbedder } = await openParts(
    copy,
    { ...library, namespace: name },
    { isReader: true },
  );
  try {
    const { root, metadataRoot } = state.roots();
    const same =
      root === metadata.root &&
      metadataRoot === metadata.metadata_root &&
      state.canonDigest === metadata.canon;
    if (!same) throw badSnapshot(folder, "the library of its metadata", `one with the root ${root}`);
  } finally {
    await semantic.close();
    if (ownsEmbedder) embedder.close();
    database.close();
  }
}
