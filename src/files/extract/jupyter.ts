import { checkTextLength, ExtractFault } from "./extract-fault.ts";
import type { Extracted } from "./extracted.ts";
import { fencedCode } from "./markdown-writer.ts";

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
  /** The source in notebooks of version 3. */
  readonly input?: unknown;
  readonly level?: unknown;
}

/** Returns the text of a notebook as Markdown: its texts, and its code between fences. Outputs are left out. */
export function extractJupyter(bytes: Uint8Array): Extracted {
  const parts: string[] = [];
  let length = 0;
  for (const cell of cellsOf(new TextDecoder().decode(bytes))) {
    const text = cellText(cell);
    if (text === "") continue;
    length += text.length;
    checkTextLength(length);
    parts.push(text);
  }
  return { text: parts.join("\n\n"), format: "markdown" };
}

function cellsOf(json: string): Cell[] {
  const notebook = JSON.parse(json) as { cells?: unknown; worksheets?: unknown } | null;
  const sheets = Array.isArray(notebook?.worksheets) ? notebook.worksheets : [notebook];
  const cells = sheets.flatMap((sheet) => (sheet as { cells?: unknown } | null)?.cells ?? []);
  if (notebook === null || typeof notebook !== "object" || (cells.length === 0 && !("cells" in notebook)))
    throw new ExtractFault("expected a notebook with cells, got other JSON");
  return cells.filter((cell) => typeof cell === "object" && cell !== null) as Cell[];
}

function cellText(cell: Cell): string {
  const source = joined(cell.source ?? cell.input);
  switch (cell.cell_type) {
    case "markdown":
      return source.trim();
    case "heading":
      return `${"#".repeat(typeof cell.level === "number" && cell.level >= 1 && cell.level <= 6 ? cell.level : 1)} ${source.trim()}`;
    case "code":
      return fencedCode(source);
    default:
      return "";
  }
}

/** A source is a text or a list of lines. */
function joined(source: unknown): string {
  if (typeof source === "string") return source;
  if (!Array.isArray(source)) return "";
  let text = "";
  for (const line of source) if (typeof line === "string") text += line;
  return text;
}
