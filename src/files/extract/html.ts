import { decodePage } from "./decode-text.ts";
import type { Extracted } from "./extracted.ts";
import {
  attribute,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  parseHtml,
  textOf,
} from "./html-tree.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** Elements that hold nothing that a person reads, or what leads elsewhere. */
const LEFT_OUT = new Set(
  (
    "applet audio base button canvas datalist dialog embed frame frameset head iframe input link map math meta nav " +
    "noembed noframes noscript object option optgroup param progress rp script select source style svg template " +
    "textarea title track video wbr"
  ).split(" "),
);
const LEFT_OUT_ROLES = new Set(["navigation", "search", "menu", "menubar", "tablist", "toolbar"]);
/** What documentation generators (DocBook, Sphinx, Doxygen, MkDocs, Docusaurus) call their navigation. */
const LEFT_OUT_CLASSES = new Set(
  (
    "navheader navfooter toc toctree-wrapper sphinxsidebar related headerlink breadcrumb breadcrumbs sr-only " +
    "visually-hidden skip-link copybutton anchor-link hash-link edit-this-page"
  ).split(" "),
);
const NOTES = new Set("admonition caution important note sidebar tip warning".split(" "));
const BLOCKS = new Set(
  (
    "address article aside body blockquote caption center dd details dir div dl dt fieldset figcaption figure footer " +
    "form header hgroup html legend main menu ol p section summary ul search"
  ).split(" "),
);
/** Returns what a person reads on a page, as Markdown. */
export function extractHtml(bytes: Uint8Array): Extracted {
  return { text: htmlToMarkdown(decodePage(bytes)), format: "markdown" };
}

/** Returns the content of a page as Markdown: its main part, if it names one, under its title. */
export function htmlToMarkdown(source: string): string {
  const page = parseHtml(source);
  const writer = new MarkdownWriter();
  const main = findElement(page, isMain);
  const content = main !== null && hasText(main) ? main : page;
  const heading = findElement(content, ({ tagName }) => /^h[1-6]$/.test(tagName));
  if (heading?.tagName !== "h1" && findElement(content, ({ tagName }) => tagName === "h1") === null) {
    const title = findElement(page, ({ tagName }) => tagName === "title");
    const isRepeated = title !== null && heading !== null && flat(textOf(title)) === flat(textOf(heading));
    if (title !== null && !isRepeated) writer.heading(1, textOf(title));
  }
  for (const child of content.childNodes) write(child, writer);
  // Soft hyphens show only where a line is broken.
  return writer.toString().replaceAll("\u00ad", "");
}

function hasText(node: HtmlNode): boolean {
  if ("value" in node) return /\S/.test(node.value);
  return "childNodes" in node && node.childNodes.some(hasText);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === "main" || attribute(element, "role") === "main";
}

function isLeftOut(element: HtmlElement): boolean {
  if (LEFT_OUT.has(element.tagName)) return true;
  for (const { name, value } of element.attrs) {
    if (name === "class") {
      if (hasOneOf(LEFT_OUT_CLASSES, value)) return true;
    } else if (name === "hidden") return true;
    else if (name === "aria-hidden" && value === "true") return true;
    else if (name === "role" && LEFT_OUT_ROLES.has(value)) return true;
    else if (name === "style" && /display\s*:\s*none/i.test(value)) return true;
  }
  return false;
}

/** Whether a list of names, separated by white space, has one of these. Most lists are one name. */
function hasOneOf(names: ReadonlySet<string>, list: string): boolean {
  if (!/\s/.test(list)) return names.has(list);
  return list.split(/\s+/).some((each) => names.has(each));
}

function write(node: HtmlNode, writer: MarkdownWriter): void {
  if (node.nodeName === "#text") writer.text((node as { value: string }).value);
  else if (isElement(node) && !isLeftOut(node)) (WRITERS.get(node.tagName) ?? writeInline)(node, writer);
}

type Write = (element: HtmlElement, writer: MarkdownWriter) => void;

const writeInline: Write = ({ childNodes }, writer) => {
  for (const child of childNodes) write(child, writer);
};

const writeBlock: Write = (element, writer) => {
  writer.block();
  writeInline(element, writer);
  writer.block();
};

const writeCode: Write = (element, writer) => writer.code(visibleText(element));

const writeQuote: Write = (element, writer) => {
  writer.enter("> ", "> ");
  writeInline(element, writer);
  writer.leave();
};

/** The title of a note within a text is no heading: what follows the note is not under it. */
const writeHeading: Write = (element, writer) => {
  const title = visibleText(element);
  const { parentNode } = element;
  const isOfNote =
    parentNode !== null && isElement(parentNode as HtmlElement) && isNote(parentNode as HtmlElement);
  if (!isOfNote) {
    writer.heading(Number(element.tagName.slice(1)), title);
    return;
  }
  writer.block();
  writer.text(title);
  writer.block();
};

function isNote(element: HtmlElement): boolean {
  return element.tagName === "aside" || hasOneOf(NOTES, attribute(element, "class") ?? "");
}

const writeList: Write = (list, writer) => {
  writer.block();
  let number = Number.parseInt(attribute(list, "start") ?? "1", 10);
  if (!(number >= 0 && number < 1e8)) number = 1;
  let isFirst = true;
  for (const item of list.childNodes) {
    if (!isElement(item) || item.tagName !== "li") {
      write(item, writer);
      continue;
    }
    if (isLeftOut(item)) continue;
    const marker = list.tagName === "ol" ? `${number++}. ` : "- ";
    writer.block();
    if (!isFirst) writer.tight();
    isFirst = false;
    writer.enter(marker, " ".repeat(marker.length));
    writeInline(item, writer);
    writer.leave();
  }
  writer.block();
};

/** Writes a table of values as rows; a table that lays out a page as its cells. */
const writeTable: Write = (table, writer) => {
  writer.block();
  const rows: HtmlElement[] = [];
  collectRows(table, rows);
  const isLayout =
    attribute(table, "role") === "presentation" ||
    findElement(table, ({ tagName }) => /^(table|pre|h[1-6])$/.test(tagName)) !== null;
  if (isLayout) {
    writeCells(table, writer);
    return;
  }
  for (const child of table.childNodes)
    if (isElement(child) && child.tagName === "caption") {
      writer.text(visibleText(child));
      writer.block();
    }
  const lines: string[] = [];
  for (const row of rows) {
    const cells = row.childNodes
      .filter(isElement)
      .filter(({ tagName }) => tagName === "td" || tagName === "th");
    const texts = cells.map((cell) =>
      visibleText(cell, " ")
        .replace(/[\s\u00a0]+/g, " ")
        .trim(),
    );
    if (texts.every((text) => text === "")) continue;
    lines.push(`| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`);
    if (lines.length === 1) lines.push(`|${" --- |".repeat(texts.length)}`);
  }
  writer.lines(lines);
};

function collectRows(node: HtmlElement, rows: HtmlElement[]): void {
  for (const child of node.childNodes) {
    if (!isElement(child)) continue;
    if (child.tagName === "tr") rows.push(child);
    else if (/^(thead|tbody|tfoot)$/.test(child.tagName)) collectRows(child, rows);
  }
}

function writeCells(node: HtmlElement, writer: MarkdownWriter): void {
  for (const child of node.childNodes) {
    if (!isElement(child) || !/^(thead|tbody|tfoot|tr|td|th|caption)$/.test(child.tagName)) {
      write(child, writer);
      continue;
    }
    writer.block();
    writeCells(child, writer);
    writer.block();
  }
}

/** Returns the text of an element without what is left out; `between` separates blocks in it. */
function visibleText(element: HtmlElement, between = ""): string {
  let text = "";
  for (const child of element.childNodes) {
    if (child.nodeName === "#text") text += (child as { value: string }).value;
    else if (isElement(child) && child.tagName === "br") text += "\n";
    else if (isElement(child) && !isLeftOut(child)) {
      const isApart = between !== "" && (BLOCKS.has(child.tagName) || /^(li|tr|td|th)$/.test(child.tagName));
      const own = visibleText(child, between);
      text += isApart ? between + own + between : own;
    }
  }
  return text;
}

const named = (names: string, write: Write) => names.split(" ").map((name) => [name, write] as const);

/** By the names of elements. What is not named stands within its line. */
const WRITERS: ReadonlyMap<string, Write> = new Map([
  ...named([...BLOCKS].join(" "), writeBlock),
  ...named("h1 h2 h3 h4 h5 h6", writeHeading),
  ...named("ul ol menu dir", writeList),
  ...named("pre listing xmp", writeCode),
  ...named("blockquote", writeQuote),
  ...named("table", writeTable),
  ...named("br", (_, writer) => writer.newLine()),
  ...named("hr", (_, writer) => writer.block()),
]);
