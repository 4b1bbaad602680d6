import { element } from "./element.ts";
import { tableRows } from "./table-rows.ts";

/**
 * Renders a passage of Markdown for reading: headings, lists, quotes, fenced code and tables. It is made of elements and
 * text nodes, never of markup, so a document cannot bring anything but text and links to the web.
 */
export function renderedMarkdown(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** Renders a passage of code or plain text as it stands. */
export function renderedPlain(text: string): HTMLElement[] {
  return text.trim() === "" ? [] : [element("pre", { dir: "auto" }, text.replace(/\n+$/, ""))];
}

const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^\s*>\s?(.*)$/;
const ROW = /^\s*\|.*\|\s*$/;

interface Block {
  readonly block: HTMLElement | null;
  readonly next: number;
}

function blockAt(lines: readonly string[], at: number): Block {
  const line = lines[at]!;
  if (line.trim() === "") return { block: null, next: at + 1 };
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fencedBlock(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    // The page's own title is the only h1.
    const level = Math.min(heading[1]!.length + 1, 6) as 2 | 3 | 4 | 5 | 6;
    return { block: element(`h${level}`, { dir: "auto" }, ...inline(heading[2]!)), next: at + 1 };
  }
  if (ROW.test(line)) return run(lines, at, ROW, renderedTable);
  if (QUOTE.test(line))
    return run(lines, at, QUOTE, (rows) =>
      element("blockquote", { dir: "auto" }, ...inline(rows.map((row) => QUOTE.exec(row)![1]!).join(" "))),
    );
  if (ITEM.test(line))
    return run(lines, at, ITEM, (rows) =>
      element(
        /^\s*\d/.test(line) ? "ol" : "ul",
        { dir: "auto" },
        ...rows.map((row) => element("li", {}, ...inline(ITEM.exec(row)![1]!))),
      ),
    );
  let end = at + 1;
  while (end < lines.length && isProse(lines[end]!)) end++;
  return { block: element("p", { dir: "auto" }, ...inline(lines.slice(at, end).join(" "))), next: end };
}

function isProse(line: string): boolean {
  return line.trim() !== "" && ![HEADING, FENCE, ITEM, QUOTE, ROW].some((pattern) => pattern.test(line));
}

function run(
  lines: readonly string[],
  at: number,
  pattern: RegExp,
  make: (rows: readonly string[]) => HTMLElement,
): Block {
  let end = at;
  while (end < lines.length && pattern.test(lines[end]!)) end++;
  return { block: make(lines.slice(at, end)), next: end };
}

function renderedTable(lines: readonly string[]): HTMLElement {
  const { head, body } = tableRows(lines);
  const row = (tag: "th" | "td", cells: readonly string[]) =>
    element("tr", {}, ...cells.map((cell) => element(tag, { dir: "auto" }, ...inline(cell))));
  const table = element(
    "table",
    {},
    head === null ? null : element("thead", {}, row("th", head)),
    element("tbody", {}, ...body.map((cells) => row("td", cells))),
  );
  // A wide table is scrolled, with the keyboard too, and not the page.
  return element("div", { class: "table", role: "group", "aria-label": "Table", tabindex: 0 }, table);
}

function fencedBlock(lines: readonly string[], at: number, fence: string): Block {
  let end = at + 1;
  while (end < lines.length && !lines[end]!.trim().startsWith(fence)) end++;
  return {
    block: element("pre", {}, element("code", {}, lines.slice(at + 1, end).join("\n"))),
    next: end + 1,
  };
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^()\s]+)\)/g;

/** Code, strong words and links; the rest stays as it is written. */
function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, code, strong, name, address] = match;
    parts.push(text.slice(at, match.index));
    if (code !== undefined) parts.push(element("code", {}, code));
    else if (strong !== undefined) parts.push(element("strong", {}, strong));
    else if (/^https?:\/\//.test(address!))
      parts.push(element("a", { href: address!, rel: "noopener noreferrer", target: "_blank" }, name!));
    else parts.push(name!);
    at = match.index + all.length;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

/** Marks words in what was rendered, wherever they stand as they were found. */
export function markWords(root: HTMLElement, words: ReadonlySet<string>): void {
  if (words.size === 0) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  const longestFirst = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(longestFirst.join("|"), "g");
  for (const text of texts) {
    const parts: (Node | string)[] = [];
    let at = 0;
    for (const match of text.data.matchAll(pattern)) {
      parts.push(text.data.slice(at, match.index), element("mark", {}, match[0]));
      at = match.index + match[0].length;
    }
    if (at > 0) text.replaceWith(...parts, text.data.slice(at));
  }
}
