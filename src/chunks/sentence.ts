import { characterBytes, codePointAt } from "../text/utf8.ts";
import { spaceAt } from "../text/white-space.ts";
import { STEP_BYTES } from "./block.ts";

/**
 * Characters that end a sentence if white space follows: . ! ? and U+2026, 0589, 061F, 06D4, 0964, 0965, 104B, 1362,
 * 17D4.
 */
const ENDS = [0x2e, 0x21, 0x3f, 0x2026, 0x589, 0x61f, 0x6d4, 0x964, 0x965, 0x104b, 0x1362, 0x17d4];
/** Characters that end a sentence whatever follows: the full stops and marks of scripts that write no spaces. */
const WIDE_ENDS = [0x3002, 0xff01, 0xff0e, 0xff1f, 0xff61];
/**
 * Closers, which may stand between the end and the white space: " ' ) ] } * _ ` » ’ ” and 300B, 300D, 300F, 3011, FF09,
 * FF3D.
 */
const CLOSERS = [
  0x22, 0x27, 0x29, 0x5d, 0x7d, 0x2a, 0x5f, 0x60, 0xbb, 0x2019, 0x201d, 0x300b, 0x300d, 0x300f, 0x3011,
  0xff09, 0xff3d,
];

const OTHER = 0;
const END = 1;
const WIDE_END = 2;
const CLOSER = 3;
const SPACE = 4;
const CLASSES: ReadonlyMap<number, number> = new Map([
  ...ENDS.map((c) => [c, END] as const),
  ...WIDE_ENDS.map((c) => [c, WIDE_END] as const),
  ...CLOSERS.map((c) => [c, CLOSER] as const),
]);

const FULL_STOP = 0x2e;

// States: what the characters before the current one have ended.
const NOTHING = 0;
/** A sentence, if white space follows. */
const MAYBE = 1;
/** A sentence, and white space has followed. */
const SENTENCE = 2;
/** A sentence, whatever follows except closers. */
const WIDE_SENTENCE = 3;

/** Calls `visit` with the first byte of each sentence of `[start, end)` except the first. One pass. SPEC §11.6 */
export function* sentenceStarts(
  text: Uint8Array,
  start: number,
  end: number,
  visit: (at: number) => void,
): Generator<void> {
  let ended = NOTHING;
  let length = 0;
  let pause = start + STEP_BYTES;
  for (let at = start; at < end; at += length) {
    length = characterBytes(text[at]!);
    if (at >= pause) {
      pause += STEP_BYTES;
      yield;
    }
    const kind = classAt(text, at, end);
    if (kind === SPACE) {
      if (ended !== NOTHING) ended = SENTENCE;
      continue;
    }
    const isStart =
      (ended === SENTENCE && kind !== END && kind !== WIDE_END) ||
      (ended === WIDE_SENTENCE && kind === OTHER);
    if (isStart) {
      // "etc. and so on": a lower-case letter continues the sentence.
      if (ended === WIDE_SENTENCE || !isLowerLetter(text[at]!)) visit(at);
      ended = NOTHING;
    }
    if (kind === WIDE_END) ended = WIDE_SENTENCE;
    else if (kind === END) ended = isInitial(text, start, at) ? NOTHING : MAYBE;
    else if (kind === OTHER) ended = NOTHING;
  }
}

function classAt(text: Uint8Array, at: number, end: number): number {
  if (spaceAt(text, at, end) > 0) return SPACE;
  const first = text[at]!;
  if (first < 0x80) return CLASSES.get(first) ?? OTHER;
  return CLASSES.get(codePointAt(text, at)) ?? OTHER;
}

/** A full stop after a single letter, as in "J. Smith" and "e.g. this", does not end a sentence. */
function isInitial(text: Uint8Array, start: number, at: number): boolean {
  if (text[at] !== FULL_STOP || at === start || !isLetter(text[at - 1]!)) return false;
  if (at - 1 === start) return true;
  const before = text[at - 2]!;
  return before < 0x80 && !isLetter(before) && !isDigit(before);
}

const isLowerLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;
const isLetter = (byte: number): boolean => isLowerLetter(byte | 0x20);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
