import { fromHex } from "../../engine/digest.ts";
import { MerkleTree } from "../../identity/root.ts";
import { compareBytes } from "../../identity/tree-node.ts";
import { commonTree, copyTrees, noteRemote, remoteNumber, TREES } from "../../store/remotes.ts";
import { TreeNodes } from "../../store/tree-nodes.ts";
import type { LibraryParts } from "../library-parts.ts";
import { type DocumentChange, documentChanges, type Trees, type Values } from "./differences.ts";
import type { RemoteHead } from "./remote.ts";

/**
 * What a library and a remote had in common after the last pull: the remote's two trees of that time, kept in the
 * library. So a document that only one side has was either added there or deleted here, and it is known which.
 * SPEC §28.4
 */
export class CommonState {
  readonly #parts: LibraryParts;
  readonly #name: string | null;

  constructor(parts: LibraryParts, name: string | null) {
    this.#parts = parts;
    this.#name = name;
  }

  /** Returns what both had at an id: null if they did not have it, or nothing is known. */
  valuesOf(ids: readonly Uint8Array[]): (Values | null)[] {
    return this.#parts.database.snapshot(() => {
      const trees = this.#trees();
      return ids.map((id) => {
        const text = trees?.text.get(id) ?? null;
        const metadata = trees?.metadata.get(id) ?? null;
        return text === null || metadata === null ? null : { text, metadata };
      });
    });
  }

  /** Returns how this library has changed since; null if nothing is known. `here` is what it has now. */
  async localChanges(): Promise<DocumentChange[] | null> {
    const { engine, database, state } = this.#parts;
    const trees = database.snapshot(() => this.#trees());
    if (trees === null) return null;
    const roots = database.snapshot(() => ({ text: trees.text.root(), metadata: trees.metadata.root() }));
    return documentChanges(engine, state.trees, roots, async (prefixes, tree) =>
      database.snapshot(() => prefixes.map((prefix) => trees[tree].node(prefix))),
    );
  }

  /**
   * Remembers the remote's state, in the open transaction.
   *
   * @param known what changed here between the last pull and this one; null if there was no last one
   * @param changes the documents that differed when this pull began
   * @param added the ids of documents that this pull wrote and the remote does not have
   * @returns false if that is not the remote's state: this library changed during the pull. Nothing is remembered then
   */
  remember(
    head: RemoteHead,
    known: readonly DocumentChange[] | null,
    changes: readonly DocumentChange[],
    added: readonly Uint8Array[],
  ): boolean {
    if (this.#name === null) return true;
    const { engine, database } = this.#parts;
    const remote = noteRemote(database, this.#name);
    if (known === null) copyTrees(database, remote);
    const updates = [
      ...(known ?? []).map(({ id, here }) => ({ id, values: here })),
      ...(known === null ? added.map((id) => ({ id, values: null })) : []),
      ...changes.map(({ id, there }) => ({ id, values: there })),
    ];
    return TREES.every((tree) => {
      const nodes = new MerkleTree(engine, new TreeNodes(database, commonTree(tree, remote)));
      const root = nodes.update(updates.map(({ id, values }) => ({ id, value: values?.[tree] ?? null })));
      return compareBytes(root, fromHex(tree === "text" ? head.root : head.metadataRoot)) === 0;
    });
  }

  #trees(): Trees | null {
    const { engine, database } = this.#parts;
    const remote = this.#name === null ? null : remoteNumber(database, this.#name);
    if (remote === null) return null;
    return {
      text: new MerkleTree(engine, new TreeNodes(database, commonTree("text", remote))),
      metadata: new MerkleTree(engine, new TreeNodes(database, commonTree("metadata", remote))),
    };
  }
}
