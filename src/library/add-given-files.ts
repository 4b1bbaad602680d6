import type { Engine } from "../engine/engine.ts";
import { bytesMaxOf } from "../files/extract/extract.ts";
import type { SkippedFile } from "../files/found-file.ts";
import { Pauses } from "../files/pauses.ts";
import { compileGlobs } from "../search/glob.ts";
import { canonicalPath } from "../text/path.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type AddOptions, type AddReport, type AddWithinOptions, sumOfReports } from "./add-documents.ts";
import { givenMetadata, type Metadata, type MetadataFault } from "./file-metadata.ts";
import { type FileSource, GroupReader } from "./group-reader.ts";
import type { Library } from "./library.ts";
import type { LibraryParts } from "./library-parts.ts";
import { Progress } from "./progress.ts";

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
  /** Larger files are skipped; default 10 MiB, and 50 MiB for PDF, DOCX, EPUB and notebooks. */
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

/** Adds files, with the times and types that a folder on disk would give them. Files that are not text are skipped. */
export async function addGivenFiles(
  library: Library,
  parts: LibraryParts,
  given: readonly GivenFile[],
  options: AddGivenFilesOptions & Pick<AddOptions, "signal" | "onProgress">,
): Promise<AddGivenFilesReport> {
  const { engine, database } = parts;
  const { signal, onProgress, force = false } = options;
  const skipped: SkippedFile[] = [];
  const faults: MetadataFault[] = [];
  const { given: metadata } = givenMetadata(options.metadata);
  const files = wantedFiles(engine, given, options, skipped);
  const progress = new Progress(files.length, onProgress);
  const reader = new GroupReader(files, GIVEN, metadata, new Pauses(signal, `${files.length} files`));
  await reader.countChunks(parts, force, progress);
  let report: AddReport = { added: 0, updated: 0, unchanged: 0, chunks: 0, embedded: 0 };
  for (const group of reader.groups) {
    const { documents, ...left } = await database.idle(() => reader.take(group));
    skipped.push(...left.skipped);
    faults.push(...left.faults);
    const part: AddWithinOptions = {
      force,
      ...(signal ? { signal } : {}),
      onPart: (count, chunks, path) => progress.within(count, chunks, path),
    };
    const done = await library.add(documents, part);
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
  { include, exclude = [], maxBytes }: AddGivenFilesOptions,
  skipped: SkippedFile[],
): GivenFile[] {
  const included = include === undefined ? null : compileGlobs(include, "include");
  const excluded = compileGlobs(exclude, "exclude");
  const wanted = new Map<string, GivenFile>();
  for (const { path: name, file } of given) {
    const path = nameOf(engine, name, skipped);
    if (path === null || (included !== null && !included.matches(path))) continue;
    if (excluded.matches(path)) continue;
    const bytesMax = maxBytes ?? bytesMaxOf(path);
    if (file.size > bytesMax)
      skipped.push({ path, reason: "too large", detail: `${file.size} bytes`, bytesMax });
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

const GIVEN: FileSource<GivenFile> = {
  read: async ({ file }) => new Uint8Array(await file.arrayBuffer()),
  nameOf: ({ path }) => path,
  pathOf: ({ path }) => path,
  sizeOf: ({ file }) => file.size,
  modifiedAt: ({ file }) => file.lastModified,
};
