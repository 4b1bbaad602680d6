/**
 * Messages to a thread that holds segments. Answers come through shared memory: the caller can wait for them without
 * leaving its turn of the event loop, and so within one state of the database.
 *
 *     answer   i32   state: WAITING, DONE, FAILED or TOO_LONG
 *              i32   the number of bytes at the end
 *              i32   the ids that the segment has now
 *              i32   its distinct vectors
 *              i32   its memory, in pages of 64 KiB
 *              …     bytes: what was asked for; if it FAILED, the error as JSON
 */
import { ID_BYTES } from "../engine/digest.ts";
import type { Build } from "../engine/engine.ts";
import { SCALE } from "./vector.ts";
import type { Hit } from "./vector-index.ts";

export const WAITING = 0;
export const DONE = 1;
export const FAILED = 2;
/** The answer is longer than the memory for it; it is kept until it is asked for `again`. */
export const TOO_LONG = 3;

export const HEADER_WORDS = 5;
export const HEADER_BYTES = HEADER_WORDS * 4;

/** What every segment is asked in a search. */
export type Question =
  | { readonly type: "search"; readonly query: Int16Array; readonly k: number; readonly ef: number }
  | {
      readonly type: "exact";
      readonly query: Int16Array;
      readonly k: number;
      /** Ids of 16 bytes each. */
      readonly candidates?: Uint8Array;
    };

/** What a segment can be asked. */
export type SegmentQuestion =
  | Question
  /** What searches need of the bytes has been sent. */
  | { readonly type: "load"; readonly length: number }
  | { readonly type: "add"; readonly id: Uint8Array; readonly vector: Int16Array }
  | { readonly type: "remove"; readonly id: Uint8Array }
  /** For each id a byte: whether it is held. */
  | { readonly type: "holds"; readonly ids: Uint8Array }
  /** The same, and then the vectors of those that are held, little-endian. */
  | { readonly type: "vectors"; readonly ids: Uint8Array }
  | { readonly type: "ids" | "digest" | "nodeDigests" | "serialize" | "again" };

export type SegmentRequest =
  /** The first message; the one that is answered by a message. */
  | { readonly type: "start"; readonly build: Build }
  /** A part of the bytes of a stored index. */
  | { readonly type: "part"; readonly segment: number; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: "close"; readonly segment: number }
  | {
      readonly type: "ask";
      readonly segment: number;
      readonly question: SegmentQuestion;
      readonly answer: SharedArrayBuffer;
    };

/** What an addition did, as one byte. */
export const OUTCOMES = ["added", "updated", "unchanged"] as const;

const HIT_BYTES = ID_BYTES + 4;

export function hitBytes(hits: readonly Hit[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hits.length * HIT_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, { id, dot }] of hits.entries()) {
    bytes.set(id, i * HIT_BYTES);
    view.setInt32(i * HIT_BYTES + ID_BYTES, dot, true);
  }
  return bytes;
}

export function hitsOf(bytes: Uint8Array<ArrayBuffer>): Hit[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / HIT_BYTES }, (_, i) => {
    const at = i * HIT_BYTES;
    const dot = view.getInt32(at + ID_BYTES, true);
    return { id: bytes.subarray(at, at + ID_BYTES), dot, similarity: dot / SCALE };
  });
}
