import { SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import { bytesMaxOf } from "../files/extract/extract.ts";
import type { FoundFile, SkippedFile } from "../files/found-file.ts";
import { Pauses } from "../files/pauses.ts";
import { documentIds } from "../identity/ids.ts";
import { compileGlobs } from "../search/glob.ts";
import { canonicalPath } from "../text/path.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type AddReport, type AddWithinOptions, sumOfReports } from "./add-documents.ts";
import { givenMetadata, type Metadata, type MetadataFault } from "./file-metadata.ts";
import { type FileTypes, fileTypes } from "./file-types.ts";
import { keepFilesRoot } from "./files-root.ts";
import { type FileSource, GroupReader } from "./group-reader.ts";
import {
  filesWithin,
  isWithin,
  looksUnchanged,
  type NamedFile,
  rememberFiles,
  type Scan,
} from "./known-files.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { LibraryWriter } from "./library-writer.ts";
import { Progress, type ProgressEvent } from "./progress.ts";

/** Which files `Library.addFiles` takes, and options to watch and stop it. */
export interface AddFilesOptions {
  /**
   * The folder that paths are relative to, the same in every call; default: the folder that contains the library, or
   * its parent if that is `.selfsame`.
   */
  readonly root?: string;
  /** Nothing outside these folders is read, wherever links in the root lead; default: the root. */
  readonly within?: readonly string[];
  /** Path patterns, such as `docs/**`: only files that match one are taken; default all. SPEC §17.1 */
  readonly include?: readonly string[];
  /** Path patterns: files that match one are left out. */
  readonly exclude?: readonly string[];
  /** Treats a path that does not exist as an empty folder: its documents are removed, instead of an error. */
  readonly mayBeGone?: boolean;
  /**
   * Metadata for all files of this call. The front matter of a Markdown file takes precedence. A later call replaces it
   * with its own metadata, so give the same in every call.
   */
  readonly metadata?: Metadata;
  /** Larger files are skipped; default 10 MiB, and 50 MiB for PDF, DOCX, EPUB and notebooks. */
  readonly maxBytes?: number;
  /** Reads and chunks every file again, even if it looks unchanged. */
  readonly force?: boolean;
  /** Stops between batches. What is written stays, and the next call continues from there. */
  readonly signal?: AbortSignal;
  /** Called as files are done. */
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Called with each document that was added, updated or removed, once that is written. */
  readonly onDocument?: (path: string, change: "added" | "updated" | "removed") => void;
}

/** What `Library.addFiles` did. */
export interface AddFilesReport extends AddReport {
  /** The number of documents that were removed because their files are gone (or no longer wanted). */
  readonly removed: number;
  /** Files that were skipped, each with the reason. */
  readonly skipped: readonly SkippedFile[];
  /** All files counted by type: those that are in the library now, and those that were left out. */
  readonly types: FileTypes;
  /** Files read in this call whose front matter could not be parsed. They are indexed without it. */
  readonly metadataFaults: readonly MetadataFault[];
  /** The library's root afterwards, in hexadecimal. */
  readonly root: string;
}

/** Checks what a type cannot guarantee about a caller in plain JavaScript. */
export const ADD_FILES_KINDS = {
  root: "text",
  within: "texts",
  include: "texts",
  exclude: "texts",
  mayBeGone: "flag",
  maxBytes: "count",
  force: "flag",
  signal: "signal",
  onProgress: "function",
  onDocument: "function",
} as const;

/** Ids are computed for this many names at a time. */
const IDS_AT_ONCE = 1000;

/** Brings the library up to date with files: `Library.addFiles`. */
export async function addFiles(
  writer: LibraryWriter,
  library: LibraryParts,
  paths: readonly string[],
  options: AddFilesOptions,
): Promise<AddFilesReport> {
  if (deviceFiles === null) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with a file system, got a browser",
      "Use add() with the texts",
    );
  }
  const { engine, database, state } = library;
  const { given, json } = givenMetadata(options.metadata);
  const scan: Scan = { scannedNs: BigInt(Date.now()) * 1_000_000n, givenMetadata: json };
  const pauses = new Pauses(options.signal, `files of ${paths.join(", ")}`);
  const root = options.root ?? deviceFiles.folderOf(database.name);
  const walk = await deviceFiles.walk(paths, {
    root,
    within: options.within,
    maxBytes: (path) => options.maxBytes ?? bytesMaxOf(path),
    wants: wanted(options),
    library: database.name,
    mayBeGone: options.mayBeGone === true,
    signal: options.signal,
  });
  keepFilesRoot(database, database.name, root);
  const skipped: SkippedFile[] = [...walk.skipped];
  const metadataFaults: MetadataFault[] = [];
  const files = await nameFiles(engine, state.canon.namespace, walk.files, skipped, pauses);
  const changed: NamedFile[] = [];
  for (const file of files) {
    await pauses.here();
    if (options.force === true || !looksUnchanged(database, file, scan)) changed.push(file);
  }

  const progress = new Progress(files.length, options.onProgress);
  const unchanged = files.length - changed.length;
  progress.documents(unchanged, 0);
  const reader = new GroupReader(changed, FILES, given, pauses);
  const force = options.force === true;
  await reader.countChunks(library, force, progress);
  let report: AddReport = { added: 0, updated: 0, unchanged, chunks: 0, embedded: 0 };
  // What cannot be read now, a file or a whole folder, may still exist: none of its documents are removed.
  const unreadable = skipped
    .filter(({ reason }) => reason === "unreadable")
    .map(({ path }) => canonicalOr(engine, path));
  const without = new Set<string>(); // those that are not text, and those that have gone since the walk
  for (const group of reader.groups) {
    const { read, documents, ...left } = await reader.take(group);
    skipped.push(...left.skipped);
    metadataFaults.push(...left.faults);
    for (const name of left.without) without.add(name);
    const { signal } = options;
    const before = report;
    const fileOf = new Map(read.map((file) => [file.name, file]));
    const within: AddWithinOptions = {
      force,
      ...(signal ? { signal } : {}),
      ...(options.onDocument ? { onDocument: options.onDocument } : {}),
      onPart: (count, chunks, path) => progress.within(count, chunks, path),
      // In the document's transaction: if the work stopped in between, a document without a known file would outlive
      // that file.
      onWrite: (names) =>
        rememberFiles(
          database,
          names.map((name) => fileOf.get(name)!),
          scan,
        ),
    };
    const done = await writer.add(documents, within);
    report = sumOfReports(before, done);
    progress.documents(group.length, done.chunks);
    rememberFiles(database, read, scan);
  }
  const kept = new Set(files.map(({ name }) => name).filter((name) => !without.has(name)));
  const scopes = walk.scopes.map((scope) => canonicalOr(engine, scope));
  const known = await filesWithin(database, scopes, pauses);
  const gone = known.filter((path) => !kept.has(path) && !isWithin(unreadable, path));
  const { removed } = await writer.remove(gone);
  if (options.onDocument) for (const path of gone) options.onDocument(path, "removed");
  skipped.sort((a, b) => compareUtf8(a.path, b.path));
  const types = fileTypes([...kept], skipped);
  return { ...report, removed, skipped, types, metadataFaults, root: state.root() };
}

/** Returns whether a path passes `include` and `exclude`. */
export function wanted({
  include,
  exclude = [],
}: Pick<AddFilesOptions, "include" | "exclude">): (path: string) => boolean {
  const included = include === undefined ? null : compileGlobs(include, "include");
  const excluded = compileGlobs(exclude, "exclude");
  return (path) => (included === null || included.matches(path)) && !excluded.matches(path);
}

/**
 * Returns names by canonical path. Of two files with the same NFC path, the second is skipped; so is an invalid name.
 */
async function nameFiles(
  engine: LibraryParts["engine"],
  namespace: string,
  files: readonly FoundFile[],
  skipped: SkippedFile[],
  pauses: Pauses,
): Promise<NamedFile[]> {
  const taken = new Set<string>();
  const named: (FoundFile & { name: string })[] = [];
  for (const file of files) {
    await pauses.here();
    try {
      const name = canonicalPath(engine, file.path);
      if (taken.has(name))
        skipped.push({
          path: file.path,
          reason: "bad name",
          detail: `another file has the name ${name}, too`,
        });
      else named.push({ ...file, name });
      taken.add(name);
    } catch (error) {
      skipped.push({ path: file.path, reason: "bad name", detail: (error as Error).message });
    }
  }
  const withIds: NamedFile[] = [];
  for (let at = 0; at < named.length; at += IDS_AT_ONCE) {
    await pauses.here();
    const part = named.slice(at, at + IDS_AT_ONCE);
    const names = part.map(({ name }) => name);
    for (const [i, id] of documentIds(engine, names, namespace).entries()) withIds.push({ ...part[i]!, id });
  }
  return withIds;
}

/** Returns the name as the library stores it. An invalid name is returned unchanged: nothing in the library has it. */
function canonicalOr(engine: LibraryParts["engine"], path: string): string {
  try {
    return path === "" ? "" : canonicalPath(engine, path);
  } catch {
    return path;
  }
}

const FILES: FileSource<NamedFile> = {
  read: (file) => deviceFiles!.read(file),
  nameOf: ({ name }) => name,
  pathOf: ({ path }) => path,
  sizeOf: ({ size }) => size,
  modifiedAt: ({ modifiedNs }) => Number(modifiedNs / 1_000_000n),
};
