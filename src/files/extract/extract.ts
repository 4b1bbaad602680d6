import { ExtractFault } from "./extract-fault.ts";
import type { Extracted, Extractor } from "./extracted.ts";

interface Kind {
  /** Its name and version. The version counts up whenever the same bytes give another text. */
  readonly name: string;
  /** Larger files are left out. Files with pictures in them are larger than their text. */
  readonly bytesMax: number;
  readonly load: () => Promise<Extractor>;
}

const TEXT_BYTES_MAX = 10 << 20;
const BINARY_BYTES_MAX = 50 << 20;

const HTML: Kind = {
  name: "html 1",
  bytesMax: TEXT_BYTES_MAX,
  load: async () => (await import("./html.ts")).extractHtml,
};
const ASCIIDOC: Kind = {
  name: "asciidoc 1",
  bytesMax: TEXT_BYTES_MAX,
  load: async () => (await import("./asciidoc.ts")).extractAsciidoc,
};

/** By extension, in lower case. Each is loaded when a first file of its kind is met. docs/formats.md */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["htm", HTML],
  ["html", HTML],
  ["xhtml", HTML],
  ["adoc", ASCIIDOC],
  ["asciidoc", ASCIIDOC],
  [
    "rst",
    {
      name: "rst 1",
      bytesMax: TEXT_BYTES_MAX,
      load: async () => (await import("./restructured-text.ts")).extractRestructuredText,
    },
  ],
  [
    "ipynb",
    {
      name: "jupyter 1",
      bytesMax: BINARY_BYTES_MAX,
      load: async () => (await import("./jupyter.ts")).extractJupyter,
    },
  ],
  [
    "pdf",
    {
      name: "pdf 1 (pdfjs 4.10.38)",
      bytesMax: BINARY_BYTES_MAX,
      load: async () => (await import("./pdf.ts")).extractPdf,
    },
  ],
  [
    "docx",
    {
      name: "docx 1 (mammoth 1.13.0)",
      bytesMax: BINARY_BYTES_MAX,
      load: async () => (await import("./docx.ts")).extractDocx,
    },
  ],
  [
    "epub",
    {
      name: "epub 1",
      bytesMax: BINARY_BYTES_MAX,
      load: async () => (await import("./epub.ts")).extractEpub,
    },
  ],
]);

/** Returns the name and version of the extractor for a path; null if its text is the file itself. */
export function extractorOf(path: string): string | null {
  return kindOf(path)?.name ?? null;
}

/** Returns the size in bytes from which on a file is left out. */
export function bytesMaxOf(path: string): number {
  return kindOf(path)?.bytesMax ?? TEXT_BYTES_MAX;
}

/**
 * Returns the text of a file of one of the kinds; null if the file is text itself.
 *
 * @throws {ExtractFault} if the file is not of its kind, or goes beyond a limit
 */
export async function extract(path: string, bytes: Uint8Array): Promise<Extracted | null> {
  const kind = kindOf(path);
  if (kind === undefined) return null;
  const extractor = await kind.load();
  try {
    return await extractor(bytes);
  } catch (cause) {
    if (cause instanceof ExtractFault) throw cause;
    // The parser's own error: whatever it is, it is about this file.
    throw new ExtractFault(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function kindOf(path: string): Kind | undefined {
  return KINDS.get(extensionOf(path));
}

/** Returns the extension of a path in lower case; "" if there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return "";
  return name.slice(dot + 1).replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}
