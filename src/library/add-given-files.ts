import type { Engine } from "../engine/engine.ts";
import { abortedError } from "../errors/selfsame-error.ts";
import type { SkippedFile } from "../files/found-file.ts";
import { isBinary } from "../files/is-binary.ts";
import { mimeOf } from "../files/mime.ts";
import { compileGlobs } from "../search/glob.ts";
import { canonicalPath } from "../text/path.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type AddOptions, type AddReport, sumOfReports } from "./add-documents.ts";
import type { DocumentInput } from "./document-input.ts";
import { givenMetadata, type Metadata, type MetadataFault, metadataOf } from "./file-metadata.ts";
import type { Library } from "./library.ts";
import type { LibraryParts } from "./library-parts.ts";
import { Progress, type ProgressEvent } from "./progress.ts";

/** A file that a person chose or dropped, and its path in the library. */
export interface GivenFile {
  /** With `/`, relative only to the library. */
  readonly path: string;
  /** The file as an input element or a drop provides it. */
  readonly file: File;
}

/** Options: which of the given files are taken. */
export interface AddGivenFilesOptions {
  /** Path patterns, such as `docs/**`: only files that match one are taken; default all. SPEC §17.1 */
  readonly include?: readonly string[];
  /** Path patterns: files that match one are left out. */
  readonly exclude?: readonly string[];
  /** Metadata for all of them. The front matter of a Markdown file takes precedence. */
  readonly metadata?: Metadata;
  /** Larger files are skipped; default 10 MiB. */
  readonly maxBytes?: number;
  /** Chunks and indexes again even if the text is unchanged. */
  readonly force?: boolean;
}

export interface AddGivenFilesReport extends AddReport {
  /** Files that were skipped, each with the reason. */
  readonly skipped: readonly SkippedFile[];
  /** Files whose front matter could not be parsed; they are added without it. */
  readonly metadataFaults: readonly MetadataFault[];
  /** The library's root afterwards, in hexadecimal. */
  readonly root: string;
}

const MAX_BYTES_DEFAULT = 10 << 20;
/** Files are read in groups of about this many bytes. Each group is written before the next is read. */
const GROUP_BYTES = 8 << 20;

/** Adds files, with the times and types that a folder on disk would give them. Files that are not text are skipped. */
export async function addGivenFiles(
  library: Library,
  { engine, database }: LibraryParts,
  given: readonly GivenFile[],
  options: AddGivenFilesOptions & Pick<AddOptions, "signal" | "onProgress">,
): Promise<AddGivenFilesReport> {
  const { signal, onProgress, force = false } = options;
  const skipped: SkippedFile[] = [];
  const faults: MetadataFault[] = [];
  const { given: metadata } = givenMetadata(options.metadata);
  const files = wantedFiles(engine, given, options, skipped);
  const progress = new Progress(files.length, onProgress);
  let report: AddReport = { added: 0, updated: 0, unchanged: 0, chunks: 0, embedded: 0 };
  for (const group of groups(files)) {
    if (signal?.aborted) throw abortedError(signal, `${files.length} files`, "a stop");
    const documents = await database.idle(() => readAll(group, metadata, skipped, faults));
    const within = ({ documents: count, chunks }: ProgressEvent) => progress.within(count, chunks);
    const done = await library.add(documents, { force, onProgress: within, ...(signal ? { signal } : {}) });
    report = sumOfReports(report, done);
    progress.documents(group.length, done.chunks);
  }
  skipped.sort((a, b) => compareUtf8(a.path, b.path));
  return { ...report, skipped, metadataFaults: faults, root: await library.root() };
}

/** Returns files by canonical path. Of two with the same NFC path, the second is skipped; so is an invalid name. */
function wantedFiles(
  engine: Engine,
  given: readonly GivenFile[],
  { include, exclude = [], maxBytes = MAX_BYTES_DEFAULT }: AddGivenFilesOptions,
  skipped: SkippedFile[],
): GivenFile[] {
  const included = include === undefined ? null : compileGlobs(include, "include");
  const excluded = compileGlobs(exclude, "exclude");
  const wanted = new Map<string, GivenFile>();
  for (const { path: name, file } of given) {
    const path = nameOf(engine, name, skipped);
    if (path === null || (included !== null && !included.matches(path))) continue;
    if (excluded.matches(path)) continue;
    if (file.size > maxBytes) skipped.push({ path, reason: "too large", detail: `${file.size} bytes` });
    else if (wanted.has(path))
      skipped.push({ path: name, reason: "bad name", detail: `another file has the name ${path}, too` });
    else wanted.set(path, { path, file });
  }
  return [...wanted.values()];
}

function nameOf(engine: Engine, path: string, skipped: SkippedFile[]): string | null {
  try {
    return canonicalPath(engine, path);
  } catch (error) {
    skipped.push({ path, reason: "bad name", detail: (error as Error).message });
    return null;
  }
}

async function readAll(
  group: readonly GivenFile[],
  metadata: Metadata,
  skipped: SkippedFile[],
  faults: MetadataFault[],
): Promise<DocumentInput[]> {
  const documents: DocumentInput[] = [];
  for (const file of group) {
    const document = await read(file, metadata, skipped, faults);
    if (document !== null) documents.push(document);
  }
  return documents;
}

async function read(
  { path, file }: GivenFile,
  given: Metadata,
  skipped: SkippedFile[],
  faults: MetadataFault[],
): Promise<DocumentInput | null> {
  let text: Uint8Array;
  try {
    text = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    skipped.push({ path, reason: "unreadable", detail: (error as Error).message });
    return null;
  }
  if (isBinary(text)) {
    skipped.push({ path, reason: "binary" });
    return null;
  }
  const mime = mimeOf(path);
  const metadata = metadataOf(path, mime, text, given, faults);
  return { path, text, modifiedAt: file.lastModified, mime, metadata };
}

function* groups(files: readonly GivenFile[]): Generator<GivenFile[]> {
  let group: GivenFile[] = [];
  let bytes = 0;
  for (const each of files) {
    group.push(each);
    bytes += each.file.size;
    if (bytes < GROUP_BYTES) continue;
    yield group;
    [group, bytes] = [[], 0];
  }
  if (group.length > 0) yield group;
}
