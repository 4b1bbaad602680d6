/**
 * Blocks of source code: one for each function, class or run of other lines. They are found by lines and their
 * indentation, in languages with and without braces. No grammar is needed, and what strings and comments contain
 * matters little: a wrong guess moves a border. SPEC §11.10
 */
import { type Block, type BlockSink, type CodeLevel, LINES, lineEnd, STEP_BYTES } from "./block.ts";
import { columnOf, skipBlanks } from "./markdown-line.ts";

/** With a limit, the work is proportional to the text even if each line is indented more than the one before. */
const DIVISIONS_MAX = 4;

/** Finds the blocks of a text. */
export function codeBlocks(text: Uint8Array, sink: BlockSink): Generator<void> {
  return divide(text, 0, text.length, { column: 0, divisions: 0 }, sink);
}

/** Returns the level of a block's parts, or null if it has none. */
export function* partLevel(text: Uint8Array, block: Block): Generator<void, CodeLevel | null> {
  if (block.level === undefined || block.level.divisions === DIVISIONS_MAX) return null;
  let next = Number.POSITIVE_INFINITY;
  let pause = block.start + STEP_BYTES;
  for (let at = block.start; at < block.end; ) {
    const end = lineEnd(text, at);
    const rest = skipBlanks(text, at, end);
    if (rest < end && text[rest] !== ASTERISK) {
      const column = columnOf(text, at, rest);
      if (column > block.level.column && column < next) next = column;
    }
    at = end + 1;
    if (at < pause) continue;
    pause = at + STEP_BYTES;
    yield;
  }
  return next === Number.POSITIVE_INFINITY ? null : { column: next, divisions: block.level.divisions + 1 };
}

/** Finds the parts of a block. */
export function codeParts(
  text: Uint8Array,
  { start, end }: Block,
  level: CodeLevel,
  sink: BlockSink,
): Generator<void> {
  return divide(text, start, end, level, sink);
}

function* divide(
  text: Uint8Array,
  from: number,
  to: number,
  level: CodeLevel,
  sink: BlockSink,
): Generator<void> {
  let start = -1;
  let lastEnd = -1;
  // What the line above says about this one: a part can start after an empty line, or after the end of a body.
  let isAfterEmpty = false;
  let isAfterBody = false;
  // Whether the part's last outer line is a decorator, which belongs to what follows it.
  let isDecorated = false;
  // The first line of the conditions that wait for the next line, with the end of what is above it, or −1.
  let waiting = -1;
  let waitingEnd = -1;
  let pause = from + STEP_BYTES;
  for (let at = from; at < to; ) {
    const end = lineEnd(text, at);
    if (end === at) isAfterEmpty = true;
    else {
      const rest = skipBlanks(text, at, end);
      const type = typeOf(text, rest, end);
      const isOuter = columnOf(text, at, rest) <= level.column;
      const canStart = isOuter && (isAfterEmpty || (isAfterBody && !isDecorated));
      if (type === CONDITION && isOuter) {
        if (canStart && waiting < 0) {
          waiting = at;
          waitingEnd = lastEnd;
        }
      } else {
        if (type === OPENING && isOuter && (canStart || waiting >= 0)) {
          const border = waiting >= 0 ? waiting : at;
          if (start >= 0 && border > start)
            sink({ start, end: waiting >= 0 ? waitingEnd : lastEnd, kind: LINES, role: null, level });
          start = border;
        }
        waiting = -1;
      }
      if (start < 0) start = at;
      if (type === OPENING && isOuter) isDecorated = text[rest] === AT;
      isAfterBody = isOuter ? type === CLOSING : type !== COMMENT;
      isAfterEmpty = false;
      lastEnd = end;
    }
    at = end + 1;
    if (at < pause) continue;
    pause = at + STEP_BYTES;
    yield;
  }
  if (start >= 0) sink({ start, end: lastEnd, kind: LINES, role: null, level });
}

// What a line does to the parts around it.
const OPENING = 0;
const CLOSING = 1;
/** A line inside or at the end of a comment: what follows belongs to it. */
const COMMENT = 2;
/** The start of a part of C that the compiler may skip. It belongs to what it encloses. */
const CONDITION = 3;

const ASTERISK = 0x2a;
const AT = 0x40;
const LESS = 0x3c;
const SLASH = 0x2f;
const HASH = 0x23;

const CLOSING_CHARACTERS = new Set(Array.from("{})]", (character) => character.charCodeAt(0)));
const CLOSING_WORDS = new Set(
  "catch done elif else end esac except fi finally #elif #else #endif".split(" "),
);
const CONDITION_WORDS = new Set("#if #ifdef #ifndef".split(" "));
const WORD_LENGTH_MAX = 7;

function typeOf(text: Uint8Array, at: number, end: number): number {
  const first = text[at]!;
  if (first === ASTERISK) return COMMENT;
  if (CLOSING_CHARACTERS.has(first) || (first === LESS && text[at + 1] === SLASH)) return CLOSING;
  const word = firstWord(text, at, end);
  return CLOSING_WORDS.has(word) ? CLOSING : CONDITION_WORDS.has(word) ? CONDITION : OPENING;
}

/** Returns the name that starts at `at`, with a `#` before it if there is one, or "" if it is long. */
function firstWord(text: Uint8Array, at: number, end: number): string {
  let to = text[at] === HASH ? at + 1 : at;
  while (to < end && to - at <= WORD_LENGTH_MAX && isNameCharacter(text[to]!)) to++;
  return to - at > WORD_LENGTH_MAX ? "" : String.fromCharCode(...text.subarray(at, to));
}

function isNameCharacter(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
}
