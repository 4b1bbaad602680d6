// Canonical text (SPEC §5), written for clarity: one list of code points after another.
import { combiningClass, composites, decomposition, isWhiteSpace } from "./unicode.ts";

/** A code point and the bytes [start, end) of the text that it stands for. */
export interface Read {
  readonly c: number;
  readonly start: number;
  readonly end: number;
}

/** SPEC §5.1 */
export function decode(bytes: Uint8Array): Read[] {
  const out: Read[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const lead = bytes[at++]!;
    // The ranges of Unicode's table of well-formed byte sequences, lead byte by lead byte.
    const rest: [number, number][] =
      lead <= 0x7f ? []
      : lead >= 0xc2 && lead <= 0xdf ? [[0x80, 0xbf]]
      : lead === 0xe0 ? [[0xa0, 0xbf], [0x80, 0xbf]]
      : lead === 0xed ? [[0x80, 0x9f], [0x80, 0xbf]]
      : lead >= 0xe1 && lead <= 0xef ? [[0x80, 0xbf], [0x80, 0xbf]]
      : lead === 0xf0 ? [[0x90, 0xbf], [0x80, 0xbf], [0x80, 0xbf]]
      : lead >= 0xf1 && lead <= 0xf3 ? [[0x80, 0xbf], [0x80, 0xbf], [0x80, 0xbf]]
      : lead === 0xf4 ? [[0x80, 0x8f], [0x80, 0xbf], [0x80, 0xbf]]
      : [[1, 0]];
    let c = rest.length === 0 ? lead : lead & (0x3f >> rest.length);
    for (const [lowest, highest] of rest) {
      const byte = at < bytes.length ? bytes[at]! : -1;
      if (byte < lowest || byte > highest) {
        c = 0xfffd;
        break;
      }
      c = c * 64 + (byte & 0x3f);
      at++;
    }
    out.push({ c, start, end: at });
  }
  return out;
}

export const codePoints = (bytes: Uint8Array): number[] => decode(bytes).map(({ c }) => c);

export function encode(text: readonly number[]): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  for (const c of text) {
    if (c < 0x80) out.push(c);
    else if (c < 0x800) out.push(0xc0 | (c >> 6), 0x80 | (c & 0x3f));
    else if (c < 0x10000) out.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f));
    else
      out.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 0x3f), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f));
  }
  return Uint8Array.from(out);
}

/** Full canonical decomposition of one code point. SPEC §5.2 */
export function decomposed(c: number): readonly number[] {
  if (c >= 0xac00 && c <= 0xd7a3) {
    const s = c - 0xac00;
    const jamo = [0x1100 + Math.floor(s / 588), 0x1161 + Math.floor((s % 588) / 28), 0x11a7 + (s % 28)];
    return s % 28 === 0 ? jamo.slice(0, 2) : jamo;
  }
  return decomposition(c)?.flatMap(decomposed) ?? [c];
}

/** Sorts each run of items whose class is not 0, stably, by class. */
export function canonicallyOrdered<T>(items: readonly T[], classOf: (item: T) => number): T[] {
  const out: T[] = [];
  let run: T[] = [];
  const endRun = () => {
    for (const item of run.sort((a, b) => classOf(a) - classOf(b))) out.push(item);
    run = [];
  };
  for (const item of items) {
    if (classOf(item) !== 0) run.push(item);
    else {
      endRun();
      out.push(item);
    }
  }
  endRun();
  return out;
}

/** SPEC §5.2 */
export function nfd(text: readonly number[]): number[] {
  return canonicallyOrdered(text.flatMap(decomposed), combiningClass);
}

function composite(first: number, second: number): number | undefined {
  if (first >= 0x1100 && first <= 0x1112 && second >= 0x1161 && second <= 0x1175)
    return 0xac00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28;
  if (first >= 0xac00 && first <= 0xd7a3 && (first - 0xac00) % 28 === 0 && second > 0x11a7 && second <= 0x11c2)
    return first + (second - 0x11a7);
  return composites.get(`${first},${second}`);
}

/** SPEC §5.2 */
export function nfc(text: readonly number[]): number[] {
  const out: number[] = [];
  let starter = -1;
  for (const c of nfd(text)) {
    const ownClass = combiningClass(c);
    if (starter >= 0) {
      const isBlocked = out.length > starter + 1 && combiningClass(out.at(-1)!) >= ownClass;
      const composed = isBlocked ? undefined : composite(out[starter]!, c);
      if (composed !== undefined) {
        out[starter] = composed;
        continue;
      }
    }
    if (ownClass === 0) starter = out.length;
    out.push(c);
  }
  return out;
}

/** SPEC §5.3 */
export function canonicalText(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const read = codePoints(bytes);
  while (read[0] === 0xfeff) read.shift();
  const composed = nfc(read.map((c) => (c === 0 ? 0xfffd : c)));
  const lines: number[][] = [[]];
  for (const [i, c] of composed.entries()) {
    if (c === 0x0d || (c === 0x0a && composed[i - 1] !== 0x0d)) lines.push([]);
    else if (c !== 0x0a) lines.at(-1)!.push(c);
  }
  for (const line of lines) while (line.length > 0 && isWhiteSpace(line.at(-1)!)) line.pop();
  while (lines.length > 0 && lines.at(-1)!.length === 0) lines.pop();
  return encode(lines.flatMap((line) => [...line, 0x0a]));
}

/** The canonical path, or null where there is none. SPEC §5.4 */
export function canonicalPath(path: string): string | null {
  const text = Array.from(path, (character) => character.codePointAt(0)!);
  if (text.some((c) => c === 0 || c === 0x5c || (c >= 0xd800 && c <= 0xdfff))) return null;
  if (/^[A-Za-z]:\//.test(path)) return null;
  if (path.split("/").some((part) => part === "" || part === "." || part === "..")) return null;
  return String.fromCodePoint(...nfc(text));
}
