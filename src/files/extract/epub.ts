import { asHtml } from "./check-xml.ts";
import { decodePage } from "./decode-text.ts";
import { checkTextLength, ExtractFault } from "./extract-fault.ts";
import type { Extracted } from "./extracted.ts";
import { htmlToMarkdown } from "./html.ts";
import { attribute, type HtmlElement, type HtmlNode, isElement, parseHtml } from "./html-tree.ts";
import { zipParts } from "./zip-parts.ts";

const WANTED = /(^META-INF\/container\.xml|\.(opf|xhtml|html?|xml))$/i;

/** Returns the text of a book as Markdown: its chapters, in the order in which the book names them. */
export function extractEpub(bytes: Uint8Array): Extracted {
  const parts = zipParts(bytes, (name) => WANTED.test(name));
  const container = parts.get("META-INF/container.xml");
  if (container === undefined)
    throw new ExtractFault("expected a book, got an archive without META-INF/container.xml");
  const [rootfile] = elements(container, "rootfile");
  const packagePath = rootfile && attribute(rootfile, "full-path");
  const contents = packagePath === undefined ? undefined : parts.get(packagePath);
  if (contents === undefined) throw new ExtractFault("expected a book, got one without its list of contents");
  const hrefs = new Map(
    elements(contents, "item").map((item) => [attribute(item, "id"), attribute(item, "href")]),
  );
  const chapters: string[] = [];
  let length = 0;
  for (const itemref of elements(contents, "itemref")) {
    if (attribute(itemref, "linear") === "no") continue;
    const href = hrefs.get(attribute(itemref, "idref"));
    const part = href === undefined ? undefined : parts.get(resolved(packagePath!, href));
    if (part === undefined) continue;
    const text = htmlToMarkdown(asHtml(decodePage(part)));
    length += text.length;
    checkTextLength(length);
    if (text !== "") chapters.push(text);
  }
  return { text: chapters.join("\n\n"), format: "markdown" };
}

/** Returns the elements of an XML file with this name, without regard to its prefix. */
function elements(xml: Uint8Array, name: string): HtmlElement[] {
  const found: HtmlElement[] = [];
  const visit = (nodes: readonly HtmlNode[]) => {
    for (const node of nodes) {
      if (!isElement(node)) continue;
      if (node.tagName.replace(/^.*:/, "") === name) found.push(node);
      visit(node.childNodes);
    }
  };
  visit(parseHtml(asHtml(decodePage(xml))).childNodes);
  return found;
}

/** Returns the name of a part that another part refers to. */
function resolved(from: string, href: string): string {
  const parts = from.split("/").slice(0, -1);
  let path = href.replace(/[?#].*$/, "");
  try {
    path = decodeURIComponent(path);
  } catch {
    // As it is written.
  }
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
