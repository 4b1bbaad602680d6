/**
 * What `selfsame web --db` needs besides the public API: a library that also takes the files that a person gives to the page. That
 * command imports this file, nothing deeper.
 */
import { errorRecord } from "../errors/error-record.ts";
import type { AddOptions } from "./add-documents.ts";
import { type AddGivenFilesReport, addGivenFiles, type GivenFile } from "./add-given-files.ts";
import { Library } from "./library.ts";
import { openParts } from "./open.ts";
import type { OpenOptions } from "./open-options.ts";

export { errorRecord, type GivenFile };

/** A library that a page works with. */
export interface PageLibrary {
  readonly library: Library;
  /** Adds files by their bytes, as a browser's own library does. */
  readonly addGiven: (
    files: readonly GivenFile[],
    options: Pick<AddOptions, "signal" | "onProgress">,
  ) => Promise<AddGivenFilesReport>;
}

/** Opens a library for a page. */
export async function openForPage(name: string, options: OpenOptions): Promise<PageLibrary> {
  const parts = await openParts(name, options);
  const library = new Library(parts);
  return { library, addGiven: (files, given) => addGivenFiles(library, parts, files, given) };
}
