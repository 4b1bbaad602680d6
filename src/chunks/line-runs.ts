/** Blocks of formats in which empty lines separate blocks: plain text and source code. SPEC §11.3 */
import { type BlockSink, LINES, lineEnd, PROSE, STEP_BYTES } from "./block.ts";

const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/** Paragraphs: lines without an empty line between them. */
export function* plainBlocks(text: Uint8Array, sink: BlockSink): Generator<void> {
  yield* runs(text, (start, end) => sink({ start, end, kind: PROSE, role: null }));
}

/** A block starts after an empty line, with a line that is not indented: mostly a definition and its comment. */
export function* codeBlocks(text: Uint8Array, sink: BlockSink): Generator<void> {
  let blockStart = -1;
  let blockEnd = -1;
  yield* runs(text, (start, end) => {
    const isIndented = text[start] === SPACE || text[start] === TAB;
    if (blockStart >= 0 && !isIndented) {
      sink({ start: blockStart, end: blockEnd, kind: LINES, role: null });
      blockStart = start;
    } else if (blockStart < 0) blockStart = start;
    blockEnd = end;
  });
  if (blockStart >= 0) sink({ start: blockStart, end: blockEnd, kind: LINES, role: null });
}

/** Calls `visit` with each longest run of lines that are not empty. */
function* runs(text: Uint8Array, visit: (start: number, end: number) => void): Generator<void> {
  let start = -1;
  let end = -1;
  let pause = STEP_BYTES;
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    if (text[at] !== LF) {
      if (start < 0) start = at;
      end = lineEnd(text, at);
      at = end;
    } else if (start >= 0) {
      visit(start, end);
      start = -1;
    }
    if (at < pause) continue;
    pause = at + STEP_BYTES;
    yield;
  }
  if (start >= 0) visit(start, end);
}
