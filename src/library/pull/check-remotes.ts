import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { counted } from "../../errors/counted.ts";
import { decodeNode, isLeaf, nodeDigest } from "../../identity/tree-node.ts";
import type { Database } from "../../store/database.ts";
import { commonTree, TREES } from "../../store/remotes.ts";
import { type Finding, ok, problem } from "../finding.ts";
import type { LibraryParts } from "../library-parts.ts";

const PULL_AGAIN = "Index or pull into a new library: what was deleted may otherwise come back";

/** Checks what is remembered of other libraries: whole trees, and no others. SPEC §28.4 */
export function checkRemotes({ engine, database }: LibraryParts): Finding[] {
  return database.snapshot(() => {
    const remotes = database.all<{ remote: number }>("SELECT remote FROM remotes ORDER BY remote");
    const known = new Set(remotes.flatMap(({ remote }) => TREES.map((tree) => commonTree(tree, remote))));
    const stored = database.all<{ tree: string }>(
      "SELECT DISTINCT tree FROM nodes WHERE tree NOT IN ('text', 'metadata') ORDER BY tree",
    );
    const stray = stored.find(({ tree }) => !known.has(tree as never));
    if (stray !== undefined)
      return [problem("remotes", `the tree ${stray.tree} belongs to no remote`, PULL_AGAIN)];
    if (remotes.length === 0) return [];
    const broken = [...known].find((tree) => !isWhole(engine, database, tree));
    if (broken !== undefined)
      return [problem("remotes", `the tree ${broken} is not one tree of whole nodes`, PULL_AGAIN)];
    return [
      ok("remotes", `what was common with ${counted(remotes.length, "other library", "other libraries")}`),
    ];
  });
}

/** Whether every node has the digest that the node above it says, and no node is beside them. */
function isWhole(engine: Engine, database: Database, tree: string): boolean {
  const records = new Map<string, Uint8Array>();
  database.each("SELECT prefix, record FROM nodes WHERE tree = ?", [tree], (row) => {
    records.set(row.value(0) as string, row.blobView(1).slice());
  });
  const visit = (prefix: string): boolean => {
    const slots = decodeNode(records.get(prefix) ?? new Uint8Array(0), prefix);
    records.delete(prefix);
    return (
      (slots ?? []).every((slot, digit) => {
        if (slot === null || isLeaf(slot)) return true;
        const below = records.get(prefix + digit.toString(16));
        const isNode = below !== undefined && toHex(nodeDigest(engine, below)) === toHex(slot.digest);
        return isNode && visit(prefix + digit.toString(16));
      }) && slots !== null
    );
  };
  return visit("") && records.size === 0;
}
