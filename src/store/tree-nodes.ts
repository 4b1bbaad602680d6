import type { NodeStore } from "../identity/root.ts";
import type { Database } from "./database.ts";

/** The trees of a library: over texts, and over metadata. SPEC §13 */
export type TreeName = "text" | "metadata";
/** What a library and a remote had in common, by the remote's number. SPEC §28.4 */
export type CommonTreeName = `${TreeName}/${number}`;

/** The nodes of one tree in the database. Writes belong to the open transaction. */
export class TreeNodes implements NodeStore {
  readonly #database: Database;
  readonly #tree: TreeName | CommonTreeName;

  constructor(database: Database, tree: TreeName | CommonTreeName) {
    this.#database = database;
    this.#tree = tree;
  }

  get(prefix: string): Uint8Array | undefined {
    const sql = "SELECT record FROM nodes WHERE tree = ? AND prefix = ?";
    return this.#database.get<{ record: Uint8Array }>(sql, [this.#tree, prefix])?.record;
  }

  set(prefix: string, record: Uint8Array): void {
    const sql = `INSERT INTO nodes (tree, prefix, record) VALUES (?, ?, ?)
                 ON CONFLICT (tree, prefix) DO UPDATE SET record = excluded.record`;
    this.#database.run(sql, [this.#tree, prefix, record]);
  }

  delete(prefix: string): void {
    this.#database.run("DELETE FROM nodes WHERE tree = ? AND prefix = ?", [this.#tree, prefix]);
  }
}
