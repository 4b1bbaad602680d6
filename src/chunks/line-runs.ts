/** Blocks of plain text, which empty lines separate. SPEC §11.3 */
import { type BlockSink, lineEnd, PROSE, STEP_BYTES } from "./block.ts";

const LF = 0x0a;

/** Paragraphs: lines without an empty line between them. */
export function* plainBlocks(text: Uint8Array, sink: BlockSink): Generator<void> {
  yield* runs(text, (start, end) => sink({ start, end, kind: PROSE, role: null }));
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
