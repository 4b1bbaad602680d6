import { checkTextLength } from "./extract-fault.ts";

/** Deeper lists and quotes are written at this depth. */
const DEPTH_MAX = 8;

/** White space that is not one space already. */
const UNEVEN = /[\t\n\r\f\u00a0]| {2}/;
const SPACES = /[ \t\n\r\f\u00a0]+/g;

interface Container {
  /** Before the first line inside it, and before every other. */
  readonly first: string;
  readonly rest: string;
  isFresh: boolean;
}

/**
 * Writes Markdown block by block: text runs together until `block` ends it. Lines that the text itself would turn into
 * headings or fences are escaped, so that only what is a heading becomes one.
 */
export class MarkdownWriter {
  readonly #out: string[] = [];
  #length = 0;
  /** The text of the open block. */
  #text = "";
  /** Whether a space at the end of the open block would be one too many. */
  #endsInSpace = true;
  /** Whether the next block follows the one before without an empty line. */
  #isTight = true;
  readonly #containers: Container[] = [];

  /** Whether nothing has been written. */
  get isEmpty(): boolean {
    return this.#out.length === 0 && this.#text.trim() === "";
  }

  /** Adds text of the open block, with white space as in HTML: any run of it is one space. */
  text(text: string): void {
    const flat = UNEVEN.test(text) ? text.replace(SPACES, " ") : text;
    const added = this.#endsInSpace && flat.startsWith(" ") ? flat.slice(1) : flat;
    if (added === "") return;
    this.#text += added;
    this.#endsInSpace = added.endsWith(" ");
  }

  /** Starts a new line of the open block. */
  newLine(): void {
    if (this.#text === "") return;
    this.#text += "\n";
    this.#endsInSpace = true;
  }

  /** Ends the open block. */
  block(): void {
    const text = this.#text.trim();
    this.#text = "";
    this.#endsInSpace = true;
    if (text !== "") this.#write(text.split("\n").map((line) => escaped(line.trimEnd())));
  }

  heading(level: number, title: string): void {
    this.block();
    const flat = title.replace(/[\s\u00a0]+/g, " ").trim();
    if (flat !== "") this.#write([`${"#".repeat(level)} ${flat}`]);
  }

  /** Writes lines as they are, between fences. */
  code(text: string): void {
    this.block();
    const fenced = fencedCode(text);
    if (fenced !== "") this.#write(this.#containers.length === 0 ? [fenced] : fenced.split("\n"));
  }

  /** Writes lines as they are. */
  lines(lines: readonly string[]): void {
    this.block();
    if (lines.length > 0) this.#write(lines);
  }

  /** Writes everything until `leave` with a marker before its first line, and indented below. */
  enter(first: string, rest: string): void {
    this.block();
    // A list within an item follows the item's text directly.
    if (this.#containers.length > 0 && first !== rest) this.#isTight = true;
    this.#containers.push({ first, rest, isFresh: true });
  }

  leave(): void {
    this.block();
    this.#containers.pop();
    this.#isTight = false;
  }

  /** The next block starts directly below: items of one list. */
  tight(): void {
    this.#isTight = true;
  }

  toString(): string {
    this.block();
    return this.#out.join("");
  }

  #write(lines: readonly string[]): void {
    const containers = this.#containers.slice(0, DEPTH_MAX);
    const rest = containers.map((each) => each.rest).join("");
    const first = containers.map((each) => (each.isFresh ? each.first : each.rest)).join("");
    if (this.#out.length > 0) {
      const before = containers.filter((each) => !each.isFresh).map((each) => each.rest);
      this.#push(this.#isTight ? "\n" : `\n${before.join("").trimEnd()}\n`);
    }
    for (const each of this.#containers) each.isFresh = false;
    this.#isTight = false;
    for (const [i, line] of lines.entries()) this.#push(i === 0 ? first + line : `\n${rest}${line}`);
  }

  #push(text: string): void {
    this.#length += text.length;
    checkTextLength(this.#length);
    this.#out.push(text);
  }
}

/** Returns code between fences that are longer than any in it, without its first line end; "" if there is none. */
export function fencedCode(text: string): string {
  // Most code has neither of these. A pattern for the end would take the square of a long run of spaces.
  const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const code = (lines.startsWith("\n") ? lines.slice(1) : lines).trimEnd();
  if (code === "") return "";
  let longest = 2;
  if (code.includes("```"))
    for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

/** What would start a heading, a fence or an underline in Markdown. */
const STRUCTURE = /^( {0,3})(#{1,6}(?=[ \t]|$)|`{3,}|~{3,}|=+[ \t]*$|-+[ \t]*$)/;

/** Returns a line of text that means only itself in Markdown. */
export function escaped(line: string): string {
  return line.replace(STRUCTURE, "$1\\$2");
}
