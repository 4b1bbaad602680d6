import { fromHex, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { linkedDocuments } from "./graph-store.ts";
import type { RecallGround, RecallQuestion } from "./ground.ts";

/** What a person has before them: the vectors of it, and the documents one link away. SPEC §26.7 */
export interface Focus {
  readonly vectors: readonly Int16Array[];
  /** The ids of documents one link away from the focused one, in hexadecimal. */
  readonly linked: ReadonlySet<string>;
  readonly warning: string | null;
}

/** Of a focused document, the vectors of this many chunks count. */
const CHUNKS_MAX = 64;

/**
 * Finds what is in focus. A document that may not be seen is treated as one that does not exist, in the answer and in
 * the warning. SPEC §26.7
 */
export function findFocus(
  { database, index, permitted }: Pick<RecallGround, "database" | "index" | "permitted">,
  { p, workspace, stores }: Pick<RecallQuestion, "p" | "workspace" | "stores">,
): Focus {
  const usesVectors = index !== null && stores.includes("vector");
  const shown = usesVectors ? workspace : [];
  if (p.focus_event_id === null) return { vectors: shown, linked: new Set(), warning: null };
  const id = documentNamed(database, p.focus_event_id);
  if (id === null || !permitted.has(toHex(id)))
    return {
      vectors: shown,
      linked: new Set(),
      warning: `no document ${JSON.stringify(p.focus_event_id)}, so it is not in focus`,
    };
  const linked = linkedDocuments(database, id)
    .map((each) => toHex(each.id))
    .filter((each) => permitted.has(each));
  const chunks = database.all<{ chunkId: Uint8Array }>(
    `SELECT chunkId FROM chunks WHERE documentId = ? ORDER BY sequence LIMIT ${CHUNKS_MAX}`,
    [id],
  );
  const own = usesVectors
    ? index.vectors(chunks.map(({ chunkId }) => chunkId)).flatMap((vector) => vector ?? [])
    : [];
  return { vectors: [...own, ...shown], linked: new Set(linked), warning: null };
}

/** Returns the id of a document that is named by its id or its path. */
function documentNamed(database: Database, name: string): Uint8Array | null {
  if (/^[0-9a-f]{32}$/.test(name)) {
    const id = fromHex(name);
    if (database.get("SELECT 1 AS found FROM documents WHERE documentId = ?", [id]) !== undefined) return id;
  }
  const sql = "SELECT documentId FROM documents WHERE path = ?";
  return database.get<{ documentId: Uint8Array }>(sql, [name])?.documentId ?? null;
}
