/** The size of a JSON text, measured without parsing it. */
export interface JsonExtent {
  /** How many brackets are open at the deepest place. */
  readonly depth: number;
  /** How many values it holds at most, at any depth. */
  readonly members: number;
  /** The text without what is nested deeper than the members of a message in a batch; cut off if it is long. */
  readonly outline: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Brackets and braces differ in this bit alone. */
const BRACE_BIT = 0x20;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

const OUTLINE_DEPTH = 2;
const OUTLINE_BYTES_MAX = 1 << 16;

/** Measures a JSON text byte by byte, in constant stack space. A text that is not JSON has some extent, too. */
export function jsonExtent(bytes: Uint8Array): JsonExtent {
  let depth = 0;
  let depthMax = 0;
  let members = 0;
  let isInString = false;
  const outline: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const depthBefore = depth;
    if (byte === QUOTE) isInString = !isInString;
    else if (!isInString) {
      if (byte === COMMA) members++;
      else if ((byte | BRACE_BIT) === OPENING_BRACE) {
        members++;
        depth++;
        if (depth > depthMax) depthMax = depth;
      } else if ((byte | BRACE_BIT) === CLOSING_BRACE) depth--;
    }
    const isEscape = isInString && byte === BACKSLASH;
    if (Math.min(depth, depthBefore) <= OUTLINE_DEPTH && outline.length < OUTLINE_BYTES_MAX) {
      outline.push(byte);
      if (isEscape && i + 1 < bytes.length) outline.push(bytes[i + 1]!);
    }
    if (isEscape) i++;
  }
  return { depth: depthMax, members, outline: new TextDecoder().decode(Uint8Array.from(outline)) };
}
