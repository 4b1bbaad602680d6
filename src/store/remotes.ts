/** The statements that remember what a library had in common with the libraries that it pulled from. SPEC §28.4 */
import type { Database } from "./database.ts";
import type { CommonTreeName, TreeName } from "./tree-nodes.ts";

/** The most remotes that are remembered. What was common with another one takes about 110 bytes for each document. */
export const REMOTES_MAX = 16;

export const TREES: readonly TreeName[] = ["text", "metadata"];

export function commonTree(tree: TreeName, remote: number): CommonTreeName {
  return `${tree}/${remote}`;
}

/** Returns the number of a remote; null if nothing was pulled from it, or it was forgotten. */
export function remoteNumber(database: Database, name: string): number | null {
  const sql = "SELECT remote FROM remotes WHERE remoteName = ?";
  return database.get<{ remote: number }>(sql, [name])?.remote ?? null;
}

/** Notes a pull from a remote, in the open transaction, and forgets the remote that was pulled from least recently. */
export function noteRemote(database: Database, name: string): number {
  const { pulls } = database.get<{ pulls: number }>(
    "SELECT coalesce(max(pulledAt), 0) + 1 AS pulls FROM remotes",
  )!;
  database.run(
    `INSERT INTO remotes (remoteName, pulledAt) VALUES (?, ?)
     ON CONFLICT (remoteName) DO UPDATE SET pulledAt = excluded.pulledAt`,
    [name, pulls],
  );
  for (const { remote } of database.all<{ remote: number }>(
    "SELECT remote FROM remotes ORDER BY pulledAt DESC LIMIT -1 OFFSET ?",
    [REMOTES_MAX],
  ))
    forgetRemote(database, remote);
  return remoteNumber(database, name)!;
}

/** Makes what is common with a remote what the library holds now. */
export function copyTrees(database: Database, remote: number): void {
  forgetTrees(database, remote);
  for (const tree of TREES)
    database.run(
      "INSERT INTO nodes (tree, prefix, record) SELECT ?, prefix, record FROM nodes WHERE tree = ?",
      [commonTree(tree, remote), tree],
    );
}

function forgetRemote(database: Database, remote: number): void {
  forgetTrees(database, remote);
  database.run("DELETE FROM remotes WHERE remote = ?", [remote]);
}

function forgetTrees(database: Database, remote: number): void {
  for (const tree of TREES) database.run("DELETE FROM nodes WHERE tree = ?", [commonTree(tree, remote)]);
}
