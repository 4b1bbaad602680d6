import { decodePage } from "./decode-text.ts";
import type { Extracted } from "./extracted.ts";
import { escaped } from "./markdown-writer.ts";

/** Titles on one line: `== Title`, or Markdown's own `## Title`. */
const TITLE = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/;
/** What stands below a title on two lines, by level. */
const RULES = "=-~^+";
/** What opens and closes a block that holds lines as they are: listing, literal, passthrough, comment, fence. */
const VERBATIM = /^(-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,})/;
/** Long enough that no line inside closes it. */
const FENCE = "~".repeat(9);

/**
 * Returns AsciiDoc with its titles as Markdown headings and its listings between fences. Every line stays where it is,
 * so lines are those of the file.
 */
export function extractAsciidoc(bytes: Uint8Array): Extracted {
  const lines = decodePage(bytes)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  const out: string[] = [];
  let delimiter: string | null = null;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (delimiter !== null) {
      out.push(line === delimiter ? FENCE : line);
      if (line === delimiter) delimiter = null;
      continue;
    }
    const title = TITLE.exec(line);
    const level = title === null ? underlined(lines, i) : title[1]!.length;
    if (title !== null) out.push(`${"#".repeat(level!)} ${title[2]}`);
    else if (level !== null) {
      out.push(`${"#".repeat(level)} ${line}`, "");
      i++;
    } else if (VERBATIM.test(line)) {
      delimiter = /^`/.test(line) ? /^`+/.exec(line)![0] : line;
      out.push(FENCE);
    } else out.push(escaped(line));
  }
  return { text: out.join("\n"), format: "markdown" };
}

/** Returns the level of a title on two lines that starts here; null if there is none. */
function underlined(lines: readonly string[], i: number): number | null {
  const [line, below] = [lines[i]!, lines[i + 1] ?? ""];
  const level = RULES.indexOf(below[0] ?? " ") + 1;
  if (level === 0 || below !== below[0]!.repeat(below.length)) return null;
  const isTitle = /^[^\s.[|/=-]/.test(line) && (i === 0 || lines[i - 1] === "");
  return isTitle && below.length >= 3 && Math.abs(below.length - line.length) <= 2 ? level : null;
}
