import type { OutsideChunk } from "#dist/index.js";

const WORDS =
  "restore backup index vector hybrid search chunk document guide snapshot fusion rank query".split(" ");

/** A generator of words of 32 bits. */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

export function uuidOf(number: number): string {
  const next = draws(number * 2654435761 + 1);
  const digits = Array.from({ length: 4 }, () => next().toString(16).padStart(8, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A chunk of a made-up document; `perDocument` chunks share one. */
export function sampleChunk(number: number, dimension: number, perDocument = 5): OutsideChunk {
  const next = draws(number + 7);
  const real = () => next() / 2 ** 31 - 1;
  const text = Array.from({ length: 20 }, () => WORDS[(next() >>> 8) % WORDS.length]).join(" ");
  const document = Math.floor(number / perDocument);
  return {
    uuid: uuidOf(number),
    doc_id: `docs/d${document}`,
    chunk_id: `d${document}#${String(number).padStart(6, "0")}`,
    text: `${text} word${number}`,
    num_tokens: 21,
    source_chunk_idxs: [number % perDocument],
    channel: document % 2 === 0 ? "docs" : "papers",
    ...(dimension === 0 ? {} : { vector: Array.from({ length: dimension }, real) }),
    sparse: { terms: [WORDS[number % WORDS.length]!, "every"], weights: [1.25, 0.5] },
    bm25: { terms: ["restore"], weights: [1.72] },
  };
}

export const sampleChunks = (count: number, dimension: number, perDocument = 5): OutsideChunk[] =>
  Array.from({ length: count }, (_, i) => sampleChunk(i, dimension, perDocument));

export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const next = draws(seed);
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = next() % (i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
