import { SelfsameError } from "../errors.ts";
import type { Engine } from "./engine.ts";

/** The 32 bytes of BLAKE3 over `data`, by the engine. SPEC §4.1 */
export function blake3(engine: Engine, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return engine.scope(() => {
    const out = engine.alloc(32);
    engine.exports["blake3"]!(out, engine.write(data), data.byteLength);
    return engine.read(out, 32);
  });
}

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** The bytes of hexadecimal digits, two a byte, in lower case. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/.test(digits)) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected hexadecimal digits, got ${JSON.stringify(digits.slice(0, 80))}`,
    );
  }
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
