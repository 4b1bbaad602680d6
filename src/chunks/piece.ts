import { spaceBefore, trimSpace } from "../text/white-space.ts";
import { type BlockKind, ITEMS, LINES, lineEnd, STEP_BYTES } from "./block.ts";
import type { DocumentTokens } from "./document-tokens.ts";
import { itemMarkerEnd } from "./markdown-line.ts";
import { sentenceStarts } from "./sentence.ts";

// How good the start of a piece is as a place to cut. SPEC §11.5
const WORD = 0;
const WHITE_SPACE = 1;
const LINE = 2;
/** A sentence of prose, a line of code. */
export const SENTENCE = 3;
/** The text after an empty line, or an item of a list. */
const PART = 4;

/** Pauses after this many pieces. */
const STEP_PIECES = 1 << 15;

/**
 * A block as pieces, which are never divided unless one is too large for a chunk. Each goes from the start of a word to
 * the start of the next. Stored by columns, since a block can have a million pieces.
 */
export interface Pieces {
  readonly count: number;
  readonly starts: Uint32Array;
  /** Without the trailing white space. */
  readonly ends: Uint32Array;
  /** The number of tokens before each piece, and at the end the total. */
  readonly before: Uint32Array;
  /** How good a cut before each piece is. */
  readonly breaks: Uint8Array;
}

/**
 * Returns the pieces of the block `[start, end)`, which has no white space at its ends and consists of the words from
 * `first` to `last`.
 */
export function* piecesOf(
  text: Uint8Array,
  tokens: DocumentTokens,
  start: number,
  end: number,
  first: number,
  last: number,
  kind: BlockKind,
): Generator<void, Pieces> {
  const count = Math.max(1, last - first);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  const before = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) {
    starts[i] = i === 0 ? start : tokens.starts[first + i]!;
    before[i] = tokens.before[first + i]! - tokens.before[first]!;
  }
  before[count] = tokens.before[last]! - tokens.before[first]!;
  for (let i = 0; i < count; i++) {
    ends[i] = trimSpace(text, starts[i]!, i + 1 < count ? starts[i + 1]! : end);
    if (i % STEP_PIECES === STEP_PIECES - 1) yield;
  }
  return { count, starts, ends, before, breaks: yield* breaksOf(text, starts, end, kind) };
}

function* breaksOf(
  text: Uint8Array,
  starts: Uint32Array,
  end: number,
  kind: BlockKind,
): Generator<void, Uint8Array> {
  const breaks = new Uint8Array(starts.length);
  for (let i = 1; i < starts.length; i++) {
    breaks[i] = spaceBefore(text, starts[i]!, starts[i - 1]!) > 0 ? WHITE_SPACE : WORD;
    if (i % STEP_PIECES === 0) yield;
  }
  if (kind !== LINES) yield* markSentences(text, starts, end, breaks);
  yield* markLines(text, starts, end, kind, breaks);
  return breaks;
}

function* markSentences(
  text: Uint8Array,
  starts: Uint32Array,
  end: number,
  breaks: Uint8Array,
): Generator<void> {
  let i = 1;
  yield* sentenceStarts(text, starts[0]!, end, (at) => {
    while (i < starts.length && starts[i]! < at) i++;
    if (i < starts.length) breaks[i] = SENTENCE;
  });
}

/** Raises the first piece that starts in each line, except in the block's first line. */
function* markLines(
  text: Uint8Array,
  starts: Uint32Array,
  end: number,
  kind: BlockKind,
  breaks: Uint8Array,
): Generator<void> {
  let i = 1;
  let isAfterEmpty = false;
  let pause = starts[0]! + STEP_BYTES;
  for (let line = starts[0]!; line < end; ) {
    const stop = lineEnd(text, line);
    // A line with only `>` is the empty line of a quote.
    const content = kind === ITEMS ? skipMarks(text, line, stop) : line;
    while (i < starts.length && starts[i]! < line) i++;
    if (line > starts[0]! && i < starts.length && starts[i]! < stop) {
      const isPart = isAfterEmpty || (kind === ITEMS && isItem(text, content, stop));
      const found = isPart ? PART : kind === LINES ? SENTENCE : LINE;
      if (breaks[i]! < found) breaks[i] = found;
    }
    isAfterEmpty = content === stop;
    line = stop + 1;
    if (line < pause) continue;
    pause = line + STEP_BYTES;
    yield;
  }
}

const SPACE = 0x20;
const TAB = 0x09;
const GREATER = 0x3e;

function skipMarks(text: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (text[at] === GREATER || text[at] === SPACE || text[at] === TAB)) at++;
  return at;
}

function isItem(text: Uint8Array, at: number, end: number): boolean {
  return at < end && itemMarkerEnd(text, at, end) > at;
}
