/** Base64, without a built-in of one host. */

export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Reads base64; no bytes if it is something else, which is no node: its digest is another. */
export function bytesOfBase64(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
