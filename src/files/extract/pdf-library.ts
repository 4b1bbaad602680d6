/** The part of pdfjs that reads text. Both halves run in this thread: nothing is fetched and no Worker is started. */
export interface PdfLibrary {
  getDocument(source: object): { readonly promise: Promise<PdfDocument>; destroy(): Promise<void> };
}

export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

export interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly PdfItem[] }>;
  cleanup(): boolean;
}

/** A run of text on a page, or a mark without text. */
export interface PdfItem {
  readonly str?: string;
  /** The last two numbers are where it stands, from the left and from below. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

let loading: Promise<PdfLibrary> | null = null;

/** Loads pdfjs, once. */
export function loadPdfLibrary(): Promise<PdfLibrary> {
  loading ??= load();
  return loading;
}

async function load(): Promise<PdfLibrary> {
  const host = globalThis as { window?: unknown; pdfjsWorker?: unknown };
  const hadWindow = "window" in host;
  const { log } = console;
  try {
    // In a Worker, pdfjs would take the Worker's messages for its own; it looks for a window to tell.
    if (!hadWindow) host.window = globalThis;
    // In Node it tells standard output that it cannot draw. Nothing is drawn, and the output belongs to somebody else.
    console.log = () => undefined;
    host.pdfjsWorker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
    return (await import("pdfjs-dist/legacy/build/pdf.mjs")) as unknown as PdfLibrary;
  } finally {
    console.log = log;
    if (!hadWindow) delete host.window;
  }
}
