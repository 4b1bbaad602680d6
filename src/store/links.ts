import type { Database } from "./database.ts";

/**
 * What a document says about its place among others. `name`: a name of its own. `tag`: a tag that it has. `path`: the
 * path of a document that it links to. `title`: the name of a document that it links to.
 */
export type LinkKind = "name" | "tag" | "path" | "title";

/** One row of the graph of documents. Targets are kept as they were written, so no order of additions can matter. */
export interface LinkRow {
  readonly kind: LinkKind;
  /** A path, or the tokens of a name with U+0020 between them. */
  readonly target: string;
}

/** Replaces the links of a document. SPEC §26.4 */
export function putLinks(database: Database, documentId: Uint8Array, links: readonly LinkRow[]): void {
  deleteLinks(database, documentId);
  const sql = "INSERT OR IGNORE INTO links (documentId, kind, target) VALUES (?, ?, ?)";
  for (const { kind, target } of links) database.run(sql, [documentId, kind, target]);
}

export function deleteLinks(database: Database, documentId: Uint8Array): void {
  database.run("DELETE FROM links WHERE documentId = ?", [documentId]);
}

/** Returns the links of a document, by kind and target. */
export function linksOf(database: Database, documentId: Uint8Array): LinkRow[] {
  return database.all<LinkRow>("SELECT kind, target FROM links WHERE documentId = ? ORDER BY kind, target", [
    documentId,
  ]);
}
