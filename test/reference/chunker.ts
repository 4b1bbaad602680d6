// Chunks (SPEC §11), read off the specification: whole lists, regular expressions over lines, and every count of
// tokens by tokenising that very range. Slow; says nothing that the specification does not say.
import { tokenize, type Vocabulary, words } from "./tokens.ts";

export interface Parameters {
  readonly maxTokens: number;
  readonly overlapTokens: number;
  readonly maxBytes: number;
}

export interface Chunk {
  readonly sequence: number;
  readonly headingPath: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Block {
  readonly kind: "prose" | "lines" | "items";
  readonly start: number;
  readonly end: number;
  readonly heading: { readonly level: number; readonly title: string } | null;
  readonly isFrontMatter: boolean;
  /** Code only: its lines, its column, and how often it was divided. */
  readonly code?: { readonly lines: readonly Line[]; readonly column: number; readonly divisions: number };
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly break: number;
}

const S = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const MARKDOWN = ["markdown", "md", "mdown", "mdx", "mkd", "mkdn", "qmd", "rmd"];
// biome-ignore format: one list
const CODE = ["asm", "astro", "bash", "bat", "c", "cc", "cfg", "cjs", "clj", "cljs", "cmake", "cmd", "conf", "cpp", "cs", "css", "csv", "cts", "cue", "cxx", "d", "dart", "el", "elm", "erl", "ex", "exs", "f90", "fish", "fs", "fsx", "gd", "glsl", "go", "gql", "gradle", "graphql", "groovy", "h", "hcl", "hh", "hpp", "hrl", "hs", "htm", "html", "hxx", "ini", "ipynb", "java", "jl", "js", "json", "json5", "jsonc", "jsonl", "jsx", "kt", "kts", "less", "lisp", "lua", "m", "mjs", "mk", "ml", "mli", "mm", "mts", "nim", "nix", "php", "pl", "pm", "properties", "proto", "ps1", "psm1", "py", "pyi", "r", "rb", "rs", "s", "sass", "scala", "scm", "scss", "sh", "sql", "styl", "sv", "svelte", "swift", "tcl", "tf", "toml", "ts", "tsv", "tsx", "v", "vb", "vhd", "vim", "vue", "wat", "wgsl", "xml", "yaml", "yml", "zig", "zsh"];

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const byteLength = (text: string): number => encode(text).length;

/** SPEC §11.2 */
export function formatOf(path: string): "markdown" | "code" | "plain" {
  const extension = /[^/]\.([^./]*)$/.exec(path)?.[1]?.replace(/[A-Z]/g, (c) => c.toLowerCase());
  if (extension === undefined) return "plain";
  return MARKDOWN.includes(extension) ? "markdown" : CODE.includes(extension) ? "code" : "plain";
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const read = { start, end: start + byteLength(line), text: line };
      start = read.end + 1;
      return read;
    });
}

function blockOf(kind: Block["kind"], lines: readonly Line[]): Block {
  const last = lines.filter(({ text }) => text !== "").at(-1)!;
  return { kind, start: lines[0]!.start, end: last.end, heading: null, isFrontMatter: false };
}

/** SPEC §11.3 */
function blocksOf(format: ReturnType<typeof formatOf>, text: string): Block[] {
  const lines = linesOf(text);
  if (format === "markdown") return markdownBlocks(lines);
  if (format === "code") return codeParts(lines, 0, 0);
  const runs: Line[][] = [];
  lines.forEach((line, i) => {
    if (line.text === "") return;
    if (i === 0 || lines[i - 1]!.text === "") runs.push([line]);
    else runs.at(-1)!.push(line);
  });
  return runs.map((run) => blockOf("prose", run));
}

function codeLine(line: Line | undefined, column: number) {
  const text = line?.text ?? "";
  const rest = text.replace(/^[ \t]+/, "");
  const isComment = rest.startsWith("*");
  const isCondition = /^#(if|ifdef|ifndef)(?![A-Za-z0-9_])/.test(rest);
  const isClosing =
    /^([{})\]]|<\/)/.test(rest) ||
    /^(catch|done|elif|else|end|esac|except|fi|finally|#elif|#else|#endif)(?![A-Za-z0-9_])/.test(rest);
  return {
    isEmpty: text === "",
    isOuter: columnAfter(text.slice(0, text.length - rest.length), 0) <= column,
    type: isComment ? "comment" : isCondition ? "condition" : isClosing ? "closing" : "opening",
    isDecorator: rest.startsWith("@"),
  };
}

/** The parts of lines of code at a column. SPEC §11.10 */
function codeParts(all: readonly Line[], column: number, divisions: number): Block[] {
  const first = all.findIndex(({ text }) => text !== "");
  if (first < 0) return [];
  const lines = all.slice(first);
  const read = lines.map((line) => codeLine(line, column));
  const isBorder = (i: number): boolean => {
    const above = read[i - 1];
    if (above === undefined || !read[i]!.isOuter) return false;
    if (above.isEmpty) return true;
    const isAfterBody = above.isOuter ? above.type === "closing" : above.type !== "comment";
    const last = read
      .slice(0, i)
      .filter((line) => !line.isEmpty && line.isOuter && line.type === "opening")
      .at(-1);
    return isAfterBody && last?.isDecorator !== true;
  };
  const starts = [0];
  read.forEach((line, i) => {
    if (line.isEmpty || !line.isOuter || line.type !== "opening") return;
    // The conditions above it, with nothing but empty lines between.
    let from = i;
    while (
      from > 0 &&
      (read[from - 1]!.isEmpty || (read[from - 1]!.isOuter && read[from - 1]!.type === "condition"))
    )
      from--;
    const waiting = read.findIndex(
      (other, j) => j >= from && j < i && other.type === "condition" && !other.isEmpty && isBorder(j),
    );
    if (waiting >= 0) starts.push(waiting);
    else if (isBorder(i)) starts.push(i);
  });
  return [...new Set(starts)].map((start, n, each) => {
    const part = lines.slice(start, each[n + 1] ?? lines.length);
    return { ...blockOf("lines", part), code: { lines: part, column, divisions } };
  });
}

/** The parts of a block that does not fit, or null if there are none. SPEC §11.10 */
function partsOf({ code }: Block): Block[] | null {
  if (code === undefined || code.divisions === 4) return null;
  const columns = code.lines
    .filter(({ text }) => !/^[ \t]*(\*|$)/.test(text))
    .map(({ text }) => columnAfter(/^[ \t]*/.exec(text)![0], 0))
    .filter((column) => column > code.column);
  return columns.length === 0 ? null : codeParts(code.lines, Math.min(...columns), code.divisions + 1);
}

/** What a line can be. SPEC §11.4 */
function reading(line: string) {
  const rest = line.replace(/^[ \t]+/, "");
  const column = columnAfter(line.slice(0, line.length - rest.length), 0);
  const can = column < 4;
  const marker = can ? /^([-+*]|[0-9]{1,9}[.)])(?=[ \t]|$)/.exec(rest)?.[0] : undefined;
  const isThematicBreak = can && /^(\*([ \t]*\*){2,}|-([ \t]*-){2,}|_([ \t]*_){2,})$/.test(rest);
  const level = can ? (/^(#{1,6})(?=[ \t]|$)/.exec(rest)?.[1]?.length ?? 0) : 0;
  const fence = can ? /^(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(rest) : null;
  const isQuote = can && rest.startsWith(">");
  const markup = can ? markupOf(rest) : undefined;
  const isInterruptingItem =
    marker !== undefined && rest !== marker && (/^[-+*]$/.test(marker) || /^1[.)]$/.test(marker));
  return {
    rest,
    column,
    level,
    isThematicBreak,
    isQuote,
    marker,
    markup,
    fence: fence?.[1] ?? fence?.[2],
    interrupts:
      level > 0 || isThematicBreak || fence !== null || isQuote || markup !== undefined || isInterruptingItem,
  };
}

function columnAfter(text: string, from: number): number {
  return [...text].reduce((column, c) => (c === "\t" ? (Math.floor(column / 4) + 1) * 4 : column + 1), from);
}

function contentColumn(line: string, { rest, marker }: { rest: string; marker: string }): number {
  const behind = rest.slice(marker.length);
  const column = columnAfter(line.slice(0, line.length - behind.length), 0);
  const content = columnAfter(/^[ \t]*/.exec(behind)![0], column);
  return behind === "" || content - column > 4 ? column + 1 : content;
}

const NAMES =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|" +
  "fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|" +
  "main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|" +
  "title|tr|track|ul";

/** What ends the markup that begins here; "empty line" for those without an end of their own. */
function markupOf(rest: string): RegExp | "empty line" | undefined {
  if (/^<(script|pre|style|textarea)([ \t>]|$)/i.test(rest)) return /<\/(script|pre|style|textarea)>/i;
  if (rest.startsWith("<!--")) return /-->/;
  if (rest.startsWith("<?")) return /\?>/;
  if (/^<!\[CDATA\[/i.test(rest)) return /\]\]>/;
  return new RegExp(`^</?(${NAMES})([ \\t>]|/>|$)`, "i").test(rest) ? "empty line" : undefined;
}

function markdownBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  const mark = lines[0]?.text;
  if (mark === "---" || mark === "+++") {
    const close = lines.findIndex(
      ({ text }, i) => i > 0 && (text === mark || (mark === "---" && text === "...")),
    );
    if (close > 0) {
      blocks.push({ ...blockOf("lines", lines.slice(0, close + 1)), isFrontMatter: true });
      at = close + 1;
    }
  }
  while (at < lines.length) {
    if (lines[at]!.text === "") at++;
    else {
      const found = blockAt(lines, at);
      blocks.push(...found.blocks);
      at = found.next;
    }
  }
  return blocks;
}

/** The block that begins with line `at`, and the line behind it. */
function blockAt(lines: readonly Line[], at: number): { blocks: Block[]; next: number } {
  const first = reading(lines[at]!.text);
  const while_ = (takes: (line: string, i: number) => boolean): number => {
    let next = at + 1;
    while (next < lines.length && takes(lines[next]!.text, next)) next++;
    return next;
  };
  const as = (kind: Block["kind"], next: number) => ({
    blocks: [blockOf(kind, lines.slice(at, next))],
    next,
  });
  const upTo = (ends: (line: string) => boolean) => {
    const last = lines.findIndex(({ text }, i) => i > at && ends(text));
    return last < 0 ? lines.length : last + 1;
  };

  if (first.column >= 4)
    return as(
      "lines",
      while_((line) => line === "" || reading(line).column >= 4),
    );
  if (first.level > 0) {
    const behind = first.rest.slice(first.level).replace(/^[ \t]+/, "");
    const title = behind.replace(/(^|[ \t]+)#+$/, "");
    return {
      blocks: [{ ...blockOf("prose", [lines[at]!]), heading: { level: first.level, title } }],
      next: at + 1,
    };
  }
  if (first.isThematicBreak) return as("lines", at + 1);
  if (first.isQuote)
    return as(
      "items",
      while_((line) => line !== "" && (reading(line).isQuote || !reading(line).interrupts)),
    );
  if (first.fence !== undefined) {
    const { fence } = first;
    const closes = new RegExp(`^${fence[0]}{${fence.length},}$`);
    return as(
      "lines",
      upTo((line) => reading(line).column < 4 && closes.test(reading(line).rest)),
    );
  }
  if (first.marker !== undefined) return as("items", listEnd(lines, at));
  const { markup } = first;
  if (markup === "empty line")
    return as(
      "lines",
      while_((line) => line !== ""),
    );
  if (markup !== undefined)
    return as("lines", markup.test(first.rest) ? at + 1 : upTo((line) => markup.test(line)));
  return paragraphAt(lines, at);
}

function listEnd(lines: readonly Line[], at: number): number {
  let content = 0;
  for (let i = at; i < lines.length; i++) {
    const line = lines[i]!.text;
    if (line === "") continue;
    const read = reading(line);
    const { marker } = read;
    if (i > at && read.column >= content) continue;
    if (marker !== undefined && !read.isThematicBreak)
      content = contentColumn(line, { rest: read.rest, marker });
    else if (lines[i - 1]!.text === "" || read.interrupts) return i;
  }
  return lines.length;
}

function paragraphAt(lines: readonly Line[], at: number): { blocks: Block[]; next: number } {
  for (let i = at + 1; i < lines.length; i++) {
    const read = reading(lines[i]!.text);
    const paragraph = lines.slice(at, i);
    if (lines[i]!.text === "") return { blocks: [blockOf("prose", paragraph)], next: i };
    if (read.column < 4 && /^(=+|-+)$/.test(read.rest)) {
      const heading = {
        level: read.rest.startsWith("=") ? 1 : 2,
        title: paragraph.map(({ text }) => text).join("\n"),
      };
      return { blocks: [{ ...blockOf("prose", lines.slice(at, i + 1)), heading }], next: i + 1 };
    }
    const isDelimiter =
      read.column < 4 && /^[-|: \t]+$/.test(read.rest) && /\|/.test(read.rest) && /-/.test(read.rest);
    if (isDelimiter && paragraph.at(-1)!.text.includes("|")) {
      const before = paragraph.slice(0, -1);
      let next = i + 1;
      while (next < lines.length && lines[next]!.text !== "" && !reading(lines[next]!.text).interrupts)
        next++;
      const table = blockOf("lines", lines.slice(i - 1, next));
      return { blocks: before.length > 0 ? [blockOf("prose", before), table] : [table], next };
    }
    if (read.interrupts) return { blocks: [blockOf("prose", paragraph)], next: i };
  }
  return { blocks: [blockOf("prose", lines.slice(at))], next: lines.length };
}

function cleanTitle(title: string): string {
  const clean = title.replace(new RegExp(`[${S}]+`, "g"), " ").replace(/^ | $/g, "");
  let cut = "";
  for (const c of clean) {
    if (byteLength(cut + c) > 256) break;
    cut += c;
  }
  return cut.replace(/ $/, "");
}

const ENDS = ".!?\\u2026\\u0589\\u061f\\u06d4\\u0964\\u0965\\u104b\\u1362\\u17d4";
const WIDE = "\\u3002\\uff01\\uff0e\\uff1f\\uff61";
const CLOSERS = "\"')\\]}*_`\\xbb\\u2019\\u201d\\u300b\\u300d\\u300f\\u3011\\uff09\\uff3d";
// A full stop behind one letter is no end.
const INITIAL = "(?<!(?:^|[\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f])[A-Za-z]\\.)";
const SENTENCE = new RegExp(
  `(?<=[${ENDS}${WIDE}]${INITIAL}[${CLOSERS}]*[${S}]+)(?=[^${S}${ENDS}${WIDE}a-z])|` +
    `(?<=[${WIDE}][${CLOSERS}]*)(?=[^${S}${ENDS}${WIDE}${CLOSERS}])`,
  "gu",
);

/** Where the sentences of a block but its first begin, in bytes. SPEC §11.6 */
export function sentenceStarts(text: string): number[] {
  return [...text.matchAll(SENTENCE)]
    .map(({ index }) => byteLength(text.slice(0, index)))
    .filter((at) => at > 0);
}

/** The chunks of canonical text. */
export function chunkDocument(
  vocabulary: Vocabulary,
  path: string,
  bytes: Uint8Array,
  { maxTokens, overlapTokens, maxBytes }: Parameters,
): Chunk[] {
  const budget = maxTokens - 2;
  const part = (a: number, b: number): string => decode(bytes.subarray(a, b));
  const tokensOf = (a: number, b: number): number =>
    tokenize(vocabulary, bytes.subarray(a, b), Number.POSITIVE_INFINITY).ids.length - 2;
  const trimmed = (a: number, b: number): { start: number; end: number } => {
    const text = part(a, b);
    const start = a + byteLength(new RegExp(`^[${S}]*`).exec(text)![0]);
    return { start, end: Math.max(start, b - byteLength(new RegExp(`[${S}]*$`).exec(text)![0])) };
  };

  /** SPEC §11.5 */
  function piecesOf(block: Block): Piece[] {
    const { start, end } = trimmed(block.start, block.end);
    const text = part(start, end);
    const begins = words(bytes.subarray(start, end))
      .map((word) => start + Math.min(...word.map((read) => read.start)))
      .slice(1);
    const starts = [start, ...begins];
    const sentences = block.kind === "lines" ? [] : sentenceStarts(text).map((at) => at + start);
    const lines = linesOf(text).map((line) => ({
      ...line,
      start: line.start + start,
      end: line.end + start,
    }));
    const stripped = (line: string) => (block.kind === "items" ? line.replace(/^[> \t]+/, "") : line);
    return starts.map((begin, i) => {
      const piece = { start: begin, end: trimmed(begin, starts[i + 1] ?? end).end };
      if (i === 0) return { ...piece, break: 0 };
      const n = lines.findIndex((line) => begin >= line.start && begin < line.end);
      const isFirstInLine = n > 0 && starts[i - 1]! < lines[n]!.start;
      const isSentence = sentences.some((at) => at > starts[i - 1]! && at <= begin);
      if (isFirstInLine) {
        if (stripped(lines[n - 1]!.text) === "") return { ...piece, break: 4 };
        const isItem = /^([-+*]|[0-9]{1,9}[.)])(?=[ \t]|$)/.test(stripped(lines[n]!.text));
        if (block.kind === "items" && isItem) return { ...piece, break: 4 };
      }
      if (isSentence || (isFirstInLine && block.kind === "lines")) return { ...piece, break: 3 };
      if (isFirstInLine) return { ...piece, break: 2 };
      return { ...piece, break: new RegExp(`[${S}]$`).test(part(start, begin)) ? 1 : 0 };
    });
  }

  const chunks: Chunk[] = [];
  let headingPath: string[] = [];
  let levels: { level: number; title: string }[] = [];
  let open: { start: number; end: number; isHeadings: boolean; isRepetition: boolean } | null = null;

  const write = (start: number, end: number): void => {
    const blanks = /(?<=^|\n)[ \t]*$/.exec(part(0, start))?.[0].length ?? 0;
    const indented = start - blanks;
    const from = end - indented <= maxBytes ? indented : start;
    const tokens = tokensOf(from, end) + 2;
    chunks.push({ sequence: chunks.length, headingPath, start: from, end, tokens });
  };
  const close = (): void => {
    if (open !== null && !open.isRepetition) write(open.start, open.end);
    open = null;
  };
  const add = (start: number, end: number, isHeading: boolean, isRepetition = false): void => {
    open = {
      start: open?.start ?? start,
      end,
      isHeadings: (open?.isHeadings ?? true) && isHeading,
      isRepetition,
    };
  };
  const held = (): number => (open === null ? 0 : tokensOf(open.start, open.end));
  const hasRoom = (start: number, end: number): boolean =>
    held() + tokensOf(start, end) <= budget && end - (open?.start ?? start) <= maxBytes;

  /** SPEC §11.9 */
  function divide(start: number, end: number): void {
    const characters = Array.from(part(start, end));
    const pieces = (fits: (piece: string[]) => boolean, from: string[]): string[][] => {
      const out: string[][] = [[]];
      for (const c of from) {
        if (fits([...out.at(-1)!, c])) out.at(-1)!.push(c);
        else out.push([c]);
      }
      return out;
    };
    let at = start;
    const writePiece = (piece: string[]): void => {
      const range = trimmed(at, at + byteLength(piece.join("")));
      if (range.end > range.start) write(range.start, range.end);
      at += byteLength(piece.join(""));
    };
    for (const piece of pieces((some) => byteLength(some.join("")) <= maxBytes, characters)) {
      if (tokensOf(at, at + byteLength(piece.join(""))) <= budget) writePiece(piece);
      else for (const few of pieces((some) => some.length <= Math.floor(budget / 4), piece)) writePiece(few);
    }
  }

  /** SPEC §11.8 */
  function cut(x: readonly Piece[], isHeading: boolean): void {
    const tokens = (a: number, b: number): number => (a === b ? 0 : tokensOf(x[a]!.start, x[b - 1]!.end));
    const isTooLarge = (a: number): boolean =>
      x[a]!.end - x[a]!.start > maxBytes || tokensOf(x[a]!.start, x[a]!.end) > budget;
    let i = 0;
    let r = 0;
    while (i < x.length) {
      if (isTooLarge(i)) {
        close();
        divide(x[i]!.start, x[i]!.end);
        i++;
        r = i;
        continue;
      }
      let j = i;
      while (j < x.length && hasRoom(x[i]!.start, x[j]!.end)) j++;
      if (j === i) {
        close();
        continue;
      }
      if (j === x.length) {
        add(x[i]!.start, x[j - 1]!.end, isHeading);
        return;
      }
      let k = j;
      if (!isTooLarge(j)) {
        for (let other = j; other > i; other--)
          if (2 * tokens(i, other) >= tokens(i, j) && x[other]!.break > x[k]!.break) k = other;
      }
      if (open === null) r = Math.max(r, i + 1);
      add(x[i]!.start, x[k - 1]!.end, isHeading);
      close();
      i = k;
      const repeated = [];
      for (let m = r; m < i; m++) {
        const bytesRepeated = x[i - 1]!.end - x[m]!.start;
        if (tokens(m, i) <= overlapTokens && bytesRepeated <= Math.floor(maxBytes / 8)) repeated.push(m);
      }
      const m = repeated.find((candidate) => x[candidate]!.break >= 3) ?? repeated[0];
      if (m !== undefined) {
        add(x[m]!.start, x[i - 1]!.end, isHeading, true);
        r = m + 1;
      }
    }
  }

  /** SPEC §11.7 */
  function pack(block: Block): void {
    const isHeading = block.heading !== null;
    const { start, end } = trimmed(block.start, block.end);
    const fitsAlone = tokensOf(start, end) <= budget && end - start <= maxBytes;
    const fits = hasRoom(start, end);
    if (!fits && open !== null) {
      const { isHeadings } = open as { isHeadings: boolean };
      if ((fitsAlone && !isHeadings) || 2 * (budget - held()) < budget) close();
    }
    if (block.heading !== null) {
      const { level, title } = block.heading;
      levels = levels.filter((above) => above.level < level);
      if (cleanTitle(title) !== "") levels.push({ level, title: cleanTitle(title) });
      headingPath = levels.map((above) => above.title);
    }
    const parts = partsOf(block);
    if (fits || (fitsAlone && open === null)) add(start, end, isHeading);
    else if (parts !== null) parts.forEach(pack);
    else cut(piecesOf(block), isHeading);
  }
  let onlyHeadings = true;
  for (const block of blocksOf(formatOf(path), decode(bytes))) {
    const isHeading = block.heading !== null;
    if ((isHeading && !onlyHeadings) || block.isFrontMatter) close();
    onlyHeadings = isHeading;
    pack(block);
    if (block.isFrontMatter) {
      close();
      onlyHeadings = true;
    }
  }
  close();
  return chunks;
}
