import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors.ts";
import type { DocumentRecord } from "../store/records.ts";
import { canonicalBytes } from "../text/canonical.ts";
import { canonicalPath } from "../text/path.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { documentIds, textHashes } from "./identity.ts";
import { metadataHashes } from "./metadata.ts";

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
    metadata: canonicalMetadata(input),
    metadataHash: metadata[i]!,
  }));
}

function canonicalMetadata({ metadata }: DocumentInput): string | null {
  const json = canonicalJson(metadata ?? {});
  return json === "{}" ? null : json;
}

/** Checks what a type cannot promise of a caller in plain JavaScript. */
export function checkInput(input: DocumentInput): void {
  const { text, modifiedAt, mime, metadata } = input ?? {};
  if (typeof text !== "string" && !(text instanceof Uint8Array))
    throw badField("text", "a string or bytes", text);
  if (modifiedAt != null && !Number.isSafeInteger(modifiedAt)) {
    throw badField("modifiedAt", "whole milliseconds since 1970", modifiedAt);
  }
  if (mime != null && typeof mime !== "string") throw badField("mime", "a string", mime);
  if (metadata == null) return;
  if (typeof metadata !== "object" || Array.isArray(metadata))
    throw badField("metadata", "an object", metadata);
  canonicalMetadata(input);
}

function badField(field: string, expected: string, got: unknown): SelfsameError {
  const shown = typeof got === "object" && got !== null ? "an object" : String(got);
  return new SelfsameError("BAD_ARGUMENT", `expected ${field} of a document to be ${expected}, got ${shown}`);
}
