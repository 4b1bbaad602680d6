import { zipSync } from "fflate";
import mammoth from "mammoth";
import { checkXml } from "./check-xml.ts";
import { ExtractFault } from "./extract-fault.ts";
import type { Extracted } from "./extracted.ts";
import { htmlToMarkdown } from "./html.ts";
import { zipParts } from "./zip-parts.ts";

/** Pictures and embedded files are not unpacked. */
const WANTED = /^(\[Content_Types\]\.xml|_rels\/[^/]*|word\/[^/]*\.xml|word\/_rels\/[^/]*)$/;

/** Returns the text of a Word document as Markdown, its headings by the styles of its paragraphs. */
export async function extractDocx(bytes: Uint8Array): Promise<Extracted> {
  const parts = zipParts(bytes, (name) => WANTED.test(name));
  if (!parts.has("word/document.xml"))
    throw new ExtractFault("expected a Word document, got another archive");
  for (const [name, part] of parts) checkXml(name, new TextDecoder().decode(part));
  // The library unpacks archives without limits, so it gets one that is unpacked already.
  const archive = zipSync(Object.fromEntries(parts), { level: 0, mtime: new Date(1980, 0, 1) });
  const { value } = await mammoth.convertToHtml(inputOf(archive), {
    convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
  });
  return { text: htmlToMarkdown(asPage(value)), format: "markdown" };
}

/** In Node the library takes `buffer`, in a browser `arrayBuffer`; bytes will do for both. */
function inputOf(archive: Uint8Array): { arrayBuffer: ArrayBuffer } {
  const both = { buffer: archive, arrayBuffer: archive.slice().buffer as ArrayBuffer };
  return both;
}

function asPage(html: string): string {
  return `<body>${html}</body>`;
}
