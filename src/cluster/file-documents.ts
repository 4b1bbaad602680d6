import { deviceFiles } from "../files/device-files.ts";
import { bytesMaxOf } from "../files/extract/extract.ts";
import type { SkippedFile } from "../files/found-file.ts";
import { type AddFilesOptions, wanted } from "../library/add-files.ts";
import type { DocumentInput } from "../library/document-input.ts";
import { givenMetadata } from "../library/file-metadata.ts";
import { readDocument } from "../library/read-document.ts";

/** Which files are read. */
export interface FileDocumentsOptions
  extends Pick<AddFilesOptions, "include" | "exclude" | "metadata" | "maxBytes" | "signal"> {
  /** The folder that paths are relative to. */
  readonly root: string;
  /** Called with each file that is left out. */
  readonly onSkipped?: (file: SkippedFile) => void;
}

/**
 * Yields the documents of the files below `paths`, one at a time, as `Library.addFiles` reads them: ignore rules, formats
 * and front matter are the same.
 *
 * @example
 * for await (const document of fileDocuments(["docs"], { root: "." })) await cluster.ingest([document]);
 */
export async function* fileDocuments(
  paths: readonly string[],
  options: FileDocumentsOptions,
): AsyncGenerator<DocumentInput> {
  const { root, maxBytes, signal, onSkipped } = options;
  const { given } = givenMetadata(options.metadata);
  const { files, skipped } = await deviceFiles!.walk(paths, {
    root,
    maxBytes: (path) => maxBytes ?? bytesMaxOf(path),
    wants: wanted(options),
    signal,
  });
  for (const file of skipped) onSkipped?.(file);
  for (const file of files) {
    const bytes = await deviceFiles!.read(file).catch((error: Error) => error);
    if (bytes instanceof Error) onSkipped?.({ path: file.path, reason: "unreadable", detail: bytes.message });
    if (bytes === null || bytes instanceof Error) continue;
    const modifiedAt = Number(file.modifiedNs / 1_000_000n);
    const { input, skipped: left } = await readDocument(file.path, bytes, modifiedAt, given, []);
    if (left === null) yield input;
    else onSkipped?.(left);
  }
}
