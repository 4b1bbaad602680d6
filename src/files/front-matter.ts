import { FrontMatterFault, isSign, readScalar, type Scalar } from "./front-matter-scalar.ts";

/** What front matter says: scalars, lists of scalars, and objects of these. */
export type FrontMatter = { readonly [key: string]: Value | { readonly [key: string]: Value } };
type Value = Scalar | readonly Scalar[];

/** Front matter that ends later than this is not read. */
const BYTES_MAX = 64 << 10;

interface Line {
  /** In the file, from 1. */
  readonly number: number;
  readonly indent: number;
  /** Without indentation, and without white space at its end. */
  readonly text: string;
}

/**
 * Reads the front matter of a Markdown file: YAML between a first line `---` and the next line `---` or `...`. Returns null
 * if there is none. docs/metadata.md defines the part of YAML that is read; YAML has no limits of its own, and several
 * readings.
 *
 * @throws {FrontMatterFault} if it is not of that part
 */
export function readFrontMatter(bytes: Uint8Array): FrontMatter | null {
  const lines = linesOf(bytes);
  return lines === null ? null : new Reader(lines).read();
}

/** The lines between the marks; null if there are no marks. */
function linesOf(bytes: Uint8Array): Line[] | null {
  // Without its own mark of byte order, which TextDecoder drops.
  const all = new TextDecoder().decode(bytes.subarray(0, BYTES_MAX)).split("\n");
  if (!isMark(all[0]!, "---")) return null;
  const end = all.findIndex((line, i) => i > 0 && (isMark(line, "---") || isMark(line, "...")));
  if (end < 0) return null;
  return all.slice(1, end).map((line, i) => {
    const text = withoutWhiteEnd(line);
    const indent = text.length - text.replace(/^ +/, "").length;
    return { number: i + 2, indent, text: text.slice(indent) };
  });
}

function isMark(line: string, mark: string): boolean {
  return withoutWhiteEnd(line) === mark;
}

/** By hand: a regular expression would look at a long row of spaces once from each of them. */
function withoutWhiteEnd(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line[end - 1]!)) end--;
  return line.slice(0, end);
}

/** The key at the start of a line, in quotes or not, and where its value starts; null if there is none. */
function readKey({ text, number }: Line): { readonly key: string; readonly end: number } | null {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text)?.[0];
  const colon =
    quoted === undefined
      ? text.search(/:(?: |$)/)
      : quoted.length + /^ */.exec(text.slice(quoted.length))![0].length;
  if (colon < 0 || text[colon] !== ":" || ![" ", undefined].includes(text[colon + 1])) return null;
  const plain = text.slice(0, colon).trimEnd();
  if (quoted === undefined && (!/^[^\s"']/.test(plain) || plain.includes(" #") || isSign(plain))) return null;
  const key = quoted === undefined ? plain : String(readScalar(quoted, number));
  return { key, end: colon + 1 + /^ */.exec(text.slice(colon + 1))![0].length };
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  read(): FrontMatter {
    const value = this.#mapping(0, (indent) => this.#nested(indent));
    const rest = this.#peek();
    if (rest !== null) throw fault(rest, "a key at the start of the line", rest.text);
    return value;
  }

  /** The next line that is not empty and no comment. */
  #peek(): Line | null {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!;
      if (line.text !== "" && !line.text.startsWith("#")) return line;
      this.#at++;
    }
    return null;
  }

  /** @param below reads a value that stands on the lines below its key, indented by more than the key */
  #mapping<T>(indent: number, below: (indent: number) => T): Record<string, T | Value> {
    const members = new Map<string, T | Value>();
    for (let line = this.#peek(); line !== null && line.indent === indent; line = this.#peek()) {
      if (line.text.startsWith("- ") || line.text === "-") break;
      const found = readKey(line);
      if (found === null) throw fault(line, "key: value", line.text);
      const { key, end } = found;
      if (key === "<<") throw fault(line, "a key other than a merge key", key);
      if (members.has(key)) throw fault(line, "each key once", `${key} twice`);
      this.#at++;
      members.set(key, this.#value(line, line.text.slice(end), below));
    }
    return Object.fromEntries(members);
  }

  /** @param text what stands behind the key */
  #value<T>(line: Line, text: string, below: (indent: number) => T): T | Value {
    if (text === "" || text.startsWith("#")) {
      const next = this.#peek();
      if (next !== null && isItem(next) && next.indent >= line.indent) return this.#list(next.indent);
      return next !== null && next.indent > line.indent ? below(next.indent) : null;
    }
    const block = /^([|>])(-?)(?: +#.*)?$/.exec(text);
    if (block !== null) return this.#block(line, block[1] === ">", block[2] === "");
    if (text.startsWith("[")) return readFlowList(text, line);
    return readScalar(this.#joined(line, text), line.number);
  }

  #nested(indent: number): { [key: string]: Value } {
    return this.#mapping<Value>(indent, () => {
      const line = this.#peek()!;
      throw fault(line, "at most one object inside another", line.text);
    });
  }

  #list(indent: number): Scalar[] {
    const items: Scalar[] = [];
    for (
      let line = this.#peek();
      line !== null && line.indent === indent && isItem(line);
      line = this.#peek()
    ) {
      const text = line.text.slice(1).replace(/^ +/, "");
      if (isItem({ ...line, text }) || /^[[|>]/.test(text) || readKey({ ...line, text }) !== null)
        throw fault(line, "a list of plain values", line.text);
      this.#at++;
      items.push(
        text === "" || text.startsWith("#") ? null : readScalar(this.#joined(line, text), line.number),
      );
    }
    const next = this.#peek();
    if (next !== null && next.indent > indent) throw fault(next, "an item of the list above", next.text);
    return items;
  }

  /** A plain value can go on in lines that are indented by more than its key. They are joined by spaces. */
  #joined(line: Line, text: string): string {
    if (/^["']/.test(text)) return text;
    let joined = text;
    for (let next = this.#lines[this.#at]; next !== undefined; next = this.#lines[this.#at]) {
      if (next.indent <= line.indent || next.text === "" || next.text.startsWith("#")) break;
      if (/ #/.test(joined) || /: |:$| #/.test(next.text))
        throw fault(next, "a value on one line, or in quotes", next.text);
      joined += ` ${next.text}`;
      this.#at++;
    }
    return joined;
  }

  /** The lines below, as they stand (`|`) or with their ends as spaces (`>`). */
  #block(line: Line, isFolded: boolean, hasEnd: boolean): string {
    const lines: string[] = [];
    let indent: number | null = null;
    for (; this.#at < this.#lines.length; this.#at++) {
      const next = this.#lines[this.#at]!;
      if (next.text !== "" && next.indent <= line.indent) break;
      if (next.text !== "") indent ??= next.indent;
      if (indent === null) throw fault(next, "text", "an empty line");
      if (next.text !== "" && (isFolded ? next.indent !== indent : next.indent < indent))
        throw fault(next, "lines indented like the first one", next.text);
      lines.push(next.text === "" ? "" : " ".repeat(next.indent - indent) + next.text);
    }
    while (lines.at(-1) === "") lines.pop();
    const text = lines.join("\n");
    // Between lines, one end is a space, and of several one is dropped.
    const folded = isFolded
      ? text.replace(/\n+/g, (ends) => (ends.length === 1 ? " " : ends.slice(1)))
      : text;
    return hasEnd && folded !== "" ? `${folded}\n` : folded;
  }
}

function isItem({ text }: Line): boolean {
  return text === "-" || text.startsWith("- ");
}

/** `[a, "b", 3]` on one line. */
function readFlowList(text: string, line: Line): Scalar[] {
  const found = /^\[(.*)\](?: +#.*)?$/.exec(text);
  if (found === null) throw fault(line, "a list that ends in ] on its line", text);
  const inner = found[1]!.trim();
  if (inner === "") return [];
  const list: Scalar[] = [];
  for (let rest = inner; rest !== ""; ) {
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(rest)?.[0];
    const item = quoted ?? rest.slice(0, rest.includes(",") ? rest.indexOf(",") : rest.length).trim();
    if (quoted === undefined && (item === "" || /[[\]{}"']| #/.test(item)))
      throw fault(line, "plain values in [ ]", text);
    list.push(readScalar(item, line.number));
    rest = rest.slice(quoted?.length ?? (rest.includes(",") ? rest.indexOf(",") : rest.length)).trimStart();
    if (rest !== "" && !rest.startsWith(",")) throw fault(line, "a comma between values in [ ]", text);
    rest = rest.slice(1).trimStart();
  }
  return list;
}

function fault(line: Line, expected: string, got: string): FrontMatterFault {
  return new FrontMatterFault(line.number, expected, got);
}

export { FrontMatterFault } from "./front-matter-scalar.ts";
