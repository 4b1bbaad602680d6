import type { SearchResult } from "selfsame/browser";
import { element } from "./element.ts";

const LENGTH = 300;
/** The number of characters shown before the first match. */
const LEAD = 80;

const WORD_MAX = 24;

/** Recognises Markdown by the file extension, as the chunker does. */
export const MARKDOWN = /\.(md|markdown|mdx)$/i;

/** Half of a surrogate pair, left when a cut splits a character. */
export const HALF_CHARACTER = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

/** A run of text that matched, or did not. */
export interface Run {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits the text at its highlights, which are in UTF-8 bytes. */
export function runsOf({ content, highlights }: Pick<SearchResult, "content" | "highlights">): Run[] {
  const bytes = new TextEncoder().encode(content);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = (from: number, to: number) => decoder.decode(bytes.subarray(from, to));
  const runs: Run[] = [];
  let at = 0;
  for (const { start, end } of highlights) {
    runs.push({ text: text(at, start), isMatch: false }, { text: text(start, end), isMatch: true });
    at = end;
  }
  runs.push({ text: text(at, bytes.length), isMatch: false });
  return runs.filter((run) => run.text !== "");
}

/** Returns the text with Markdown headings as plain words, without # signs and separated by dots. */
export function withoutHashes(runs: readonly Run[]): Run[] {
  const text = runs.map((run) => run.text).join("");
  const isHeading = text.split("\n").map((line) => /^#{1,6} /.test(line));
  let line = 0;
  return runs.map(({ text: part, isMatch }) => ({
    isMatch,
    // The line below a table's head says nothing.
    text: part
      .replace(/\n[|:-][ |:-]+(?=\n)/g, "\n")
      .replace(/(^|\n)#{1,6} /g, "$1")
      .replace(/\n+/g, (breaks) => {
        const wasHeading = isHeading[line];
        line += breaks.length;
        return wasHeading ? " · " : "\n";
      }),
  }));
}

/** Returns the part around the first match (or the start), with white space collapsed to single spaces. */
export function shorten(runs: readonly Run[]): Run[] {
  const flat = runs.map(({ text, isMatch }) => ({ text: text.replace(/\s+/g, " "), isMatch }));
  const whole = flat.map(({ text }) => text).join("");
  const first = flat.findIndex(({ isMatch }) => isMatch);
  const before = flat.slice(0, Math.max(first, 0)).reduce((sum, { text }) => sum + text.length, 0);
  const isWhole = whole.length <= LENGTH || before <= LEAD;
  const from = isWhole ? 0 : nextWord(whole, Math.min(before - LEAD, whole.length - LENGTH));
  const to = from + LENGTH >= whole.length ? whole.length : lastWord(whole, from + LENGTH);
  const cut: Run[] = [];
  let at = 0;
  for (const { text, isMatch } of flat) {
    const [start, end] = [Math.max(from - at, 0), Math.min(to - at, text.length)];
    if (start < end) cut.push({ text: text.slice(start, end).replace(HALF_CHARACTER, ""), isMatch });
    at += text.length;
  }
  const dots = (isThere: boolean): Run[] => (isThere ? [{ text: "…", isMatch: false }] : []);
  return [...dots(from > 0), ...cut, ...dots(to < whole.length)];
}

/** Returns the start of the next word if there is one soon. A text without spaces is cut anywhere. */
function nextWord(text: string, from: number): number {
  const space = text.indexOf(" ", from);
  return space < 0 || space - from > WORD_MAX ? from : space + 1;
}

function lastWord(text: string, to: number): number {
  const space = text.lastIndexOf(" ", to);
  return to - space > WORD_MAX ? to : space;
}

export function marked(runs: readonly Run[]): (Node | string)[] {
  return runs.map(({ text, isMatch }) => (isMatch ? element("mark", {}, text) : text));
}
