/**
 * The blocks of Markdown, as defined by CommonMark and its tables, at the outermost level only: everything inside a
 * list or a quote is part of it, including headings. One pass over the lines, no nesting, no backtracking. SPEC §11.4
 */
import { type BlockKind, type BlockSink, ITEMS, LINES, lineEnd, PROSE, STEP_BYTES } from "./block.ts";
import {
  closesFence,
  columnOf,
  fenceLength,
  hasMarkupEnd,
  headingLevel,
  headingTitle,
  isDelimiterRow,
  isThematicBreak,
  itemContentColumn,
  itemMarkerEnd,
  markupEnds,
  skipBlanks,
  underlineLevel,
} from "./markdown-line.ts";

const LF = 0x0a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ONE = 0x31;
const GREATER = 0x3e;
const PIPE = 0x7c;

/** From this column on, a line is indented code if no paragraph is open, and starts no other block. */
const CODE_COLUMN = 4;

type Open = "nothing" | "paragraph" | "table" | "fence" | "indented" | "list" | "quote" | "markup";

export function* markdownBlocks(text: Uint8Array, sink: BlockSink): Generator<void> {
  const scanner = new Scanner(text, sink);
  let at = frontMatterEnd(text);
  if (at > 0) sink({ start: 0, end: at++, kind: LINES, role: "front matter" });
  let pause = STEP_BYTES;
  while (at < text.length) {
    const end = lineEnd(text, at);
    scanner.line(at, end);
    at = end + 1;
    if (at < pause) continue;
    pause = at + STEP_BYTES;
    yield;
  }
  scanner.close();
}

/**
 * Returns the end of the line that closes front matter (`---` … `---` or `...`, `+++` … `+++`) at the very start, else
 * 0.
 */
function frontMatterEnd(text: Uint8Array): number {
  const mark = text[0]!;
  if ((mark !== MINUS && mark !== PLUS) || !isTriple(text, 0, mark)) return 0;
  for (let at = 4; at < text.length; at = lineEnd(text, at) + 1) {
    if (isTriple(text, at, mark) || (mark === MINUS && isTriple(text, at, DOT))) return at + 3;
  }
  return 0;
}

/** Returns whether the line at `at` is three times `mark`. */
function isTriple(text: Uint8Array, at: number, mark: number): boolean {
  if (text[at] !== mark || text[at + 1] !== mark || text[at + 2] !== mark) return false;
  return at + 3 === text.length || text[at + 3] === LF;
}

class Scanner {
  readonly #text: Uint8Array;
  readonly #sink: BlockSink;
  #open: Open = "nothing";
  /** The first byte of the open block, and the end of its last line that is not empty. */
  #start = 0;
  #end = 0;
  #lastLine = 0;
  #afterEmptyLine = false;
  #fenceMark = 0;
  #fenceLength = 0;
  #contentColumn = 0;
  #markupEnds: readonly Uint8Array[] = [];

  constructor(text: Uint8Array, sink: BlockSink) {
    this.#text = text;
    this.#sink = sink;
  }

  /** Processes the line `[start, end)`. */
  line(start: number, end: number): void {
    if (start === end) {
      this.#emptyLine();
      return;
    }
    const at = skipBlanks(this.#text, start, end);
    const column = at === start ? 0 : columnOf(this.#text, start, at);
    if (!this.#continue(start, at, end, column)) {
      this.close();
      this.#begin(start, at, end, column);
    }
    this.#afterEmptyLine = false;
  }

  /** Ends the open block. */
  close(): void {
    if (this.#open === "nothing") return;
    this.#block(this.#start, this.#end, KINDS[this.#open]);
    this.#open = "nothing";
  }

  #block(start: number, end: number, kind: BlockKind): void {
    this.#sink({ start, end, kind, role: null });
  }

  #heading(start: number, end: number, level: number, title: Uint8Array): void {
    this.#sink({ start, end, kind: PROSE, role: { level, title } });
  }

  #emptyLine(): void {
    const open = this.#open;
    if (open === "paragraph" || open === "table" || open === "quote") this.close();
    else if (open === "markup" && this.#markupEnds.length === 0) this.close();
    this.#afterEmptyLine = true;
  }

  #extend(start: number, end: number): true {
    this.#lastLine = start;
    this.#end = end;
    return true;
  }

  /** Returns whether the line belongs to the open block. */
  #continue(start: number, at: number, end: number, column: number): boolean {
    const text = this.#text;
    switch (this.#open) {
      case "nothing":
        return false;
      case "paragraph":
        return this.#continueParagraph(start, at, end, column);
      case "table":
        return !this.#interrupts(at, end, column) && this.#extend(start, end);
      case "fence":
        this.#extend(start, end);
        if (column < CODE_COLUMN && closesFence(text, at, end, this.#fenceMark, this.#fenceLength))
          this.close();
        return true;
      case "markup":
        this.#extend(start, end);
        if (hasMarkupEnd(text, start, end, this.#markupEnds)) this.close();
        return true;
      case "indented":
        return column >= CODE_COLUMN && this.#extend(start, end);
      case "quote":
        // A line without the mark may still continue the quote's paragraph.
        if (column < CODE_COLUMN && text[at] === GREATER) return this.#extend(start, end);
        return !this.#interrupts(at, end, column) && this.#extend(start, end);
      case "list":
        return this.#continueList(start, at, end, column);
    }
  }

  #continueParagraph(start: number, at: number, end: number, column: number): boolean {
    const text = this.#text;
    if (column < CODE_COLUMN) {
      const level = underlineLevel(text, at, end);
      if (level > 0) {
        this.#heading(this.#start, end, level, text.subarray(this.#start, start));
        this.#open = "nothing";
        return true;
      }
      if (isDelimiterRow(text, at, end) && text.subarray(this.#lastLine, this.#end).includes(PIPE)) {
        this.#beginTable();
        return this.#extend(start, end);
      }
    }
    return !this.#interrupts(at, end, column) && this.#extend(start, end);
  }

  /** Handles the case that the paragraph's last line turns out to be the head of a table. */
  #beginTable(): void {
    if (this.#lastLine > this.#start) this.#block(this.#start, this.#lastLine - 1, PROSE);
    this.#start = this.#lastLine;
    this.#open = "table";
  }

  #continueList(start: number, at: number, end: number, column: number): boolean {
    const text = this.#text;
    if (column >= this.#contentColumn) return this.#extend(start, end);
    if (column < CODE_COLUMN && !isThematicBreak(text, at, end)) {
      const markerEnd = itemMarkerEnd(text, at, end);
      if (markerEnd > at) {
        this.#contentColumn = itemContentColumn(text, markerEnd, end, column + markerEnd - at);
        return this.#extend(start, end);
      }
    }
    return !this.#afterEmptyLine && !this.#interrupts(at, end, column) && this.#extend(start, end);
  }

  /** Returns whether the line starts a block even if a paragraph is open. */
  #interrupts(at: number, end: number, column: number): boolean {
    if (column >= CODE_COLUMN) return false;
    const text = this.#text;
    if (!MAY_INTERRUPT[text[at]!]) return false;
    if (text[at] === GREATER || headingLevel(text, at, end) > 0 || fenceLength(text, at, end) > 0)
      return true;
    if (isThematicBreak(text, at, end) || markupEnds(text, at, end) !== null) return true;
    const markerEnd = itemMarkerEnd(text, at, end);
    // An empty item, or a number other than 1, is more often a wrapped line.
    if (markerEnd === at || markerEnd === end) return false;
    return text[at]! < ZERO || text[at]! > NINE || (text[at] === ONE && markerEnd === at + 2);
  }

  /** Starts a block with this line; none is open. */
  #begin(start: number, at: number, end: number, column: number): void {
    const text = this.#text;
    this.#start = start;
    this.#extend(start, end);
    if (column >= CODE_COLUMN) {
      this.#open = "indented";
      return;
    }
    this.#open = "paragraph";
    if (!MAY_INTERRUPT[text[at]!]) return;
    const level = headingLevel(text, at, end);
    if (level > 0) {
      this.#heading(start, end, level, headingTitle(text, at, end, level));
      this.#open = "nothing";
      return;
    }
    if (isThematicBreak(text, at, end)) {
      this.#block(start, end, LINES);
      this.#open = "nothing";
      return;
    }
    if (text[at] === GREATER) {
      this.#open = "quote";
      return;
    }
    const length = fenceLength(text, at, end);
    if (length > 0) {
      this.#open = "fence";
      this.#fenceMark = text[at]!;
      this.#fenceLength = length;
      return;
    }
    const markerEnd = itemMarkerEnd(text, at, end);
    if (markerEnd > at) {
      this.#open = "list";
      this.#contentColumn = itemContentColumn(text, markerEnd, end, column + markerEnd - at);
      return;
    }
    const ends = markupEnds(text, at, end);
    if (ends !== null) {
      this.#open = "markup";
      this.#markupEnds = ends;
      if (hasMarkupEnd(text, at, end, ends)) this.close();
    }
  }
}

const KINDS: Readonly<Record<Exclude<Open, "nothing">, BlockKind>> = {
  paragraph: PROSE,
  table: LINES,
  fence: LINES,
  indented: LINES,
  list: ITEMS,
  quote: ITEMS,
  markup: LINES,
};

const ZERO = 0x30;
const NINE = 0x39;
/** The first bytes of everything but a paragraph: # * + - 0–9 < > _ ` ~ */
const MAY_INTERRUPT = new Uint8Array(256);
for (const letter of "#*+-0123456789<>_`~") MAY_INTERRUPT[letter.charCodeAt(0)] = 1;
