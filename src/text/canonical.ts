import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the UTF-8 of a string, with lone surrogates as U+FFFD (TextEncoder does so by definition). Bytes are returned
 * unchanged. SPEC §5.1
 */
export function utf8(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? encoder.encode(text) : text;
}

/** Decodes well-formed UTF-8 to a string; nothing is dropped. */
export function utf8ToString(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * Returns the canonical text of a string, or of bytes read as UTF-8: what is hashed, chunked and embedded. SPEC §5.3
 */
export function canonicalBytes(engine: Engine, text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = utf8(text);
  return engine.scope(() => {
    const input = engine.write(bytes);
    const capacity = engine.exports.canonical_text_capacity(input, bytes.length) >>> 0;
    const output = engine.alloc(capacity);
    return engine.read(output, written(engine.exports.canonical_text(output, input, bytes.length)));
  });
}

/** Like `canonicalBytes`, but returns a string. */
export function canonicalText(engine: Engine, text: string | Uint8Array): string {
  return utf8ToString(canonicalBytes(engine, text));
}

/** Returns normal form C or D by the pinned tables. SPEC §5.2 */
export function normalForm(engine: Engine, form: "nfc" | "nfd", text: string | Uint8Array): string {
  const bytes = utf8(text);
  return engine.scope(() => {
    const input = engine.write(bytes);
    const output = engine.alloc(3 * bytes.length);
    return utf8ToString(
      engine.bytes(output, written(engine.exports[form](output, input, bytes.length))).slice(),
    );
  });
}

function written(length: number): number {
  if (length < 0) {
    throw new SelfsameError(
      "OUT_OF_MEMORY",
      "expected memory to normalise the text, got none",
      "Split the text into smaller documents",
    );
  }
  return length;
}
