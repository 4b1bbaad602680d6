/** Reads the canonical bytes at the start of a snapshot back into lists, for tests that look at edges. SPEC §10.6 */
export interface ReadGraph {
  readonly nodes: number;
  readonly ids: number;
  /** Per rank: its levels and Adj at each. */
  readonly adjacency: readonly (readonly (readonly number[])[])[];
  /** Where the digest stands: the length of the canonical bytes. */
  readonly end: number;
}

export function readGraph(snapshot: Uint8Array): ReadGraph {
  const view = new DataView(snapshot.buffer, snapshot.byteOffset);
  const nodes = view.getUint32(16, true);
  const ids = view.getUint32(20, true);
  let at = 32 + 36 * nodes + 16 * ids;
  const adjacency = Array.from({ length: nodes }, (_, rank) => {
    const level = Math.min(6, Math.floor(Math.clz32(view.getUint32(32 + 32 * rank)) / 4));
    return Array.from({ length: level + 1 }, () => {
      const count = view.getUint32(at, true);
      const list = Array.from({ length: count }, (_, i) => view.getUint32(at + 4 + 4 * i, true));
      at += 4 + 4 * count;
      return list;
    });
  });
  return { nodes, ids, adjacency, end: at };
}

/** How many nodes of a level a walk from its first node does not reach, along edges or against them. */
export function unreachable({ adjacency }: ReadGraph, level: number, direction: "along" | "against"): number {
  const edges = new Map<number, number[]>();
  adjacency.forEach((levels, x) => {
    if (levels[level] === undefined) return;
    if (!edges.has(x)) edges.set(x, []);
    for (const y of levels[level]) {
      const [from, to] = direction === "along" ? [x, y] : [y, x];
      edges.set(from, [...(edges.get(from) ?? []), to]);
    }
  });
  const reached = new Set([0]);
  for (const x of reached) for (const y of edges.get(x) ?? []) reached.add(y);
  return edges.size === 0 ? 0 : edges.size - reached.size;
}
