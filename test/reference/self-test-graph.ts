import { buildGraph, graphDigest, searchGraph } from "./hnsw.ts";
import { Words } from "./self-test-words.ts";
import { exactSearch, type Hit, type Item } from "./vectors.ts";

const DIM = 24;
const SPAN = 6000;

/** SPEC §10.9. A map of what is held now; the graph is made from it, from scratch, when it is asked for. */
export function selfTestGraph(): number {
  const words = new Words(0x2545f494);
  const held = new Map<number, Item>();
  for (let step = 0; step < 240; step++) {
    const word = words.next();
    const number = word & 255;
    const kind = (word >>> 8) & 3;
    if (kind === 0) words.mix(held.delete(number) ? 1 : 0);
    else words.mix(put(held, number, kind === 3 ? coarse(words) : fine(words)));
    if (step % 80 === 79) look(words, [...held.values()]);
  }
  return words.digest;
}

/** 0 for a new id, 1 for another vector, 2 for the same. */
function put(held: Map<number, Item>, number: number, vector: Int16Array): number {
  const before = held.get(number);
  held.set(number, { id: idOf(number), vector });
  if (before === undefined) return 0;
  return before.vector.join() === vector.join() ? 2 : 1;
}

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(16);
  const view = new DataView(id.buffer);
  view.setUint32(0, Math.imul(number, 0x9e3779b1), true);
  view.setUint32(4, number, true);
  return id;
}

function fine(words: Words): Int16Array {
  return Int16Array.from({ length: DIM }, () => (words.next() % (2 * SPAN + 1)) - SPAN);
}

function coarse(words: Words): Int16Array {
  const word = words.next();
  return Int16Array.from({ length: DIM }, (_, i) => (i < 6 ? ((word >>> i) & 1) << 12 : 0));
}

function look(words: Words, items: Item[]): void {
  const graph = buildGraph(DIM, items);
  words.mix(...wordsOf(graphDigest(graph)));
  mixHits(words, searchGraph(graph, fine(words), 1, 1));
  mixHits(words, searchGraph(graph, fine(words), 10, 20));
  mixHits(words, searchGraph(graph, coarse(words), 10, 50));
  mixHits(words, exactSearch(items, fine(words), 10));
}

function mixHits(words: Words, hits: Hit[]): void {
  words.mix(hits.length);
  for (const { id, dot } of hits) words.mix(...wordsOf(id), dot);
}

function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}
