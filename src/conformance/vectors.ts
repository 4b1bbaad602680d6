import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SegmentedIndex } from "../vectors/segmented-index.ts";
import { type Hit, holdsIndex, VectorIndex } from "../vectors/vector-index.ts";
import { parseHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";
import { splitmix32 } from "./splitmix32.ts";

/** test-vectors/dot.json */
export interface DotVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly a: string;
    readonly b: string;
    readonly dot: number;
  }[];
  readonly admission: readonly {
    readonly name: string;
    readonly vector: string;
    readonly admitted: boolean;
  }[];
}

interface SearchCase {
  readonly query: string;
  readonly k: number;
  readonly ef: number;
  readonly search: readonly string[];
  readonly exact: readonly string[];
}

interface IndexCase {
  readonly name: string;
  readonly dim: number;
  readonly canonicalBytes: number;
  readonly digest: string;
  readonly searches: readonly SearchCase[];
}

interface NodeCase {
  readonly digest: string;
  readonly level: number;
  readonly ids: readonly string[];
  readonly adjacency: readonly string[];
}

/** test-vectors/hnsw.json */
export interface HnswVectors {
  readonly cases: readonly (IndexCase & {
    readonly items: readonly { readonly id: string; readonly vector: string }[];
    readonly nodes: readonly NodeCase[];
  })[];
  readonly drawn: readonly (IndexCase & {
    readonly seed: number;
    readonly count: number;
    readonly span: number;
    readonly repeat: number;
  })[];
  readonly segmented: readonly SegmentedCase[];
}

interface SegmentedCase {
  readonly name: string;
  readonly seed: number;
  readonly dim: number;
  readonly count: number;
  readonly span: number;
  readonly repeat: number;
  readonly segment: number;
  readonly each: number;
  readonly first: number;
  readonly ones: number;
  readonly segments: readonly {
    readonly prefix: string;
    readonly ids: number;
    readonly vectors: number;
    readonly digest: string;
  }[];
  readonly digest: string;
  readonly searches: readonly SearchCase[];
}

type Item = readonly [id: Uint8Array, vector: Int16Array];
type Part = readonly [what: string, expected: string, got: string];

/** SPEC §10.1 */
export function checkDot(engine: Engine, vectors: DotVectors): Outcome {
  const tally = new Tally("dot");
  const { dot_i16, dot4_i16, dot_rows_i16, is_admitted } = engine.exports;
  for (const { name, a, b, dot } of vectors.cases) {
    engine.scope(() => {
      const bytes = littleEndianBytes(vectorOf(a));
      const left = engine.write(bytes);
      const right = engine.write(littleEndianBytes(vectorOf(b)));
      const out = engine.alloc(16);
      const read = () => new DataView(engine.read(out, 16).buffer).getInt32(0, true);
      const parts: Part[] = [["dot", `${dot}`, `${dot_i16(left, right, bytes.length)}`]];
      dot4_i16(out, left, right, left, right, left, bytes.length);
      parts.push(["dot, four at a time", `${dot}`, `${read()}`]);
      dot_rows_i16(out, left, right, 1, bytes.length);
      parts.push(["dot, row by row", `${dot}`, `${read()}`]);
      tally.record(name, parts);
    });
  }
  for (const { name, vector, admitted } of vectors.admission) {
    engine.scope(() => {
      const bytes = littleEndianBytes(vectorOf(vector));
      const got = is_admitted(engine.write(bytes), bytes.length) === 1;
      tally.record(name, [["admitted", `${admitted}`, `${got}`]]);
    });
  }
  return tally.outcome();
}

/** SPEC §10.2 to §10.7, §10.10 and §10.11, on an engine that holds no index. */
export async function checkHnsw(engine: Engine, vectors: HnswVectors): Promise<Outcome> {
  const tally = new Tally("hnsw");
  for (const each of vectors.cases) {
    const items = each.items.map(({ id, vector }): Item => [bytesOf(id), vectorOf(vector)]);
    tally.record(each.name, checkIndex(engine, each, items, each.nodes));
  }
  for (const each of vectors.drawn) tally.record(each.name, checkIndex(engine, each, drawnItems(each), []));
  // Engines are used again: each has its own memory, for which some hosts reserve many gigabytes of addresses.
  const engines = [engine];
  const freeEngine = () => {
    const free = engines.find((each) => !holdsIndex(each)) ?? engine.another();
    if (!engines.includes(free)) engines.push(free);
    return free;
  };
  for (const each of vectors.segmented) tally.record(each.name, await checkSegments(freeEngine, each));
  return tally.outcome();
}

/** Adds the items one by one, so that segments are split on the way, builds the graphs, and compares. */
async function checkSegments(engine: () => Engine, each: SegmentedCase): Promise<Part[]> {
  const { dim, segment, segments, digest, searches } = each;
  const index = new SegmentedIndex({ dim, segment, graphs: "all", engine });
  try {
    const documents = documentIds(each);
    for (const [i, [id, vector]] of drawnItems(each).entries()) index.add(documents[i]!, id, vector);
    await index.buildGraphs();
    const printed = (list: SegmentedCase["segments"]) =>
      list.map(({ prefix, ids, vectors, digest: of }) => `${prefix} ${ids} ${vectors} ${of}`).join();
    const parts: Part[] = [
      [
        "segments",
        printed(segments),
        printed(
          index.segments.map((of) => ({
            ...{ prefix: of.prefix, ids: of.size, vectors: of.distinct, digest: toHex(of.index.digest()) },
          })),
        ),
      ],
      ["digest", digest, toHex(index.digest())],
    ];
    for (const [i, { query, k, ef, search, exact }] of searches.entries()) {
      const q = vectorOf(query);
      parts.push([`search ${i}, k ${k}, ef ${ef}`, search.join(), print(index.search(q, { k, ef }))]);
      parts.push([`exact ${i}, k ${k}`, exact.join(), print(index.exact(q, { k }))]);
    }
    return parts;
  } finally {
    index.close();
  }
}

function checkIndex(
  engine: Engine,
  { dim, canonicalBytes, digest, searches }: IndexCase,
  items: readonly Item[],
  nodes: readonly NodeCase[],
): Part[] {
  const index = VectorIndex.create(engine, { dim });
  try {
    for (const [id, vector] of items) index.add(id, vector);
    const snapshot = index.serialize();
    const parts: Part[] = nodes.length === 0 ? [] : nodeParts(snapshot, nodes);
    const digestAt =
      snapshot.length - index.distinct * (dim * 2 + 528) - Math.ceil(index.distinct / 1024) * 32 - 32;
    parts.push(["canonical bytes", `${canonicalBytes}`, `${digestAt}`]);
    parts.push(["digest", digest, toHex(index.digest())]);
    for (const [i, { query, k, ef, search, exact }] of searches.entries()) {
      const q = vectorOf(query);
      parts.push([`search ${i}, k ${k}, ef ${ef}`, search.join(), print(index.search(q, { k, ef }))]);
      parts.push([`exact ${i}, k ${k}`, exact.join(), print(index.exact(q, { k }))]);
    }
    return parts;
  } finally {
    index.close();
  }
}

/** Returns every node and edge, read back from the canonical bytes at the start of a snapshot. SPEC §10.6 */
function nodeParts(snapshot: Uint8Array, nodes: readonly NodeCase[]): Part[] {
  const view = new DataView(snapshot.buffer, snapshot.byteOffset);
  const n = view.getUint32(16, true);
  const parts: Part[] = [["nodes", `${nodes.length}`, `${n}`]];
  let idsAt = 32 + 36 * n;
  let at = idsAt + 16 * view.getUint32(20, true);
  for (let rank = 0; rank < Math.min(n, nodes.length); rank++) {
    const { digest, level, ids, adjacency } = nodes[rank]!;
    parts.push([`digest of ${rank}`, digest, toHex(snapshot.subarray(32 + 32 * rank, 64 + 32 * rank))]);
    const idCount = view.getUint32(32 + 32 * n + 4 * rank, true);
    const got = Array.from({ length: idCount }, (_, i) =>
      toHex(snapshot.subarray(idsAt + 16 * i, idsAt + 16 * i + 16)),
    );
    parts.push([`ids of ${rank}`, ids.join(), got.join()]);
    idsAt += 16 * idCount;
    for (let l = 0; l <= level; l++) {
      const count = view.getUint32(at, true);
      const ranks = Array.from({ length: count }, (_, i) => view.getUint32(at + 4 + 4 * i, true));
      parts.push([`Adj of ${rank} at level ${l}`, adjacency[l]!, ranks.join(" ")]);
      at += 4 + 4 * count;
    }
  }
  return parts;
}

/** Generates the items as the vectors' comment describes. */
function drawnItems({
  seed,
  dim,
  count,
  span,
  repeat,
}: Pick<SegmentedCase, "seed" | "dim" | "count" | "span" | "repeat">): Item[] {
  const next = splitmix32(seed);
  const items: Item[] = [];
  for (let i = 0; i < count; i++) {
    const vector = Int16Array.from({ length: dim }, () => (next() % (2 * span + 1)) - span);
    const id = drawnId(next);
    items.push([id, i % repeat === repeat - 1 ? items[i - 1]![1] : vector]);
  }
  return items;
}

/** Returns the document id of each item. */
function documentIds({ seed, count, each, first, ones }: SegmentedCase): Uint8Array[] {
  const next = splitmix32(seed + 2000);
  let id = new Uint8Array(16);
  return Array.from({ length: count }, (_, i) => {
    if (i > 0 && (i < first || (i - first) % each !== 0)) return id;
    id = drawnId(next);
    for (let bit = 0; bit < ones; bit++) id[bit >> 3]! |= 128 >> (bit & 7);
    return id;
  });
}

function drawnId(next: () => number): Uint8Array<ArrayBuffer> {
  const id = new Uint8Array(16);
  for (let word = 0; word < 4; word++) new DataView(id.buffer).setUint32(word * 4, next(), true);
  return id;
}

function print(hits: readonly Hit[]): string {
  return hits.map(({ id, dot }) => `${toHex(id)} ${dot}`).join();
}

function vectorOf(text: string): Int16Array {
  return Int16Array.from(parseHex(text, 4));
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
  );
}
