import { ExtractFault } from "./extract-fault.ts";

const UNITS_AT_ONCE = 8192;

/**
 * Decodes a file of text that begins with the mark of UTF-16; null if it does not. By hand: hosts without ICU cannot
 * decode UTF-16BE.
 */
export function decodeUtf16(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (!isLittle && !(first === 0xfe && second === 0xff)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  const units: number[] = [];
  for (let at = 2; at + 1 < bytes.length; at += 2) {
    units.push(view.getUint16(at, isLittle));
    if (units.length < UNITS_AT_ONCE) continue;
    parts.push(String.fromCharCode(...units));
    units.length = 0;
  }
  parts.push(String.fromCharCode(...units));
  return parts.join("");
}

/** U+0080 to U+009F of windows-1252; hosts do not agree on the five that it leaves open. */
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";
const UTF_8 = new Set(["utf-8", "utf8", "unicode-1-1-utf-8", "us-ascii", "ascii"]);
const LATIN = new Set(["windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "latin1", "iso-8859-15"]);
/** Where a page says its encoding, if it does. */
const LOOK_BYTES = 1024;

/**
 * Decodes a page: UTF-16 by its mark, otherwise the encoding that it names in its first bytes, otherwise UTF-8.
 *
 * @throws {ExtractFault} for other encodings, whose tables differ between hosts
 */
export function decodePage(bytes: Uint8Array): string {
  const marked = decodeUtf16(bytes);
  if (marked !== null) return marked;
  const isMarkedUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const head = latin(bytes.subarray(0, LOOK_BYTES));
  const named =
    /<meta\b[^<>]*\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head) ??
    /^\s*<\?xml\b[^<>]*\bencoding\s*=\s*["']([\w:.-]+)/i.exec(head);
  const label = isMarkedUtf8 ? "utf-8" : (named?.[1] ?? "utf-8").toLowerCase();
  if (LATIN.has(label)) return latin(bytes);
  // A page that is read byte by byte and says UTF-16 is not in UTF-16: HTML takes it as UTF-8.
  if (UTF_8.has(label) || label.startsWith("utf-16")) return new TextDecoder().decode(bytes);
  throw new ExtractFault(`expected UTF-8, UTF-16 or windows-1252, got the encoding ${label.slice(0, 40)}`);
}

function latin(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += UNITS_AT_ONCE) {
    const part = bytes.subarray(from, from + UNITS_AT_ONCE);
    const text = String.fromCharCode(...part);
    parts.push(text.replace(/[\x80-\x9f]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80]!));
  }
  return parts.join("");
}
