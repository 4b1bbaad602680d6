import type { Format } from "#dist/chunks/format.js";
import { toHex } from "#dist/engine/digest.js";
import { documentValue, textHashes } from "#dist/identity/ids.js";
import { MemoryNodes, MerkleTree } from "#dist/identity/root.js";
import { utf8 } from "#dist/text/canonical.js";
import type { Opened } from "./opened.ts";

/** The root of the texts that are there, by a tree of its own: no node of the library's is looked at. */
export function recomputedRoot({ parts }: Opened): string {
  const tree = new MerkleTree(parts.engine, new MemoryNodes());
  const rows = parts.database.all<{ documentId: Uint8Array; path: string; format: Format; text: string }>(
    "SELECT documentId, path, format, text FROM documents JOIN texts USING (documentId)",
  );
  const hashes = textHashes(
    parts.engine,
    rows.map(({ text }) => utf8(text)),
  );
  return toHex(
    tree.update(
      rows.map(({ documentId, path, format }, i) => ({
        id: documentId,
        value: documentValue(parts.engine, path, format, hashes[i]!),
      })),
    ),
  );
}
