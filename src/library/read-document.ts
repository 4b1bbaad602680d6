import { decodeUtf16 } from "../files/extract/decode-text.ts";
import { extract, extractorOf } from "../files/extract/extract.ts";
import { ExtractFault } from "../files/extract/extract-fault.ts";
import type { SkippedFile } from "../files/found-file.ts";
import { isBinary } from "../files/is-binary.ts";
import { mimeOf } from "../files/mime.ts";
import { utf8 } from "../text/canonical.ts";
import type { DocumentInput } from "./document-input.ts";
import { type Metadata, type MetadataFault, metadataOf } from "./file-metadata.ts";

/** A file that was read: its document, or why it is left out. */
export type ReadDocument =
  | { readonly input: DocumentInput; readonly skipped: null }
  | { readonly input: null; readonly skipped: SkippedFile };

/**
 * Makes a document of the bytes of a file. The text is what a person reads in it: that of a page, a book or a notebook
 * is read out of it, and its metadata says by what. docs/formats.md
 *
 * @param given metadata for every file
 * @param faults where front matter that could not be read is reported
 */
export async function readDocument(
  path: string,
  bytes: Uint8Array,
  modifiedAt: number,
  given: Metadata,
  faults: MetadataFault[],
): Promise<ReadDocument> {
  const mime = mimeOf(path);
  const extractor = extractorOf(path);
  if (extractor !== null) {
    try {
      const { text, format } = (await extract(path, bytes))!;
      return {
        input: { path, text, format, modifiedAt, mime, metadata: { extractor, ...given } },
        skipped: null,
      };
    } catch (error) {
      if (!(error instanceof ExtractFault)) throw error;
      return { input: null, skipped: { path, reason: "bad content", detail: error.message } };
    }
  }
  const decoded = decodeUtf16(bytes);
  const text = decoded === null ? bytes : utf8(decoded);
  if (isBinary(text)) return { input: null, skipped: { path, reason: "binary" } };
  const metadata = metadataOf(path, mime, text, given, faults);
  return { input: { path, text, modifiedAt, mime, metadata }, skipped: null };
}
