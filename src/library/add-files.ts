import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import type { FoundFile, SkippedFile } from "../files/found-file.ts";
import { isBinary } from "../files/is-binary.ts";
import { mimeOf } from "../files/mime.ts";
import { documentIds } from "../identity/ids.ts";
import { compileGlobs } from "../search/glob.ts";
import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/order.ts";
import { canonicalPath } from "../text/path.ts";
import { type AddReport, type AddWithinOptions, sumOfReports } from "./add-documents.ts";
import type { DocumentInput } from "./document-input.ts";
import { keepFilesRoot } from "./files-root.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { LibraryWriter } from "./library-writer.ts";
import { Progress, type ProgressEvent } from "./progress.ts";

/** Which files `Library.addFiles` takes, and how it is watched and stopped. */
export interface AddFilesOptions {
  /** The folder that paths count from, the same at every call; default: the one that holds the library, or its parent if that is `.selfsame`. */
  readonly root?: string;
  /** Nothing outside of these folders is read, wherever links in the root lead; default: the root. */
  readonly within?: readonly string[];
  /** Patterns of paths, such as `docs/**`: only files that match one; default all. SPEC §17.1 */
  readonly include?: readonly string[];
  /** Patterns of paths: no file that matches one. */
  readonly exclude?: readonly string[];
  /** A path that is not there counts as an empty folder: its documents are taken out, instead of an error. */
  readonly mayBeGone?: boolean;
  /** Larger files are skipped; default 10 MiB. */
  readonly maxBytes?: number;
  /** Read and chunk every file again, also where it looks unchanged. */
  readonly force?: boolean;
  /** Stops between batches; what is written stays, and the next call goes on from there. */
  readonly signal?: AbortSignal;
  /** Called as files are done. */
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Told of each document that was added, updated or taken out, when that is written. */
  readonly onDocument?: (path: string, change: "added" | "updated" | "removed") => void;
}

/** What `Library.addFiles` did. */
export interface AddFilesReport extends AddReport {
  /** Documents whose files are gone (or no longer wanted) and that were taken out. */
  readonly removed: number;
  /** Files that were left out, each with the reason. */
  readonly skipped: readonly SkippedFile[];
  /** The library's root after it, in hexadecimal. */
  readonly root: string;
}

/** What a type cannot promise of a caller in plain JavaScript. */
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

const MAX_BYTES_DEFAULT = 10 << 20;
/** Files are read in groups of about so many bytes, each written before the next is read. */
const GROUP_BYTES = 8 << 20;
/** FAT keeps times to 2 s, the coarsest clock in use: a file changed within it after a scan may show the same time. */
const CLOCK_GRAIN_NS = 2_000_000_000n;
/** The latest time that a column holds. */
const TIME_MAX_NS = 2n ** 63n - 1n;

interface NamedFile extends FoundFile {
  readonly id: Uint8Array;
  readonly name: string;
}

/** Brings the library up to date with files: `Library.addFiles`. */
export async function addFiles(
  writer: LibraryWriter,
  { engine, database, state }: LibraryParts,
  paths: readonly string[],
  options: AddFilesOptions,
): Promise<AddFilesReport> {
  if (deviceFiles === null) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with files, got a browser",
      "Use add() with the texts",
    );
  }
  const scannedNs = BigInt(Date.now()) * 1_000_000n;
  const root = options.root ?? deviceFiles.folderOf(database.name);
  const walk = await deviceFiles.walk(paths, {
    root,
    within: options.within,
    maxBytes: options.maxBytes ?? MAX_BYTES_DEFAULT,
    wants: wanted(options),
    library: database.name,
    mayBeGone: options.mayBeGone === true,
  });
  keepFilesRoot(database, database.name, root);
  const skipped: SkippedFile[] = [...walk.skipped];
  const files = nameFiles(engine, state.canon.namespace, walk.files, skipped);
  const [same, changed] =
    options.force === true ? [[], files] : split(files, (file) => looksUnchanged(database, file));

  const progress = new Progress(files.length, options.onProgress);
  progress.documents(same.length, 0);
  let report: AddReport = { added: 0, updated: 0, unchanged: same.length, chunks: 0, embedded: 0 };
  // What cannot be read now, a file or a whole folder, may be there all the same: nothing of it is taken out.
  const unreadable = skipped
    .filter(({ reason }) => reason === "unreadable")
    .map(({ path }) => canonicalOr(engine, path));
  const without = new Set<string>(); // binary ones, and those that have gone since the walk
  for (const group of groups(changed)) {
    if (options.signal?.aborted) throw abortedError(options.signal, `${changed.length} files`, "a stop");
    const read: NamedFile[] = [];
    const documents: DocumentInput[] = [];
    for (const file of group) {
      const bytes = await deviceFiles.read(file).catch((error: Error) => error);
      if (bytes instanceof Error) {
        skipped.push({ path: file.path, reason: "unreadable", detail: bytes.message });
      } else if (bytes === null) {
        without.add(file.name);
      } else if (isBinary(bytes)) {
        without.add(file.name);
        skipped.push({ path: file.path, reason: "binary" });
      } else {
        read.push(file);
        const modifiedAt = Number(file.modifiedNs / 1_000_000n);
        documents.push({ path: file.name, text: bytes, modifiedAt, mime: mimeOf(file.name) });
      }
    }
    const { signal } = options;
    const before = report;
    const fileOf = new Map(read.map((file) => [file.name, file]));
    const within: AddWithinOptions = {
      force: options.force === true,
      ...(signal ? { signal } : {}),
      ...(options.onDocument ? { onDocument: options.onDocument } : {}),
      onProgress: ({ documents: count, chunks }) => progress.within(count, chunks),
      // With the document: one whose file is not known would outlive that file if the work was stopped in between.
      onWrite: (names) =>
        rememberFiles(
          database,
          names.map((name) => fileOf.get(name)!),
          scannedNs,
        ),
    };
    const done = await writer.add(documents, within);
    report = sumOfReports(before, done);
    progress.documents(group.length, done.chunks);
    rememberFiles(database, read, scannedNs);
  }
  const kept = new Set(files.map(({ name }) => name).filter((name) => !without.has(name)));
  const scopes = walk.scopes.map((scope) => canonicalOr(engine, scope));
  const gone = filesWithin(database, scopes).filter((path) => !kept.has(path) && !isWithin(unreadable, path));
  const { removed } = await writer.remove(gone);
  if (options.onDocument) for (const path of gone) options.onDocument(path, "removed");
  skipped.sort((a, b) => compareUtf8(a.path, b.path));
  return { ...report, removed, skipped, root: state.root() };
}

function wanted({ include, exclude = [] }: AddFilesOptions): (path: string) => boolean {
  const included = include === undefined ? null : compileGlobs(include, "include");
  const excluded = compileGlobs(exclude, "exclude");
  return (path) => (included === null || included.matches(path)) && !excluded.matches(path);
}

/** Names by canonical path; of two files that are one in NFC, the second is skipped, as is a name that is refused. */
function nameFiles(
  engine: LibraryParts["engine"],
  namespace: string,
  files: readonly FoundFile[],
  skipped: SkippedFile[],
): NamedFile[] {
  const taken = new Set<string>();
  const named: (FoundFile & { name: string })[] = [];
  for (const file of files) {
    try {
      const name = canonicalPath(engine, file.path);
      if (taken.has(name))
        skipped.push({ path: file.path, reason: "bad name", detail: `another file is ${name} too` });
      else named.push({ ...file, name });
      taken.add(name);
    } catch (error) {
      skipped.push({ path: file.path, reason: "bad name", detail: (error as Error).message });
    }
  }
  const ids = documentIds(
    engine,
    named.map(({ name }) => name),
    namespace,
  );
  return named.map((file, i) => ({ ...file, id: ids[i]! }));
}

/**
 * By size and time, if the time is older than the last scan by more than the clock's grain; else only the hash can tell. The
 * time is that of the last change of any kind: archives and `mv` give a file any time of modification.
 */
function looksUnchanged(database: Database, file: NamedFile): boolean {
  const row = database.get<{ size: number; modifiedNs: number | bigint; scannedNs: number | bigint }>(
    // Joined: another process may have taken the document out just before its file was noted here.
    "SELECT size, modifiedNs, scannedNs FROM files JOIN documents USING (documentId) WHERE documentId = ?",
    [file.id],
  );
  return (
    row !== undefined &&
    row.size === file.size &&
    BigInt(row.modifiedNs) === file.changedNs &&
    file.changedNs + CLOCK_GRAIN_NS < BigInt(row.scannedNs)
  );
}

function rememberFiles(database: Database, files: readonly NamedFile[], scannedNs: bigint): void {
  database.transaction(() => {
    for (const { id, size, changedNs } of files) {
      database.run(
        `INSERT INTO files (documentId, size, modifiedNs, scannedNs) VALUES (?, ?, ?, ?)
         ON CONFLICT (documentId) DO UPDATE SET size = excluded.size, modifiedNs = excluded.modifiedNs,
           scannedNs = excluded.scannedNs`,
        [id, size, changedNs < TIME_MAX_NS ? changedNs : TIME_MAX_NS, scannedNs],
      );
    }
  });
}

/** Paths of documents that came from files below the folders (or are the files) that were walked. */
function filesWithin(database: Database, scopes: readonly string[]): string[] {
  return database
    .all<{ path: string }>("SELECT path FROM files JOIN documents USING (documentId) ORDER BY path")
    .map(({ path }) => path)
    .filter((path) => isWithin(scopes, path));
}

/** Whether a path is one of these or lies below one; "" is the root. */
function isWithin(scopes: readonly string[], path: string): boolean {
  return scopes.some((scope) => scope === "" || path === scope || path.startsWith(`${scope}/`));
}

/** The name as the library has it; one that is refused stays as it is, and nothing in the library has it. */
function canonicalOr(engine: LibraryParts["engine"], path: string): string {
  try {
    return path === "" ? "" : canonicalPath(engine, path);
  } catch {
    return path;
  }
}

function* groups(files: readonly NamedFile[]): Generator<NamedFile[]> {
  let group: NamedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    group.push(file);
    bytes += file.size;
    if (bytes < GROUP_BYTES) continue;
    yield group;
    [group, bytes] = [[], 0];
  }
  if (group.length > 0) yield group;
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}
