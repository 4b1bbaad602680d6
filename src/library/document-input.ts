import { FORMATS, type Format, formatOf, isFormat } from "../chunks/format.ts";
import type { Breather } from "../engine/breather.ts";
import type { Engine } from "../engine/engine.ts";
import { listArgument } from "../errors/arguments.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { documentId, documentValue, textHash } from "../identity/ids.ts";
import { metadataHash } from "../identity/metadata-hash.ts";
import type { DocumentRecord } from "../store/records.ts";
import { canonicalInTurns } from "../text/canonical-in-turns.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { canonicalPath } from "../text/path.ts";

/** A document as it is given to `add`. */
export interface DocumentInput {
  /**
   * Relative to the library's root folder, with `/`. This is the document's name: adding it again updates the document.
   */
  readonly path: string;
  /** The text, or its bytes in UTF-8. */
  readonly text: string | Uint8Array;
  /** How the text is read, which decides how it is cut; default: by the extension of the path. SPEC §11.2 */
  readonly format?: Format | null;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number | null;
  /** The media type, such as `text/markdown`; search can filter on it. */
  readonly mime?: string | null;
  /** Anything that JSON can represent. */
  readonly metadata?: { readonly [name: string]: Json | undefined } | null;
}

/** An input that was read and checked. It shares nothing with the caller's object, which may change afterwards. */
export interface ReadInput {
  readonly path: string;
  readonly text: string | Uint8Array;
  /** null: that of the extension. */
  readonly format: Format | null;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  /** Canonical JSON; null if there is none, or for an object without members. */
  readonly metadata: string | null;
}

/** A document in its canonical form, with the hashes that name it. */
export interface PreparedDocument extends DocumentRecord {
  /** The value of the document in the root. */
  readonly value: Uint8Array<ArrayBuffer>;
  readonly metadataHash: Uint8Array<ArrayBuffer>;
}

/** Reads every member of every input once. @throws {SelfsameError} BAD_ARGUMENT */
export function readInputs(documents: readonly DocumentInput[]): ReadInput[] {
  const list = reading("documents", () => listArgument("documents", documents));
  return list.map((input) => {
    const { path, text, format = null, modifiedAt = null, mime = null, metadata = null } = membersOf(input);
    if (typeof path !== "string") throw badField("path", "a string", path);
    if (format !== null && !isFormat(format)) throw badField("format", FORMATS.join(", "), format);
    if (modifiedAt !== null && !Number.isSafeInteger(modifiedAt))
      throw badField("modifiedAt", "whole milliseconds since 1970", modifiedAt);
    if (mime !== null && (typeof mime !== "string" || hasLoneSurrogate(mime)))
      throw badField("mime", "a string without a lone surrogate", mime);
    // Inputs with the same metadata hash are stored the same way: an empty type counts as no type.
    const given = { modifiedAt, mime: mime || null, metadata: readMetadata(metadata) };
    return { path, text: copyText(text), format, ...given };
  });
}

/** Returns the canonical paths of inputs. Two equal paths are an error, detected before anything is written. */
export function canonicalPaths(engine: Engine, paths: readonly string[]): string[] {
  const seen = new Map<string, string>();
  return paths.map((path) => {
    const canonical = canonicalPath(engine, path);
    const other = seen.get(canonical);
    if (other !== undefined) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected distinct paths, got ${JSON.stringify(other)} and ${JSON.stringify(path)}, which are the same`,
        "Give each document once",
      );
    }
    seen.set(canonical, path);
    return canonical;
  });
}

/**
 * Converts the text of an input to canonical form and computes the document's id and hashes. `path` is already
 * canonical.
 */
export async function prepareDocument(
  engine: Engine,
  namespace: string,
  path: string,
  input: ReadInput,
  breather: Breather,
): Promise<PreparedDocument> {
  return nameDocument(engine, namespace, path, input, await canonicalInTurns(engine, input.text, breather));
}

/** Computes the id and hashes of a document with canonical path and text. */
export function nameDocument(
  engine: Engine,
  namespace: string,
  path: string,
  input: Pick<ReadInput, "format" | "modifiedAt" | "mime" | "metadata">,
  text: Uint8Array,
): PreparedDocument {
  const { modifiedAt, mime, metadata } = input;
  const format = input.format ?? formatOf(path);
  const hash = textHash(engine, text);
  return {
    modifiedAt,
    mime,
    metadata,
    id: documentId(engine, path, namespace),
    path,
    text,
    format,
    textHash: hash,
    value: documentValue(engine, path, format, hash),
    metadataHash: metadataHash(engine, input),
  };
}

function membersOf(input: DocumentInput): DocumentInput {
  return reading("a document", () => {
    const { path, text, format, modifiedAt, mime, metadata } = input ?? ({} as DocumentInput);
    return {
      ...{ path, text, format: format ?? null },
      ...{ modifiedAt: modifiedAt ?? null, mime: mime ?? null, metadata: metadata ?? null },
    };
  });
}

function copyText(text: string | Uint8Array): string | Uint8Array {
  if (typeof text === "string") return text;
  return reading("text of a document", () => {
    if (text instanceof Uint8Array) return new Uint8Array(text);
    throw badField("text", "a string or bytes", text);
  });
}

function readMetadata(metadata: NonNullable<DocumentInput["metadata"]> | null): string | null {
  if (metadata === null) return null;
  return reading("metadata of a document", () => {
    if (typeof metadata !== "object" || Array.isArray(metadata))
      throw badField("metadata", "an object", metadata);
    const json = canonicalJson(metadata);
    return json === "{}" ? null : json;
  });
}

/** Runs code that reads a caller's object: a getter may throw, a buffer may be detached, a proxy may be revoked. */
function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof SelfsameError) throw cause;
    const got = cause instanceof Error ? cause.message : describeValue(cause);
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ${what} that can be read, got an error: ${got}`,
      "Pass plain objects, and bytes whose buffer was not transferred",
      { cause },
    );
  }
}

function badField(field: string, expected: string, got: unknown): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${field} of a document to be ${expected}, got ${describeValue(got)}`,
  );
}
