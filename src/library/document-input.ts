import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { documentIds, textHashes } from "../identity/ids.ts";
import { metadataHashes } from "../identity/metadata-hash.ts";
import type { DocumentRecord } from "../store/records.ts";
import { canonicalBytes } from "../text/canonical.ts";
import { canonicalJson, hasLoneSurrogate, type Json } from "../text/canonical-json.ts";
import { canonicalPath } from "../text/path.ts";

/** A document as it is given to `add`. */
export interface DocumentInput {
  /** Relative to the library's root folder, with `/`. The document's name: adding it again updates it. */
  readonly path: string;
  /** The text, or its bytes in UTF-8. */
  readonly text: string | Uint8Array;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number | null;
  /** Such as `text/markdown`; search can filter on it. */
  readonly mime?: string | null;
  /** Anything that JSON can say. */
  readonly metadata?: { readonly [name: string]: Json | undefined } | null;
}

/** A document in its canonical form, with the hashes that name it. */
export interface PreparedDocument extends DocumentRecord {
  readonly metadataHash: Uint8Array<ArrayBuffer>;
}

/** Canonical paths of inputs; two that are one are an error, found before anything is written. */
export function preparePaths(engine: Engine, paths: readonly string[]): string[] {
  const seen = new Map<string, string>();
  return paths.map((path) => {
    if (typeof path !== "string") throw badField("path", "a string", path);
    const canonical = canonicalPath(engine, path);
    const other = seen.get(canonical);
    if (other !== undefined) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected paths that differ, got ${JSON.stringify(other)} and ${JSON.stringify(path)}, which are one`,
        "Give each document once",
      );
    }
    seen.set(canonical, path);
    return canonical;
  });
}

/** Canonical texts and hashes of documents whose canonical paths are known. */
export function prepareDocuments(
  engine: Engine,
  namespace: string,
  paths: readonly string[],
  inputs: readonly DocumentInput[],
): PreparedDocument[] {
  const ids = documentIds(engine, paths, namespace);
  const texts = inputs.map(({ text }) => canonicalBytes(engine, text));
  const hashes = textHashes(engine, texts);
  const metadata = metadataHashes(engine, inputs);
  return inputs.map((input, i) => ({
    id: ids[i]!,
    path: paths[i]!,
    text: texts[i]!,
    textHash: hashes[i]!,
    modifiedAt: input.modifiedAt ?? null,
    // What has one metadata hash is kept as one thing: no type is the empty one, no metadata is that without members.
    mime: input.mime || null,
    metadata: canonicalMetadata(input.metadata),
    metadataHash: metadata[i]!,
  }));
}

function canonicalMetadata(metadata: DocumentInput["metadata"]): string | null {
  const json = canonicalJson(metadata ?? {});
  return json === "{}" ? null : json;
}

/**
 * A copy of an input, whose caller may change it while it waits; checked for what a type cannot promise of one in plain
 * JavaScript.
 */
export function copyInput(input: DocumentInput): DocumentInput {
  const { path, text, modifiedAt = null, mime = null, metadata = null } = input ?? {};
  if (typeof path !== "string") throw badField("path", "a string", path);
  if (typeof text !== "string" && !(text instanceof Uint8Array))
    throw badField("text", "a string or bytes", text);
  if (modifiedAt !== null && !Number.isSafeInteger(modifiedAt)) {
    throw badField("modifiedAt", "whole milliseconds since 1970", modifiedAt);
  }
  if (mime !== null && (typeof mime !== "string" || hasLoneSurrogate(mime)))
    throw badField("mime", "a string without a lone surrogate", mime);
  if (metadata !== null && (typeof metadata !== "object" || Array.isArray(metadata)))
    throw badField("metadata", "an object", metadata);
  const json = canonicalMetadata(metadata);
  return {
    path,
    text: typeof text === "string" ? text : new Uint8Array(text),
    modifiedAt,
    mime,
    metadata: json === null ? null : JSON.parse(json),
  };
}

function badField(field: string, expected: string, got: unknown): SelfsameError {
  const shown = typeof got === "object" && got !== null ? "an object" : String(got);
  return new SelfsameError("BAD_ARGUMENT", `expected ${field} of a document to be ${expected}, got ${shown}`);
}
