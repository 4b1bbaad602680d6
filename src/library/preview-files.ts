import { SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import { decodeUtf16 } from "../files/extract/decode-text.ts";
import { bytesMaxOf, extractorOf } from "../files/extract/extract.ts";
import type { SkippedFile } from "../files/found-file.ts";
import { isBinary } from "../files/is-binary.ts";
import { Pauses } from "../files/pauses.ts";
import { utf8 } from "../text/canonical.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type AddFilesOptions, wanted } from "./add-files.ts";
import { type FileTypes, fileTypes } from "./file-types.ts";

/** What `Library.addFiles` would take, and what it would leave out. */
export interface FilesPreview {
  /** The files that would be taken, by path. */
  readonly files: readonly {
    /** Relative to the root. */
    readonly path: string;
    /** The size of the file. */
    readonly bytes: number;
  }[];
  /** Files that would be skipped, each with the reason. A broken PDF is only found when it is read. */
  readonly skipped: readonly SkippedFile[];
  /** Both counted by type. */
  readonly types: FileTypes;
}

/** Which files to look at. */
export interface PreviewOptions extends Pick<AddFilesOptions, "include" | "exclude" | "maxBytes" | "signal"> {
  /** The folder that paths are relative to. */
  readonly root: string;
}

/**
 * Returns which files below `paths` would be indexed, without a library: nothing is written. In Node, Deno and Bun.
 *
 * @example
 * const { files, skipped } = await previewFiles(["docs"], { root: "." });
 */
export async function previewFiles(paths: readonly string[], options: PreviewOptions): Promise<FilesPreview> {
  if (deviceFiles === null)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with files, got a browser",
      "Use add() with the texts",
    );
  const { root, signal, maxBytes } = options;
  const walk = await deviceFiles.walk(paths, {
    root,
    maxBytes: (path) => maxBytes ?? bytesMaxOf(path),
    wants: wanted(options),
    signal,
  });
  const pauses = new Pauses(signal, `files of ${paths.join(", ")}`);
  const skipped: SkippedFile[] = [...walk.skipped];
  const files: { path: string; bytes: number }[] = [];
  for (const file of walk.files) {
    await pauses.here();
    const { path } = file;
    const bytes =
      extractorOf(path) === null ? await deviceFiles.read(file).catch((error: Error) => error) : null;
    if (bytes instanceof Error) skipped.push({ path, reason: "unreadable", detail: bytes.message });
    else if (bytes !== null && isBinary(utf8OrBytes(bytes))) skipped.push({ path, reason: "binary" });
    else files.push({ path, bytes: file.size });
  }
  skipped.sort((a, b) => compareUtf8(a.path, b.path));
  const names = files.map(({ path }) => path);
  return { files, skipped, types: fileTypes(names, skipped) };
}

function utf8OrBytes(bytes: Uint8Array): Uint8Array {
  const decoded = decodeUtf16(bytes);
  return decoded === null ? bytes : utf8(decoded);
}
