import { toHex } from "../engine/digest.ts";
import { documentIds, textHashes } from "../ingest/identity.ts";
import { type Change, MemoryNodes, MerkleTree } from "../ingest/root.ts";
import { utf8 } from "../text/canonical.ts";
import type { LibraryParts } from "./library.ts";

/** So many texts are hashed before others get a turn. */
const TURN_DOCUMENTS = 64;

export interface RecomputedRoot {
  /** The one that the library keeps, and adds to with every change. */
  readonly root: string;
  /** From paths and texts alone. */
  readonly recomputed: string;
  readonly documents: number;
}

/** Makes the root anew from every path and text; null if the library was written to meanwhile. SPEC §13 */
export async function recomputeRoot(parts: LibraryParts): Promise<RecomputedRoot | null> {
  const { engine, database, ingest, canon } = parts;
  const root = ingest.root();
  const changes: Change[] = [];
  for (let after = ""; ; ) {
    const rows = database.all<{ path: string; text: string }>(
      `SELECT path, text FROM documents LEFT JOIN texts USING (documentId) WHERE path > ? ORDER BY path LIMIT ?`,
      [after, TURN_DOCUMENTS],
    );
    if (rows.length === 0) break;
    const ids = documentIds(
      engine,
      rows.map(({ path }) => path),
      canon.namespace,
    );
    const hashes = textHashes(
      engine,
      rows.map(({ text }) => utf8(text ?? "")),
    );
    for (const [i, id] of ids.entries()) changes.push({ id, value: hashes[i]! });
    after = rows.at(-1)!.path;
    await new Promise((resume) => setTimeout(resume));
  }
  if (ingest.root() !== root) return null;
  const recomputed = toHex(new MerkleTree(engine, new MemoryNodes()).update(changes));
  return { root, recomputed, documents: changes.length };
}
