const PDF = "application/pdf";

/** Media types by extension: what a person filters on, not what a browser trusts. Others have none. */
const TYPES = new Map(
  Object.entries({
    adoc: "text/x-asciidoc",
    asciidoc: "text/x-asciidoc",
    c: "text/x-c",
    cpp: "text/x-c++",
    css: "text/css",
    csv: "text/csv",
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    epub: "application/epub+zip",
    go: "text/x-go",
    h: "text/x-c",
    htm: "text/html",
    html: "text/html",
    ipynb: "application/x-ipynb+json",
    java: "text/x-java",
    js: "text/javascript",
    json: "application/json",
    jsx: "text/javascript",
    markdown: "text/markdown",
    md: "text/markdown",
    mdx: "text/markdown",
    mjs: "text/javascript",
    pdf: PDF,
    py: "text/x-python",
    rb: "text/x-ruby",
    rs: "text/x-rust",
    rst: "text/x-rst",
    sh: "text/x-shellscript",
    sql: "application/sql",
    tex: "text/x-tex",
    toml: "application/toml",
    ts: "text/typescript",
    tsx: "text/typescript",
    txt: "text/plain",
    xhtml: "application/xhtml+xml",
    xml: "application/xml",
    yaml: "application/yaml",
    yml: "application/yaml",
  }),
);

/** Returns the media type of a path by its extension; null if none is known. */
export function mimeOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? null : (TYPES.get(asciiLowerCase(name.slice(dot + 1))) ?? null);
}

/** Returns whether documents of a media type have pages: form feeds in their texts then separate pages. */
export function hasPages(mime: string | null): boolean {
  return mime === PDF;
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}
