import { SelfsameError } from "../errors/selfsame-error.ts";
import { bitAt } from "./prefix.ts";
import { Segment } from "./segment.ts";

/** A prefix with more than S distinct vectors, and what is below each of its bits. */
export interface Fork {
  readonly prefix: string;
  readonly sides: [Tree, Tree];
  /** The number of distinct vectors is at least this. */
  bound: number;
}

/** How vectors are divided; null if there are none. SPEC §10.10 */
export type Tree = Fork | Segment | null;

/** A prefix, and the segment with all that is below it; null if nothing is. */
export interface Region {
  readonly prefix: string;
  readonly segment: Segment | null;
}

/** Returns the segments, by prefix ascending. */
export function segmentsOf(tree: Tree): Segment[] {
  if (tree === null) return [];
  return tree instanceof Segment ? [tree] : tree.sides.flatMap(segmentsOf);
}

export function forksOf(tree: Tree): Fork[] {
  return tree === null || tree instanceof Segment ? [] : [tree, ...tree.sides.flatMap(forksOf)];
}

/** Returns prefixes that cover all documents: those of segments, and those below which there is nothing. */
export function regionsOf(tree: Tree, prefix = ""): Region[] {
  if (tree === null || tree instanceof Segment) return [{ prefix, segment: tree }];
  return tree.sides.flatMap((side, bit) => regionsOf(side, `${prefix}${bit}`));
}

/** Returns the forks on the way to a document, and the segment at its end. */
export function pathTo(
  tree: Tree,
  documentId: Uint8Array,
): { readonly forks: readonly Fork[]; readonly segment: Segment | null } {
  const forks: Fork[] = [];
  let at = tree;
  while (at !== null && !(at instanceof Segment)) {
    forks.push(at);
    at = at.sides[bitAt(documentId, at.prefix.length)];
  }
  return { forks, segment: at };
}

/** Returns the tree of stored segments and forks. Throws if they are no tree. */
export function restoredTree(segments: readonly Segment[], bounds: ReadonlyMap<string, number>): Tree {
  const left = new Map(segments.map((segment) => [segment.prefix, segment]));
  const restored = (prefix: string): Tree => {
    const segment = left.get(prefix);
    const bound = bounds.get(prefix);
    if (segment !== undefined && left.delete(prefix)) return segment;
    if (bound === undefined) return null;
    return { prefix, bound, sides: [restored(`${prefix}0`), restored(`${prefix}1`)] };
  };
  const tree = restored("");
  if (left.size === 0) return tree;
  throw new SelfsameError("BAD_INDEX_BYTES", `expected segments without overlap, got ${left.size} more`);
}
