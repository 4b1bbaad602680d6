import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Engine } from "./engine.ts";

/** Length of a digest, in bytes. */
export const DIGEST_BYTES = 32;
/** Length of the id of a document or a chunk, in bytes: the first half of a digest. */
export const ID_BYTES = 16;

/** Returns the 32 bytes of BLAKE3 over `data`, computed by the engine. SPEC §4.1 */
export function blake3(engine: Engine, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return engine.scope(() => {
    const out = engine.alloc(32);
    engine.exports.blake3(out, engine.write(data), data.byteLength);
    return engine.read(out, 32);
  });
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns lower-case hexadecimal, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += PAIRS[bytes[i]!]!;
  return text;
}

/** Parses lower-case hexadecimal, two digits per byte. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  if (digits.length % 2 !== 0) throw notHex(digits);
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = digitValue(digits.charCodeAt(2 * i));
    const low = digitValue(digits.charCodeAt(2 * i + 1));
    if ((high | low) < 0) throw notHex(digits);
    bytes[i] = 16 * high + low;
  }
  return bytes;
}

/** The value of a digit 0–9 or a–f; −1 for anything else. */
function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  return unit >= 0x61 && unit <= 0x66 ? unit - 0x57 : -1;
}

function notHex(digits: string): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected hexadecimal digits, got ${JSON.stringify(digits.slice(0, 80))}`,
  );
}
