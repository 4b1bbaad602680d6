import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { utf8 } from "../text/canonical.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { type Fields, tagField, taggedHashes } from "./tagged-hash.ts";

/** What is known of a document beside its path and text. */
export interface DocumentMetadata {
  /** Milliseconds since 1970, UTC. */
  readonly modifiedAt?: number | null;
  readonly mime?: string | null;
  readonly metadata?: { readonly [name: string]: Json | undefined } | null;
}

const METADATA = tagField("metadata");
const NOTHING = new Uint8Array(0);

/** 32 bytes for each document's metadata: the values in the leaves of the metadata root. SPEC §12.6 */
export function metadataHashes(
  engine: Engine,
  documents: readonly DocumentMetadata[],
): Uint8Array<ArrayBuffer>[] {
  return taggedHashes(engine, METADATA, documents.map(fieldsOf));
}

function fieldsOf({ modifiedAt, mime, metadata }: DocumentMetadata): Fields {
  return [
    modifiedAt === undefined || modifiedAt === null ? NOTHING : i64(modifiedAt),
    utf8(mime ?? ""),
    utf8(canonicalJson(metadata ?? {})),
  ];
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
