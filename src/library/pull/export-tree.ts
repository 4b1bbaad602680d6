import { toHex } from "../../engine/digest.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { deviceFiles } from "../../files/device-files.ts";
import type { TreeFolder } from "../../files/device-files-port.ts";
import { decodeNode, isLeaf } from "../../identity/tree-node.ts";
import type { TreeName } from "../../store/tree-nodes.ts";
import type { LibraryParts } from "../library-parts.ts";
import { exportPack } from "../packs/export-pack.ts";
import { base64Of } from "./base64.ts";
import { bitsOfDigits } from "./cover.ts";
import {
  encodeIndex,
  encodeNodes,
  INDEX_NAME,
  nodesName,
  type PartNodes,
  packName,
  partDigest,
  type TreePart,
} from "./tree-index.ts";

/** Options to watch and stop `Library.exportTree`. */
export interface ExportTreeOptions {
  /** Stops the export. The former tree stays as it was; exporting again continues from there. */
  readonly signal?: AbortSignal;
  /** Called as parts are written. */
  readonly onProgress?: (event: { readonly parts: number; readonly partsTotal: number }) => void;
}

/** What `Library.exportTree` did. */
export interface ExportTreeReport {
  /** The number of documents in the tree. */
  readonly documents: number;
  /** The number of packs. */
  readonly packs: number;
  /** How many of them were written; the others were there. */
  readonly written: number;
  /** How many files of former exports were removed. */
  readonly removed: number;
  /** The length of all packs. */
  readonly bytes: number;
  /** The root, in hexadecimal. */
  readonly root: string;
}

/** A part has at most this many documents, and texts of this many bytes, unless it is one document. */
const PART_DOCUMENTS = 256;
const PART_BYTES = 1 << 24;

interface Sized {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes a library as packs of its subtrees and an index: `Library.exportTree`. Unchanged parts keep their files. The index
 * is written last, and what it no longer names is removed after that. SPEC §28.6
 */
async function exportTree(
  parts: LibraryParts,
  store: TreeFolder,
  { signal, onProgress }: ExportTreeOptions,
): Promise<ExportTreeReport> {
  const { engine, database, state } = parts;
  const { canonDigest: canon } = state;
  const roots = state.roots();
  const documents = database.all<{ documentId: Uint8Array; path: string; textBytes: number }>(
    "SELECT documentId, path, textBytes FROM documents ORDER BY documentId",
  );
  const groups = divided(
    documents.map(({ documentId, path, textBytes }) => ({ id: toHex(documentId), path, bytes: textBytes })),
  );
  const kept = new Set([INDEX_NAME]);
  let written = 0;
  const putNodes = async (nodes: PartNodes): Promise<string> => {
    const bytes = encodeNodes(nodes);
    const digest = toHex(partDigest(engine, canon, bytes));
    kept.add(nodesName(digest));
    if ((await store.size(nodesName(digest))) === null) await store.put(nodesName(digest), bytes);
    return digest;
  };
  const prefixes = new Set(groups.map(({ prefix }) => prefix));
  const listed: TreePart[] = [];
  const top = await putNodes(nodesOf(parts, "", (prefix) => !prefixes.has(prefix), []));
  for (const { prefix, documents: some } of groups) {
    if (signal?.aborted)
      throw new SelfsameError("ABORTED", "expected a whole tree, got a stop", "", { cause: signal.reason });
    const digest = await putNodes(nodesOf(parts, prefix, () => true, some));
    const name = packName(digest);
    kept.add(name);
    let bytes = await store.size(name);
    if (bytes === null) {
      const options = { prefixes: [bitsOfDigits(prefix)], ...(signal === undefined ? {} : { signal }) };
      bytes = await store.put(name, exportPack(parts, options));
      written++;
    }
    listed.push({ prefix, digest, documents: some.length, bytes });
    onProgress?.({ parts: listed.length, partsTotal: groups.length });
  }
  const now = state.roots();
  if (now.root !== roots.root || now.metadataRoot !== roots.metadataRoot)
    throw new SelfsameError(
      "PACK_OUTDATED",
      `expected ${database.name} to stay as it was while it was exported, got a change`,
      "Export again",
    );
  const index = { namespace: state.canon.namespace, canon, ...roots, top, parts: listed };
  await store.put(INDEX_NAME, encodeIndex(index));
  return {
    documents: documents.length,
    packs: listed.length,
    written,
    removed: await store.prune(kept),
    bytes: listed.reduce((sum, { bytes }) => sum + bytes, 0),
    root: roots.root,
  };
}

/** Opens the folder of a tree and writes to it: `Library.exportTree`. */
export async function exportTreeTo(
  parts: LibraryParts,
  folder: string,
  options: ExportTreeOptions,
): Promise<ExportTreeReport> {
  if (deviceFiles !== null) return exportTree(parts, await deviceFiles.treeFolder(folder), options);
  throw new SelfsameError(
    "BAD_ARGUMENT",
    "expected folders, got a browser, which has none",
    "Use exportPack()",
  );
}

/** Divides documents, by id ascending, by the shortest prefixes below which few enough lie. */
function divided(
  documents: readonly Sized[],
  prefix = "",
): { readonly prefix: string; readonly documents: readonly Sized[] }[] {
  if (documents.length === 0) return [];
  const bytes = documents.reduce((sum, each) => sum + each.bytes, 0);
  if (documents.length === 1 || (documents.length <= PART_DOCUMENTS && bytes <= PART_BYTES))
    return [{ prefix, documents }];
  return Array.from("0123456789abcdef").flatMap((digit) =>
    divided(
      documents.filter(({ id }) => id[prefix.length] === digit),
      prefix + digit,
    ),
  );
}

/** Returns the nodes at and below a prefix, of both trees, as far as `isWanted`. */
function nodesOf(
  { database, state }: LibraryParts,
  start: string,
  isWanted: (prefix: string) => boolean,
  documents: readonly Sized[],
): PartNodes {
  const below = (tree: TreeName) => {
    const records: Record<string, string> = {};
    const visit = (prefix: string): void => {
      const record = state.trees[tree].node(prefix);
      if (!isWanted(prefix) || (record.length === 0 && prefix !== "")) return;
      records[prefix] = base64Of(record);
      for (const [digit, slot] of decodeNode(record, prefix)?.entries() ?? [])
        if (slot !== null && !isLeaf(slot)) visit(prefix + digit.toString(16));
    };
    visit(start);
    return records;
  };
  return database.snapshot(() => ({
    text: below("text"),
    metadata: below("metadata"),
    paths: Object.fromEntries(documents.map(({ id, path }) => [id, path])),
  }));
}
