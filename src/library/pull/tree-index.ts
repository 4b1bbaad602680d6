/** The files of an exported tree, as any web server can serve them. SPEC §28.6 */
import type { Engine } from "../../engine/engine.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { tagField, taggedHash } from "../../identity/tagged-hash.ts";
import { utf8 } from "../../text/canonical.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { badRemote } from "./differences.ts";
import type { RemoteHead } from "./remote.ts";

/** The name of the index; every other file is named by a digest. */
export const INDEX_NAME = "selfsame-tree.json";
export const INDEX_BYTES_MAX = 1 << 27;
export const NODES_BYTES_MAX = 1 << 26;
const PARTS_MAX = 1 << 20;
const FORMAT = "selfsame tree 1";

/** A part of the tree: the documents below a prefix, in hexadecimal digits. */
export interface TreePart {
  readonly prefix: string;
  /** The digest that names its files, in hexadecimal. */
  readonly digest: string;
  readonly documents: number;
  /** The length of its pack. */
  readonly bytes: number;
}

export interface TreeIndex extends RemoteHead {
  /** The digest of the file of the nodes above all parts. */
  readonly top: string;
  /** By prefix ascending, none within another. */
  readonly parts: readonly TreePart[];
}

/** The nodes at and below a prefix, of both trees, and the paths of the documents there. */
export interface PartNodes {
  /** Records in base64, by prefix. */
  readonly text: { readonly [prefix: string]: string };
  readonly metadata: { readonly [prefix: string]: string };
  /** By document id. */
  readonly paths: { readonly [documentId: string]: string };
}

const PART = tagField("tree-part");

/** Returns the digest that names the files of a part: of the canon, and of its nodes as they are written. */
export function partDigest(engine: Engine, canon: string, nodes: Uint8Array): Uint8Array {
  return taggedHash(engine, PART, [utf8(canon), nodes]);
}

export function nodesName(digest: string): string {
  return `${digest}.nodes`;
}

export function packName(digest: string): string {
  return `${digest}.pack`;
}

export function encodeNodes({ text, metadata, paths }: PartNodes): Uint8Array {
  return utf8(canonicalJson({ text, metadata, paths }));
}

export function encodeIndex({ parts, top, namespace, canon, root, metadataRoot }: TreeIndex): Uint8Array {
  const json = {
    format: FORMAT,
    namespace,
    canon,
    root,
    metadataRoot,
    top,
    parts: parts.map((part) => ({ ...part })),
  };
  return utf8(`${canonicalJson(json)}\n`);
}

/** @throws {SelfsameError} BAD_REMOTE */
export function decodeIndex(bytes: Uint8Array): TreeIndex {
  const json = parsed(bytes);
  const { format, parts, top, ...head } = json;
  if (format !== FORMAT) throw badRemote(`an index of the format ${JSON.stringify(FORMAT)}`, "another");
  const isRight =
    isDigest(top) &&
    Array.isArray(parts) &&
    parts.length <= PARTS_MAX &&
    parts.every(isPart) &&
    isSorted(parts);
  if (!isRight) throw badRemote("an index of parts by prefix", "something else");
  return { ...(head as unknown as RemoteHead), top, parts };
}

/** @throws {SelfsameError} BAD_REMOTE */
export function decodeNodes(bytes: Uint8Array): PartNodes {
  const { text, metadata, paths } = parsed(bytes);
  if ([text, metadata, paths].every(isTexts)) return { text, metadata, paths } as unknown as PartNodes;
  throw badRemote("nodes and paths", "something else");
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isPlainObject(json)) return json;
  } catch {
    // told below
  }
  throw badRemote("a JSON object", "something else");
}

function isPart(value: unknown): value is TreePart {
  if (!isPlainObject(value)) return false;
  const { prefix, digest, documents, bytes } = value;
  const isPrefix = typeof prefix === "string" && /^[0-9a-f]{0,32}$/.test(prefix);
  return isPrefix && isDigest(digest) && Number.isSafeInteger(documents) && Number.isSafeInteger(bytes);
}

function isSorted(parts: readonly TreePart[]): boolean {
  return parts.every(({ prefix }, i) => {
    const before = parts[i - 1]?.prefix;
    return before === undefined || (before < prefix && !prefix.startsWith(before));
  });
}

function isTexts(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every((text) => typeof text === "string");
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
