/** A table of Markdown, as rows of cells. `head` is null where a passage begins within a table. */
export interface TableRows {
  readonly head: readonly string[] | null;
  readonly body: readonly (readonly string[])[];
}

/** Returns whether a line is nothing but dashes, colons and pipes: it separates the head from the body. */
const isDelimiter = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes("-");

/** Reads the lines of a table. Every row gets as many cells as the longest. */
export function tableRows(lines: readonly string[]): TableRows {
  const at = lines.findIndex(isDelimiter);
  const rows = lines.filter((line) => !isDelimiter(line)).map(cellsOf);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const even = rows.map((row) => [...row, ...Array<string>(width - row.length).fill("")]);
  return at === 1 ? { head: even[0]!, body: even.slice(1) } : { head: null, body: even };
}

/** Returns the cells of a line. A pipe after a backslash is text. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  const inner = line.trim().replace(/^\|/, "");
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === "\\" && inner[i + 1] === "|") {
      cell += "|";
      i++;
    } else if (inner[i] === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += inner[i];
  }
  if (cell.trim() !== "") cells.push(cell.trim());
  return cells;
}
