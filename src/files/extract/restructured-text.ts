import { decodePage } from "./decode-text.ts";
import type { Extracted } from "./extracted.ts";
import { escaped } from "./markdown-writer.ts";

/** A line of one punctuation character: what stands below a title, and perhaps above it. */
const RULE = /^([!-/:-@[-`{-~])\1+$/;
const LEVEL_MAX = 6;

/**
 * Returns reStructuredText with its titles as Markdown headings. Every line stays where it is, so lines are those of
 * the file. Nothing else is changed, except what Markdown would take for a heading or a fence.
 */
export function extractRestructuredText(bytes: Uint8Array): Extracted {
  const lines = decodePage(bytes)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  const out = lines.map(escaped);
  /** Kinds of titles in the order in which they occur, which is that of their levels. */
  const kinds: string[] = [];
  for (let i = 0; i + 1 < lines.length; i++) {
    const found = titleAt(lines, i);
    if (found === null) continue;
    const { title, kind, count } = found;
    let level = kinds.indexOf(kind) + 1;
    if (level === 0) level = kinds.push(kind);
    for (let k = 0; k < count; k++) out[i + k] = "";
    out[i + (count === 3 ? 1 : 0)] = `${"#".repeat(Math.min(level, LEVEL_MAX))} ${title}`;
    i += count - 1;
  }
  return { text: out.join("\n"), format: "markdown" };
}

/** Returns the title whose first line is this one, with how many lines it has. */
function titleAt(
  lines: readonly string[],
  i: number,
): { readonly title: string; readonly kind: string; readonly count: 2 | 3 } | null {
  const before = i === 0 ? "" : lines[i - 1]!;
  if (before !== "" && !RULE.test(before)) return null;
  const [first, second, third] = [lines[i]!, lines[i + 1]!, lines[i + 2]];
  const isOverlined = RULE.test(first) && third === first && second.trim() !== "" && !RULE.test(second);
  if (isOverlined && fits(second.trim(), first))
    return { title: second.trim(), kind: `${first[0]}${first[0]}`, count: 3 };
  if (first === "" || /^\s/.test(first) || RULE.test(first) || !RULE.test(second)) return null;
  return fits(first, second) ? { title: first, kind: second[0]!, count: 2 } : null;
}

/** A rule is as long as its title, or at least four long, as docutils has it. */
function fits(title: string, rule: string): boolean {
  return rule.length >= Math.min(4, title.length);
}
