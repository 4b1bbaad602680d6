/** Where a block may be cut, if it must be cut. SPEC §11.5 */
export const PROSE = 0;
/** Code, tables, markup: cut at lines. */
export const LINES = 1;
/** Lists and quotes: prose in items. */
export const ITEMS = 2;
export type BlockKind = typeof PROSE | typeof LINES | typeof ITEMS;

/**
 * A block of a text. `[start, end)` are bytes from the start of a line to the end of a line, without its LF. Only empty
 * lines lie between blocks. SPEC §11.3
 */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly kind: BlockKind;
  /** The block's role besides its kind: metadata of the document, a heading, or none of these. */
  readonly role: "front matter" | Heading | null;
  /** Code only: how it is divided if it does not fit in a chunk. SPEC §11.10 */
  readonly level?: CodeLevel;
}

/** A heading, with its title in UTF-8 as written, possibly empty. */
export interface Heading {
  readonly level: number;
  readonly title: Uint8Array;
}

/** How far a block has been divided: the column of the lines that its parts start at, and how often. */
export interface CodeLevel {
  readonly column: number;
  readonly divisions: number;
}

/** Receives the blocks of a text, in order. */
export type BlockSink = (block: Block) => void;

/** Calls `visit` with each block that a scanner finds. At each pause of the scanner, the blocks so far are visited. */
export function* eachBlock(
  scan: (sink: BlockSink) => Generator<void>,
  visit: (block: Block) => Generator<void>,
): Generator<void> {
  let blocks: Block[] = [];
  const scanning = scan((block) => blocks.push(block));
  for (let isDone = false; !isDone; ) {
    isDone = scanning.next().done === true;
    for (const block of blocks) yield* visit(block);
    blocks = [];
    if (!isDone) yield;
  }
}

/** A scanner pauses after about this many bytes, which take a few milliseconds. */
export const STEP_BYTES = 1 << 16;

const LF = 0x0a;

/** Returns the position of the LF that ends the line at `at`, or the end of the text. */
export function lineEnd(text: Uint8Array, at: number): number {
  const end = text.indexOf(LF, at);
  return end < 0 ? text.length : end;
}
