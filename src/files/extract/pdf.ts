import { checkPdf } from "./check-pdf.ts";
import { checkTextLength, Deadline, ExtractFault } from "./extract-fault.ts";
import type { Extracted } from "./extracted.ts";
import { loadPdfLibrary, type PdfItem } from "./pdf-library.ts";

const PAGES_MAX = 10_000;

/**
 * Returns the text of a PDF, page by page. A form feed starts each page but the first, so that a chunk's page can be
 * told (SPEC §11.1). Fonts are not loaded, and scripts in the file are not run.
 */
export async function extractPdf(bytes: Uint8Array): Promise<Extracted> {
  checkPdf(bytes);
  const { getDocument } = await loadPdfLibrary();
  const task = getDocument({
    data: bytes.slice(), // it is transferred
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    if (document.numPages > PAGES_MAX) throw new ExtractFault(`more than ${PAGES_MAX} pages`);
    const deadline = new Deadline();
    let text = "";
    // Canonical text drops white space at the end of lines, so marks stand before the next text.
    let marks = "";
    for (let number = 1; number <= document.numPages; number++) {
      deadline.check();
      const page = await document.getPage(number);
      const own = pageText((await page.getTextContent()).items);
      page.cleanup();
      if (number > 1) marks += "\f";
      if (own === "") continue;
      text += (text === "" ? "" : "\n\n") + marks + own;
      marks = "";
      checkTextLength(text.length);
    }
    return { text, format: "plain" };
  } catch (cause) {
    if ((cause as Error | null)?.name === "PasswordException") throw new ExtractFault("it needs a password");
    throw cause;
  } finally {
    await task.destroy();
  }
}

/** Returns the lines of a page. An empty line stands where the distance to the next line is larger than usual. */
function pageText(items: readonly PdfItem[]): string {
  const lines: { text: string; y: number; height: number }[] = [];
  let line: { text: string; y: number; height: number } | null = null;
  for (const { str = "", transform, height, hasEOL } of items) {
    if (str !== "") {
      const y = transform[5] ?? 0;
      if (line === null) {
        line = { text: "", y, height: 0 };
        lines.push(line);
      }
      line.text += str;
      line.height = Math.max(line.height, height);
    }
    if (hasEOL) line = null;
  }
  let text = "";
  let last: (typeof lines)[number] | null = null;
  for (const each of lines) {
    // Form feeds of the file's own would be pages.
    const own = each.text.replace(/\s+/g, " ").trim();
    if (own === "") continue;
    if (last === null) text = own;
    else {
      const distance = last.y - each.y;
      const size = Math.max(last.height, each.height, 1);
      const isNear = distance > -0.5 * size && distance <= 1.6 * size;
      if (isNear && /[A-Za-z\u00c0-\u024f]-$/.test(text) && /^[a-z\u00df-\u00ff]/.test(own))
        text = text.slice(0, -1) + own;
      else text += (isNear ? "\n" : "\n\n") + own;
    }
    last = each;
  }
  return text;
}
