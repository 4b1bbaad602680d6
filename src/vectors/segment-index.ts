import { ID_BYTES } from "../engine/digest.ts";
import type { Question } from "./segment-protocol.ts";
import { ThreadedIndex } from "./threaded-index.ts";
import type { Hit, VectorIndex } from "./vector-index.ts";

/** The index of a segment: in this thread, or in another. */
export type SegmentIndex = VectorIndex | ThreadedIndex;

/** Asks a question. A thread works on it until its answer is fetched; this thread computes it then. */
export function ask(index: SegmentIndex, question: Question): () => Hit[] {
  if (index instanceof ThreadedIndex) return index.begin(question);
  const { query, k } = question;
  if (question.type === "search") return () => index.search(query, { k, ef: question.ef });
  const { candidates } = question;
  return () => index.exact(query, candidates === undefined ? { k } : { k, candidates });
}

/** Asks for the vectors of ids of 16 bytes each, undefined for those that are not held. */
export function askVectors(
  index: SegmentIndex,
  ids: Uint8Array,
): () => readonly (Int16Array<ArrayBuffer> | undefined)[] {
  if (index instanceof ThreadedIndex) return index.beginVectors(ids);
  return () =>
    Array.from({ length: ids.length / ID_BYTES }, (_, i) =>
      index.vector(ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)),
    );
}
