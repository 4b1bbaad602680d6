import { writeU32 } from "../engine/byte-order.ts";
import { blake3 } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { prefixBytes } from "./prefix.ts";

const MAGIC = Uint8Array.from("SELFSEGS", (letter) => letter.charCodeAt(0));
const SEGMENT_BYTES = 49;

/** Returns the digest of segments, given by prefix ascending, and of their graphs. SPEC §10.10 */
export function segmentsDigest(
  engine: Engine,
  segments: readonly { readonly prefix: string; readonly digest: Uint8Array }[],
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(MAGIC.length + 4 + segments.length * SEGMENT_BYTES);
  bytes.set(MAGIC);
  let at = writeU32(bytes, MAGIC.length, segments.length);
  for (const { prefix, digest } of segments) {
    bytes[at] = prefix.length;
    bytes.set(prefixBytes(prefix), at + 1);
    bytes.set(digest, at + 17);
    at += SEGMENT_BYTES;
  }
  return blake3(engine, bytes);
}
