import { type Format, formatOf } from "../chunks/format.ts";
import { ID_BYTES } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { utf8 } from "../text/canonical.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { concatFields, tagField, taggedHash, taggedHashes, u32 } from "./tagged-hash.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The namespace of documents for which none is given. SPEC §12.2 */
export const DEFAULT_NAMESPACE = "default";

const DOCUMENT = tagField("document");
const TEXT = tagField("text");
const CHUNK = tagField("chunk");
const FORMATTED = tagField("formatted");

/** The inputs of a chunk's id, besides its document's id. */
export interface ChunkIdentity {
  readonly sequence: number;
  readonly headingPath: readonly string[];
  /** Hash of the chunk's text alone. */
  readonly textHash: Uint8Array;
}

/**
 * Returns the ids of documents: 16 bytes for each canonical path. They do not change when the text changes. SPEC §12.2
 */
export function documentIds(
  engine: Engine,
  paths: readonly string[],
  namespace: string = DEFAULT_NAMESPACE,
): Bytes[] {
  const space = wellFormed(namespace, "namespace");
  const inputs = paths.map((path) => [space, wellFormed(path, "path")]);
  return taggedHashes(engine, DOCUMENT, inputs).map(idOf);
}

/** Returns the id of one document. */
export function documentId(engine: Engine, path: string, namespace: string = DEFAULT_NAMESPACE): Bytes {
  return documentIds(engine, [path], namespace)[0]!;
}

/**
 * Returns 32 bytes for each text, a document's canonical text or a chunk's part of it. Equal texts have equal hashes.
 * SPEC §12.3
 */
export function textHashes(engine: Engine, texts: readonly Uint8Array[]): Bytes[] {
  return taggedHashes(
    engine,
    TEXT,
    texts.map((text) => [text]),
  );
}

/** Returns the hash of one text. */
export function textHash(engine: Engine, text: Uint8Array): Bytes {
  return taggedHash(engine, TEXT, [text]);
}

/**
 * Returns the value of a document in the root: the hash of its text, and of its format if that is not the one of its
 * extension. SPEC §13.2
 */
export function documentValue(engine: Engine, path: string, format: Format, hash: Bytes): Bytes {
  if (format === formatOf(path)) return hash;
  return taggedHash(engine, FORMATTED, [utf8(format), hash]);
}

/** Returns 16 bytes for each chunk of a document. SPEC §12.4 */
export function chunkIds(engine: Engine, document: Uint8Array, chunks: readonly ChunkIdentity[]): Bytes[] {
  // Neighbours usually share the same array of headings.
  let path: readonly string[] | null = null;
  let headings: Uint8Array = new Uint8Array(0);
  const inputs = chunks.map((chunk) => {
    if (chunk.headingPath !== path) {
      path = chunk.headingPath;
      headings = concatFields(path.map((title) => utf8(title)));
    }
    return [document, u32(chunk.sequence), headings, chunk.textHash];
  });
  return taggedHashes(engine, CHUNK, inputs).map(idOf);
}

function idOf(digest: Bytes): Bytes {
  return digest.slice(0, ID_BYTES);
}

/** Two names that differ only in lone surrogates would become equal in UTF-8. */
function wellFormed(text: string, what: string): Uint8Array {
  if (text !== "" && !hasLoneSurrogate(text)) return utf8(text);
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a ${what} that is not empty and has no lone surrogate, got ${JSON.stringify(text)}`,
  );
}
