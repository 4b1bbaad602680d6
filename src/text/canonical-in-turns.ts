import type { Breather } from "../engine/breather.ts";
import type { Engine } from "../engine/engine.ts";
import { canonicalBytes, utf8 } from "./canonical.ts";
import { spaceBefore } from "./white-space.ts";

/** One call of the engine takes about this many bytes, which takes a few milliseconds. */
const PART_BYTES = 1 << 17;

const SPACE = 0x20;
const LF = Uint8Array.of(0x0a);
/** Stands for the text that follows a part, so that white space at the end of the part is not the end of a line. */
const STAND_IN = 0x78;
/** The bytes that the stand-in adds: itself and the LF at the end. */
const STAND_IN_BYTES = 2;

/** Like `canonicalBytes`, but yields to other tasks between parts. */
export async function canonicalInTurns(
  engine: Engine,
  text: string | Uint8Array,
  breather: Breather,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = utf8(text);
  if (bytes.length <= PART_BYTES) return canonicalBytes(engine, bytes);
  const parts: Uint8Array[] = [];
  for (const part of canonicalParts(engine, bytes, PART_BYTES)) {
    parts.push(part);
    await breather.due();
  }
  return joined(parts);
}

/** Yields parts that, concatenated, are the canonical text of `bytes`. */
export function* canonicalParts(
  engine: Engine,
  bytes: Uint8Array,
  partBytes: number,
): Generator<Uint8Array<ArrayBuffer>> {
  let isEmpty = true;
  for (let from = 0; from < bytes.length; ) {
    const to = boundary(bytes, from + partBytes);
    if (to === bytes.length) {
      const last = canonicalBytes(engine, bytes.subarray(from));
      // Only white space was cut off: the text before it still ends with an LF.
      yield last.length === 0 && !isEmpty ? LF : last;
      return;
    }
    const part = new Uint8Array(to - from + 1);
    part.set(bytes.subarray(from, to));
    part[to - from] = STAND_IN;
    const canonical = canonicalBytes(engine, part).subarray(0, -STAND_IN_BYTES);
    isEmpty &&= canonical.length === 0;
    yield canonical;
    from = to;
  }
}

/**
 * Returns the first position from `at` on where a text can be cut without changing its canonical form, or the end of
 * the text if there is none.
 *
 * The character after the cut starts a new UTF-8 sequence, composes with nothing before it, and is not a byte order
 * mark: it is printable ASCII or U+4000–9FFF. Before a space, a cut is allowed only after a character that is not white
 * space, since white space on both sides may be the end of a line.
 */
function boundary(bytes: Uint8Array, at: number): number {
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte > SPACE && byte < 0x7f) return i;
    if (byte === SPACE && spaceBefore(bytes, i, 0) === 0) return i;
    if (byte >= 0xe4 && byte <= 0xe9 && isContinuation(bytes[i + 1]) && isContinuation(bytes[i + 2]))
      return i;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
