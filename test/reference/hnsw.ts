/**
 * The graph straight from its definition: all pairs, ranks for priorities, sets for lists. Nothing is updated;
 * there is no order of arrival that could leave a mark. SPEC §10.3 to §10.7
 */
import { blake3 } from "@noble/hashes/blake3.js";
import { compareBytes, compareHits, dot, type Hit, type Item, vectorBytes } from "./vectors.ts";

export const PARAMETERS = { C: 96, M: 20, MMAX_0: 32, MMAX: 8, MAX_LEVEL: 6 } as const;

/** A distinct vector. Nodes are numbered by their rank in priority order. */
export interface Node {
  readonly vector: Int16Array;
  readonly digest: Uint8Array; // BLAKE3 of the vector's bytes
  readonly level: number;
  readonly ids: Uint8Array[]; // ascending
  cand: number[]; // Cand, in the order around the node
  out: number[]; // Out, ascending
  link: number; // -1 for the entry
  readonly adjacency: number[][]; // per level, ascending
}

export interface Graph {
  readonly dim: number;
  readonly nodes: Node[];
}

/** ⌊clz(h)/4⌋, at most 6, for h = the first eight bytes read big-endian. SPEC §10.3 */
export function levelOf(digest: Uint8Array): number {
  let nibbles = 0;
  while (nibbles < 16 && ((digest[nibbles >> 1]! >> (nibbles % 2 === 0 ? 4 : 0)) & 15) === 0) nibbles++;
  return Math.min(PARAMETERS.MAX_LEVEL, nibbles);
}

/** Distinct vectors in priority order: (first eight bytes of the digest, bytes of the vector). SPEC §10.3 */
function nodesOf(items: readonly Item[]): Node[] {
  const byVector = new Map<string, Node & { bytes: Uint8Array }>();
  for (const { id, vector } of items) {
    const key = vector.join();
    let node = byVector.get(key);
    if (node === undefined) {
      const bytes = vectorBytes(vector);
      const digest = blake3(bytes);
      node = {
        vector,
        bytes,
        digest,
        level: levelOf(digest),
        ids: [],
        cand: [],
        out: [],
        link: -1,
        adjacency: [],
      };
      byVector.set(key, node);
    }
    node.ids.push(id);
  }
  const nodes = [...byVector.values()].sort(
    (a, b) =>
      compareBytes(a.digest.subarray(0, 8), b.digest.subarray(0, 8)) || compareBytes(a.bytes, b.bytes),
  );
  for (const node of nodes) node.ids.sort(compareBytes);
  return nodes;
}

/** Walks `list` (in the order around x), keeps what is nearer to x than to all kept, fills up with rejects. SPEC §10.4 */
function select(
  list: readonly number[],
  m: number,
  toX: (c: number) => number,
  pair: (a: number, b: number) => number,
) {
  const kept: number[] = [];
  const rejected: number[] = [];
  for (const c of list) {
    if (kept.length === m) break;
    if (kept.every((k) => pair(c, k) <= toX(c))) kept.push(c);
    else rejected.push(c);
  }
  return [...kept, ...rejected.slice(0, m - kept.length)];
}

/** The graph of a set of items (each id once). SPEC §10.4, §10.5 */
export function buildGraph(dim: number, items: readonly Item[]): Graph {
  const { C, M, MMAX_0, MMAX } = PARAMETERS;
  const nodes = nodesOf(items);
  const n = nodes.length;
  const dots = nodes.map(({ vector }, x) => {
    const row = new Int32Array(x + 1);
    for (let y = 0; y <= x; y++) row[y] = dot(vector, nodes[y]!.vector);
    return row;
  });
  const pair = (a: number, b: number) => (a > b ? dots[a]![b]! : dots[b]![a]!);
  const around = (x: number) => (a: number, b: number) => pair(x, b) - pair(x, a) || a - b;

  const lastWithNear = new Map<number, number>();
  for (let x = 0; x < n; x++) {
    const node = nodes[x]!;
    const predecessors = Array.from({ length: x }, (_, y) => y);
    node.cand = predecessors.sort(around(x)).slice(0, C);
    node.out = select(node.cand, M, (c) => pair(x, c), pair).sort((a, b) => a - b);
    const near = node.cand[0];
    if (near !== undefined) {
      node.link = lastWithNear.get(near) ?? near;
      lastWithNear.set(near, x);
    }
  }

  const chosenBy: number[][] = nodes.map(() => []);
  const linkedBy: number[][] = nodes.map(() => []);
  nodes.forEach(({ out, link }, y) => {
    for (const x of out) chosenBy[x]!.push(y);
    if (link >= 0) linkedBy[link]!.push(y);
  });
  for (let x = 0; x < n; x++) {
    const node = nodes[x]!;
    for (let level = 0; level <= node.level; level++) {
      const inLevel = (y: number) => nodes[y]!.level >= level;
      const cap = level === 0 ? MMAX_0 : MMAX;
      const union = [...node.out, ...chosenBy[x]!.filter(inLevel)];
      const chosen =
        union.length <= cap ? union : select(union.sort(around(x)), cap, (c) => pair(x, c), pair);
      const linked = node.link < 0 ? [] : [node.link];
      const all = new Set([...chosen, ...linked, ...linkedBy[x]!.filter(inLevel)]);
      node.adjacency.push([...all].sort((a, b) => a - b));
    }
  }
  return { dim, nodes };
}

/** The canonical byte form. SPEC §10.6 */
export function canonicalBytes({ dim, nodes }: Graph): Uint8Array {
  const { C, M, MMAX_0, MMAX } = PARAMETERS;
  const parts: Uint8Array[] = [new TextEncoder().encode("SELFHNSW")];
  const u16 = (...values: number[]) => parts.push(vectorBytes(Int16Array.from(values)));
  const u32 = (...values: number[]) => {
    const bytes = new Uint8Array(values.length * 4);
    const view = new DataView(bytes.buffer);
    values.forEach((value, i) => {
      view.setUint32(i * 4, value, true);
    });
    parts.push(bytes);
  };
  u32(
    1,
    dim,
    nodes.length,
    nodes.reduce((sum, { ids }) => sum + ids.length, 0),
  );
  u16(C, M, MMAX_0, MMAX);
  for (const { digest } of nodes) parts.push(digest);
  for (const { ids } of nodes) u32(ids.length);
  for (const { ids } of nodes) parts.push(...ids);
  for (const { adjacency } of nodes) for (const list of adjacency) u32(list.length, ...list);

  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** BLAKE3 of the canonical bytes. SPEC §10.6 */
export function graphDigest(graph: Graph): Uint8Array {
  return blake3(canonicalBytes(graph));
}

/** Greedy from the entry down to level 1, then a pool of max(ef, k) at level 0. SPEC §10.7 */
export function searchGraph({ nodes }: Graph, query: Int16Array, k: number, ef: number): Hit[] {
  if (nodes.length === 0) return [];
  const toQuery = (x: number) => dot(query, nodes[x]!.vector);
  const around = (a: number, b: number) => toQuery(b) - toQuery(a) || a - b;

  let current = 0;
  for (let level = nodes[0]!.level; level >= 1; level--) {
    for (;;) {
      const best = [...nodes[current]!.adjacency[level]!].sort(around)[0];
      if (best === undefined || around(best, current) >= 0) break;
      current = best;
    }
  }

  let pool = [current];
  const seen = new Set(pool);
  const expanded = new Set<number>();
  for (;;) {
    const next = pool.find((x) => !expanded.has(x));
    if (next === undefined) break;
    expanded.add(next);
    const fresh = nodes[next]!.adjacency[0]!.filter((y) => !seen.has(y));
    for (const y of fresh) seen.add(y);
    pool = [...pool, ...fresh].sort(around).slice(0, Math.max(ef, k));
  }
  return pool
    .flatMap((x) => nodes[x]!.ids.map((id) => ({ id, dot: toQuery(x) })))
    .sort(compareHits)
    .slice(0, k);
}
