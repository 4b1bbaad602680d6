import type { Engine } from "../engine/engine.ts";
import { digitAt, emptySlots, encodeNode, ID_DIGITS, type Leaf, nodeDigest, type Slot } from "./tree-node.ts";

/**
 * The root of a set whose documents come by id ascending, as in a pack. It holds the nodes on the path to the last
 * document and no others, so its memory does not grow with the set. SPEC §13.2
 */
export class SortedRoot {
  readonly #engine: Engine;
  /** The open nodes: the one at depth d is below the first d digits of the last document. */
  readonly #open: Slot[][] = [emptySlots()];
  #last: Leaf | null = null;
  /** How many digits the last document shares with the one before it. */
  #shared = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Adds a document whose id is larger than that of the one before. */
  add(leaf: Leaf): void {
    const shared = this.#last === null ? 0 : commonDigits(this.#last.id, leaf.id);
    this.#place(shared);
    this.#last = leaf;
    this.#shared = shared;
  }

  /** Returns the root of all documents that were added. Nothing can be added afterwards. */
  root(): Uint8Array<ArrayBuffer> {
    this.#place(0);
    this.#last = null;
    return nodeDigest(this.#engine, encodeNode(this.#open[0]!));
  }

  /** Puts the last document into its node, and closes the nodes that the next one is not below. */
  #place(sharedWithNext: number): void {
    const leaf = this.#last;
    if (leaf === null) return;
    // A node exists where two documents are below: a document is in the deepest node that it shares with a neighbour.
    const depth = Math.max(this.#shared, sharedWithNext);
    while (this.#open.length <= depth) this.#open.push(emptySlots());
    this.#open[depth]![digitAt(leaf.id, depth)] = leaf;
    while (this.#open.length - 1 > sharedWithNext) {
      const digest = nodeDigest(this.#engine, encodeNode(this.#open.pop()!));
      const above = this.#open.length - 1;
      this.#open[above]![digitAt(leaf.id, above)] = { digest };
    }
  }
}

/** Returns how many digits two ids have in common at their start; at most one less than all. */
function commonDigits(a: Uint8Array, b: Uint8Array): number {
  let depth = 0;
  while (depth < ID_DIGITS - 1 && digitAt(a, depth) === digitAt(b, depth)) depth++;
  return depth;
}
