// Canonical text (SPEC §5), written for clarity: one list of code points after another.
import { combiningClass, composites, decomposition, isWhiteSpace } from "./unicode.ts";

/** A code point and the bytes [start, end) of the text that it stands for. */
export interface Read {
  readonly c: number;
  readonly start: number;
  readonly end: number;
}

const ANY = [0x80, 0xbf] as const;
/** Well-formed sequences: the first and last lead byte, then the range of each byte that follows. */
const WELL_FORMED: readonly (readonly (readonly [number, number])[])[] = [
  [[0x00, 0x7f]],
  [[0xc2, 0xdf], ANY],
  [[0xe0, 0xe0], [0xa0, 0xbf], ANY],
  [[0xe1, 0xec], ANY, ANY],
  [[0xed, 0xed], [0x80, 0x9f], ANY],
  [[0xee, 0xef], ANY, ANY],
  [[0xf0, 0xf0], [0x90, 0xbf], ANY, ANY],
  [[0xf1, 0xf3], ANY, ANY, ANY],
  [[0xf4, 0xf4], [0x80, 0x8f], ANY, ANY],
];

/** SPEC §5.1 */
export function decode(bytes: Uint8Array): Read[] {
  const out: Read[] = [];
  for (let at = 0; at < bytes.length; at = out.at(-1)!.end) out.push(decodeOne(bytes, at));
  return out;
}

function decodeOne(bytes: Uint8Array, start: number): Read {
  const fits = (at: number, range: readonly [number, number]) =>
    at < bytes.length && bytes[at]! >= range[0] && bytes[at]! <= range[1];
  const row = WELL_FORMED.find(([lead]) => fits(start, lead!));
  if (row === undefined) return { c: 0xfffd, start, end: start + 1 };
  const broken = row.findIndex((range, i) => !fits(start + i, range));
  if (broken !== -1) return { c: 0xfffd, start, end: start + broken };
  // The lead byte gives 7, 5, 4 or 3 bits, every other 6.
  let c = bytes[start]! & [0x7f, 0x1f, 0x0f, 0x07][row.length - 1]!;
  for (let i = 1; i < row.length; i++) c = c * 64 + (bytes[start + i]! & 0x3f);
  return { c, start, end: start + row.length };
}

export const codePoints = (bytes: Uint8Array): number[] => decode(bytes).map(({ c }) => c);

export function encode(text: readonly number[]): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  for (const c of text) {
    if (c < 0x80) out.push(c);
    else if (c < 0x800) out.push(0xc0 | (c >> 6), 0x80 | (c & 0x3f));
    else if (c < 0x10000) out.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f));
    else out.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 0x3f), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f));
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
  if (
    first >= 0xac00 &&
    first <= 0xd7a3 &&
    (first - 0xac00) % 28 === 0 &&
    second > 0x11a7 &&
    second <= 0x11c2
  )
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
