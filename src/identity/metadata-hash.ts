import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { utf8 } from "../text/canonical.ts";
import { tagField, taggedHash } from "./tagged-hash.ts";

/** What is known of a document besides its path and text. */
export interface DocumentMetadata {
  /** Milliseconds since 1970, UTC. */
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  /** Canonical JSON (SPEC §12.5); null for none, which is the same as `{}`. */
  readonly metadata: string | null;
}

const METADATA = tagField("metadata");
const NOTHING = new Uint8Array(0);

/** Returns 32 bytes for a document's metadata: the value in its leaf of the metadata root. SPEC §12.6 */
export function metadataHash(
  engine: Engine,
  { modifiedAt, mime, metadata }: DocumentMetadata,
): Uint8Array<ArrayBuffer> {
  return taggedHash(engine, METADATA, [
    modifiedAt === null ? NOTHING : i64(modifiedAt),
    utf8(mime ?? ""),
    utf8(metadata ?? "{}"),
  ]);
}

function i64(milliseconds: number): Uint8Array {
  if (!Number.isSafeInteger(milliseconds)) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected modifiedAt as whole milliseconds since 1970, got ${milliseconds}`,
    );
  }
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigInt64(0, BigInt(milliseconds), true);
  return out;
}
