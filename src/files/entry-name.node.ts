const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The name of an entry of a folder. Linux allows any bytes. A name that is not UTF-8 is shown with its other bytes as
 * `\xE9`, and cannot be a document's path.
 */
export function entryName(name: Uint8Array | string): { readonly name: string; readonly isUtf8: boolean } {
  if (typeof name === "string") return { name, isUtf8: true }; // from a host that has no names as bytes
  try {
    return { name: UTF8.decode(name), isUtf8: true };
  } catch {
    return { name: Array.from(name, shownByte).join(""), isUtf8: false };
  }
}

function shownByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
