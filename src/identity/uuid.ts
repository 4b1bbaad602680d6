import { toHex } from "../engine/digest.ts";

/** Returns an id as a UUID: its 16 bytes, as hexadecimal digits in groups. */
export function uuidOf(id: Uint8Array): string {
  const hex = toHex(id);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
