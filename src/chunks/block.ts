/** Where a block may be cut, if it must be. SPEC §11.5 */
export const PROSE = 0;
/** Code, tables, markup: at its lines. */
export const LINES = 1;
/** Lists and quotes: prose in items. */
export const ITEMS = 2;
export type BlockKind = typeof PROSE | typeof LINES | typeof ITEMS;

/**
 * Receives the blocks of a text in order: `[start, end)` are bytes from the begin of a line to the end of a line, its
 * LF not counted, and only empty lines lie between blocks. SPEC §11.3
 */
export interface BlockSink {
  block(start: number, end: number, kind: BlockKind): void;
  /** A heading; `title` is its title in UTF-8 as written, maybe empty. */
  heading(start: number, end: number, level: number, title: Uint8Array): void;
  /** Data about the document, which belongs with no other block. */
  frontMatter(start: number, end: number): void;
}

const LF = 0x0a;

/** The LF that ends the line at `at`, or the end of the text. */
export function lineEnd(text: Uint8Array, at: number): number {
  const end = text.indexOf(LF, at);
  return end < 0 ? text.length : end;
}
