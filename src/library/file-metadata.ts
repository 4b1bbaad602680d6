import { badArgument } from "../errors/arguments.ts";
import { membersOf } from "../errors/plain-object.ts";
import { FrontMatterFault, readFrontMatter } from "../files/front-matter.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";

/** Metadata of documents: anything that JSON can represent. */
export interface Metadata {
  /** A value by its name. */
  readonly [name: string]: Json | undefined;
}

/** Front matter that could not be read. The file is indexed without it. */
export interface MetadataFault {
  /** The document. */
  readonly path: string;
  /** The line of the file, what was expected there, and what was found. */
  readonly detail: string;
}

/**
 * Returns the metadata that a caller gives to all files of a run, as a checked copy and as canonical JSON.
 *
 * @throws {SelfsameError} BAD_ARGUMENT
 */
export function givenMetadata(metadata: Metadata | undefined): { given: Metadata; json: string } {
  if (metadata !== undefined && membersOf(metadata) === null)
    throw badArgument("metadata", "a plain object", metadata);
  const json = canonicalJson(metadata ?? {});
  return { given: JSON.parse(json) as Metadata, json };
}

/**
 * Returns the metadata of a file: what was given, and a Markdown file's front matter, which takes precedence.
 * docs/metadata.md
 */
export function metadataOf(
  path: string,
  mime: string | null,
  bytes: Uint8Array,
  given: Metadata,
  faults: MetadataFault[],
): Metadata {
  if (mime !== "text/markdown") return given;
  try {
    return { ...given, ...readFrontMatter(bytes) };
  } catch (error) {
    if (!(error instanceof FrontMatterFault)) throw error;
    faults.push({ path, detail: error.message });
    return given;
  }
}
