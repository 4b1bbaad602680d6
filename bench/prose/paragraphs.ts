// Paragraphs of prose out of documentation: Markdown, doc comments of TypeScript declarations, plain text.
// Code, tables, markup and tags are left out, so that what remains reads as a person wrote it.

export type ProseFormat = "markdown" | "comments" | "text";

/** The format of a documentation file by its name; undefined for files without prose. */
export function proseFormat(path: string): ProseFormat | undefined {
  if (/\.mdx?$/i.test(path)) return "markdown";
  if (/\.d\.m?ts$/.test(path)) return "comments";
  if (/\.txt$/.test(path)) return "text";
  return undefined;
}

export function paragraphs(source: string, format: ProseFormat): string[] {
  if (format === "comments") return docComments(source).flatMap((comment) => markdownParagraphs(comment));
  return format === "markdown" ? markdownParagraphs(source) : split(source);
}

/** One line, single spaces. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function split(source: string): string[] {
  return source
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map(collapse)
    .filter((paragraph) => paragraph !== "");
}

/** The text of each block comment, without its stars and without everything from its first tag on. */
function docComments(source: string): string[] {
  return Array.from(source.matchAll(/\/\*\*([\s\S]*?)\*\//g), (match) =>
    match[1]!
      .replace(/^[ \t]*\*[ \t]?/gm, "")
      .replace(/^\s*@param\s+(\{[^}]*\}\s*)?\S+(\s+-)?/gm, "\n\n")
      .replace(/^\s*@(returns?|remarks|throws|description)\s+(\{[^}]*\}\s*)?/gm, "\n\n")
      .replace(/^\s*@[\s\S]*$/m, ""),
  );
}

function markdownParagraphs(source: string): string[] {
  const prose = source
    .replace(/\r\n?/g, "\n")
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1[^\n]*$/gm, "\n\n")
    .replace(/<pre[\s\S]*?<\/pre>/gi, "\n\n")
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<\/?(p|div|li|ul|ol|h\d|br|note|important|dd|dt|dl|table|tr|td)\b[^>]*>/gi, "\n\n")
    .replace(/<\/?[a-z][^>\n]*>/gi, "")
    .replace(/^(#{1,6} |\||\s*\[[^\]]+\]:|import |export ).*$/gm, "\n\n")
    .replace(/^[ \t]*(\d+\.|[-*+])[ \t]+/gm, "\n\n")
    .replace(/^[ \t]*>[ \t]?/gm, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(
      /\{@link(?:code|plain)?\s+([^}|\s]+)[|\s]*([^}]*)\}/g,
      (_, target: string, label: string) => label || target,
    )
    .replace(/https?:\/\/[^\s)]+/g, "")
    .replace(/(\*\*|__|`)/g, "")
    .replace(/&nbsp;/g, " ")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
  return split(prose);
}
