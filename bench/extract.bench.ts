// MB of file a second for each format, beside the bare parser's in the same run: what the way from the parser's tree to
// the text costs. Needs no network; the pages are this package's own and those of installed packages.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, unzipSync, zipSync } from "fflate";
import mammoth from "mammoth";
import { parse } from "parse5";
import { extract } from "#dist/files/extract/extract.js";
import { loadPdfLibrary } from "#dist/files/extract/pdf-library.js";
import { makePdf } from "../test/files/make-pdf.ts";
import type { Table } from "./run.ts";

const ROUNDS = 5;
const PYTHON = process.env["SELFSAME_PYTHON_HTML"] ?? "/usr/share/doc/python3.11/html";

interface Sample {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The parser alone: what anybody pays who reads such a file. null where there is none. */
  readonly bare: ((bytes: Uint8Array) => unknown) | null;
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The longest pages of Python's documentation where it is installed, otherwise a page made of SPEC.md. */
function page(): string {
  if (!existsSync(PYTHON)) {
    const spec = readFileSync(join(import.meta.dirname, "../SPEC.md"), "utf8");
    const paragraphs = spec.replace(/&/g, "&amp;").replace(/</g, "&lt;").split("\n\n");
    return `<main>${paragraphs.map((text) => `<div class="p"><p>${text}</p></div>`).join("\n")}</main>`;
  }
  const files = readdirSync(join(PYTHON, "library")).filter((file) => file.endsWith(".html"));
  const texts = files.map((file) => readFileSync(join(PYTHON, "library", file), "utf8"));
  return texts.sort((a, b) => b.length - a.length)[0]!;
}

async function readPdf(bytes: Uint8Array): Promise<void> {
  const { getDocument } = await loadPdfLibrary();
  const task = getDocument({
    data: bytes.slice(),
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: 0,
  });
  const document = await task.promise;
  for (let i = 1; i <= document.numPages; i++) await (await document.getPage(i)).getTextContent();
  await task.destroy();
}

function samples(): Sample[] {
  const html = page();
  const lines = readFileSync(join(import.meta.dirname, "../SPEC.md"), "latin1").split("\n");
  const pages = Array.from({ length: 40 }, (_, p) =>
    lines
      .slice(p * 50, p * 50 + 50)
      .map((line, i) => [40, 760 - 14 * i, line.replace(/[^ -~]/g, "?")] as const),
  );
  const paragraph = (text: string) =>
    `<w:p><w:r><w:t>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</w:t></w:r></w:p>`;
  const word = join(import.meta.dirname, "../node_modules/mammoth/test/test-data/single-paragraph.docx");
  const docx = unzipSync(new Uint8Array(readFileSync(word)));
  const ascii = lines.map((line) => line.replace(/[^ -~]/g, "?"));
  docx["word/document.xml"] = strToU8(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${ascii.map(paragraph).join("")}</w:body></w:document>`,
  );
  const chapters = 10;
  const opf = `<package><manifest>${Array.from({ length: chapters }, (_, i) => `<item id="c${i}" href="c${i}.xhtml"/>`).join("")}</manifest><spine>${Array.from({ length: chapters }, (_, i) => `<itemref idref="c${i}"/>`).join("")}</spine></package>`;
  const book: Record<string, Uint8Array> = {
    "META-INF/container.xml": strToU8('<container><rootfile full-path="b.opf"/></container>'),
    "b.opf": strToU8(opf),
  };
  for (let i = 0; i < chapters; i++) book[`c${i}.xhtml`] = strToU8(html);
  const cells = Array.from({ length: Math.ceil(lines.length / 20) }, (_, i) => ({
    cell_type: i % 2 === 0 ? "markdown" : "code",
    source: lines.slice(20 * i, 20 * i + 20).map((line) => `${line}\n`),
  }));
  return [
    { path: "a.html", bytes: strToU8(html), bare: (bytes) => parse(decoded(bytes)) },
    { path: "a.pdf", bytes: makePdf(pages), bare: readPdf },
    {
      path: "a.docx",
      bytes: zipSync(docx),
      bare: (bytes) => mammoth.convertToHtml({ buffer: Buffer.from(bytes) }),
    },
    {
      path: "a.epub",
      bytes: zipSync(book),
      bare: (bytes) => {
        for (const [name, part] of Object.entries(unzipSync(bytes)))
          if (name.endsWith(".xhtml")) parse(decoded(part));
      },
    },
    {
      path: "a.ipynb",
      bytes: strToU8(JSON.stringify({ cells })),
      bare: (bytes) => JSON.parse(decoded(bytes)),
    },
    { path: "a.rst", bytes: strToU8(lines.join("\n")), bare: null },
    { path: "a.adoc", bytes: strToU8(lines.join("\n")), bare: null },
  ];
}

export async function bench(): Promise<Table[]> {
  const rows: Table["rows"] = [];
  for (const { path, bytes, bare } of samples()) {
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, work] of [() => extract(path, bytes), () => bare?.(bytes)].entries()) {
        const before = process.cpuUsage();
        await work();
        const { user, system } = process.cpuUsage(before);
        if (round > 0) least[i] = Math.min(least[i]!, user + system);
      }
    }
    const [own = 0, alone = 0] = least.map((microseconds) => bytes.length / Math.max(microseconds, 1));
    rows.push({
      format: path.slice(2),
      "file KB": Math.round(bytes.length / 1000),
      "MB/s": Number(own.toFixed(2)),
      "bare parser MB/s": bare === null ? "–" : Number(alone.toFixed(2)),
      "share %": bare === null ? "–" : Math.round((100 * own) / alone),
    });
  }
  return [{ title: "Text out of files, processor time, the least of 5 rounds that take turns", rows }];
}
