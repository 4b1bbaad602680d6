/** test-vectors/hnsw.json: sets with every edge, a larger set by its digest, and searches. */
import { hexOfI16 } from "./hex.ts";
import { buildGraph, canonicalBytes, type Graph, graphDigest, PARAMETERS, searchGraph } from "./hnsw.ts";
import { splitmix32 } from "./prng.ts";
import { type OwnedItem, searchSegments, segmentsDigest, segmentsOf } from "./segments.ts";
import { exactSearch, type Hit, type Item } from "./vectors.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** What the generator of the vectors is given: it is simple enough to be repeated by whoever reads the file. */
interface Recipe {
  readonly seed: number;
  readonly dim: number;
  readonly count: number;
  /** Elements lie in ±span. */
  readonly span: number;
  /** Every n-th vector repeats the one before it. */
  readonly repeat?: number;
}

/** Per item, in this order: `dim` draws for the vector, then four for the id, little-endian. */
export function itemsOf({ seed, dim, count, span, repeat }: Recipe): Item[] {
  const next = splitmix32(seed);
  const items: Item[] = [];
  for (let i = 0; i < count; i++) {
    const drawn = Int16Array.from({ length: dim }, () => (next() % (2 * span + 1)) - span);
    const id = new Uint8Array(16);
    const view = new DataView(id.buffer);
    for (let word = 0; word < 4; word++) view.setUint32(word * 4, next(), true);
    items.push({
      id,
      vector: repeat !== undefined && i % repeat === repeat - 1 ? items[i - 1]!.vector : drawn,
    });
  }
  return items;
}

const SMALL: [name: string, recipe: Recipe][] = [
  ["empty", { seed: 1, dim: 8, count: 0, span: 1 }],
  ["one", { seed: 2, dim: 8, count: 1, span: 9000 }],
  ["two", { seed: 3, dim: 8, count: 2, span: 9000 }],
  ["one vector, three ids", { seed: 4, dim: 8, count: 3, span: 0 }],
  ["forty, some repeated", { seed: 5, dim: 16, count: 40, span: 9000, repeat: 5 }],
  ["many ties", { seed: 6, dim: 8, count: 120, span: 1 }],
  ["lists that are full", { seed: 7, dim: 24, count: 180, span: 9000, repeat: 9 }],
];
const LARGE: Recipe = { seed: 8, dim: 16, count: 2000, span: 9000, repeat: 50 };

interface SegmentRecipe extends Recipe {
  /** The most distinct vectors of a segment. */
  readonly segment: number;
  /** So many items in a row belong to one document; the first document has `first`. */
  readonly each: number;
  readonly first: number;
  /** The first bits of every document id are 1: they share a long prefix. */
  readonly ones: number;
}

const SEGMENTED: [name: string, recipe: SegmentRecipe][] = [
  ["one segment", { ...LARGE, seed: 20, count: 60, repeat: 7, segment: 60, each: 3, first: 3, ones: 0 }],
  [
    "several segments",
    { ...LARGE, seed: 21, count: 400, repeat: 5, segment: 48, each: 4, first: 4, ones: 0 },
  ],
  ["a long prefix", { ...LARGE, seed: 22, count: 120, repeat: 9, segment: 40, each: 2, first: 2, ones: 37 }],
  [
    "a large document",
    { ...LARGE, seed: 23, count: 150, repeat: 11, segment: 24, each: 1, first: 70, ones: 0 },
  ],
  [
    "many ties",
    { seed: 24, dim: 8, count: 300, span: 1, segment: 33, each: 5, first: 5, ones: 0, repeat: 3 },
  ],
];

/** The items of the recipe. A second generator, of seed + 2000, draws four words for each document's id. */
function ownedItemsOf(recipe: SegmentRecipe): OwnedItem[] {
  const { seed, each, first, ones } = recipe;
  const next = splitmix32(seed + 2000);
  const drawId = () => {
    const id = new Uint8Array(16);
    const view = new DataView(id.buffer);
    for (let word = 0; word < 4; word++) view.setUint32(word * 4, next(), true);
    for (let bit = 0; bit < ones; bit++) id[bit >> 3]! |= 128 >> (bit & 7);
    return id;
  };
  let documentId = new Uint8Array(16);
  return itemsOf(recipe).map((item, i) => {
    if (i === 0 || (i >= first && (i - first) % each === 0)) documentId = drawId();
    return { ...item, documentId };
  });
}

function segmentedCase(name: string, recipe: SegmentRecipe) {
  const items = ownedItemsOf(recipe);
  const segments = segmentsOf(recipe.dim, items, recipe.segment);
  const next = splitmix32(recipe.seed + 1000);
  return {
    name,
    ...recipe,
    segments: segments.map(({ prefix, items: own, graph }) => ({
      prefix,
      ids: own.length,
      vectors: graph.nodes.length,
      digest: hex(graphDigest(graph)),
    })),
    digest: hex(segmentsDigest(segments)),
    searches: [
      [1, 1],
      [5, 4],
      [10, 20],
      [10, 50],
      [100, 50],
    ].map(([k, ef]) => {
      const query = Int16Array.from(
        { length: recipe.dim },
        () => (next() % (2 * recipe.span + 1)) - recipe.span,
      );
      return {
        query: hexOfI16(query),
        k: k!,
        ef: ef!,
        search: hits(searchSegments(segments, query, k!, ef!)),
        exact: hits(exactSearch(items, query, k!)),
      };
    }),
  };
}

function hits(list: Hit[]) {
  return list.map(({ id, dot }) => `${hex(id)} ${dot}`);
}

function searches(graph: Graph, items: Item[], { seed, dim, span }: Recipe) {
  const next = splitmix32(seed + 1000);
  return [
    [1, 1],
    [3, 1],
    [10, 20],
    [10, 50],
    [100, 50],
  ].map(([k, ef], i) => {
    // The last but one query is zero: all dots tie, and ids decide.
    const query = Int16Array.from({ length: dim }, () => (i === 3 ? 0 : (next() % (2 * span + 1)) - span));
    return {
      query: hexOfI16(query),
      k: k!,
      ef: ef!,
      search: hits(searchGraph(graph, query, k!, ef!)),
      exact: hits(exactSearch(items, query, k!)),
    };
  });
}

export function generate() {
  const small = SMALL.map(([name, recipe]) => {
    const items = itemsOf(recipe);
    const graph = buildGraph(recipe.dim, items);
    return {
      name,
      dim: recipe.dim,
      items: items.map(({ id, vector }) => ({ id: hex(id), vector: hexOfI16(vector) })),
      nodes: graph.nodes.map(({ digest, level, ids, out, link, adjacency }) => ({
        digest: hex(digest),
        level,
        ids: ids.map(hex),
        out: out.join(" "),
        link,
        adjacency: adjacency.map((list) => list.join(" ")),
      })),
      canonicalBytes: canonicalBytes(graph).length,
      digest: hex(graphDigest(graph)),
      searches: searches(graph, items, recipe),
    };
  });
  const items = itemsOf(LARGE);
  const graph = buildGraph(LARGE.dim, items);
  return {
    _comment:
      "Graphs with every edge (nodes by rank, link -1 for the entry; hits as id and dot; vectors with four hex digits an element, `x*n` is n times x), and one larger by its digest: its items come from splitmix32(seed), per item dim draws (x mod (2·span+1)) - span, then four draws as a little-endian id; every repeat-th item, counted from 1, draws the same and takes the vector of the one before it. splitmix32, mod 2^32: state (at first the seed) += 9e3779b9, z = state; z = (z ^ z>>>16) * 21f0aaad; z = (z ^ z>>>15) * 735a2d97; it gives z ^ z>>>15. Of segmented sets, the ids of documents come from splitmix32(seed + 2000), four draws each as a little-endian id whose first `ones` bits are then set to 1; the first `first` items belong to the first document, then each `each` items to the next.",
    spec: "SPEC §10.2 to §10.7, §10.10, §10.11",
    parameters: PARAMETERS,
    cases: small,
    drawn: [
      {
        name: "two thousand",
        ...LARGE,
        canonicalBytes: canonicalBytes(graph).length,
        digest: hex(graphDigest(graph)),
        searches: searches(graph, items, LARGE),
      },
    ],
    segmented: SEGMENTED.map(([name, recipe]) => segmentedCase(name, recipe)),
  };
}
