// The thread that holds some segments of an index, each in its own WebAssembly memory, and answers for them. Node and
// browsers use the same file.

import { littleEndianBytes } from "../engine/byte-order.ts";
import { ID_BYTES } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { loadEngine } from "../engine/load.ts";
import { threads } from "../engine/threads.ts";
import { errorRecord } from "../errors/error-record.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import {
  DONE,
  FAILED,
  HEADER_BYTES,
  HEADER_WORDS,
  hitBytes,
  OUTCOMES,
  type SegmentQuestion,
  type SegmentRequest,
  TOO_LONG,
} from "./segment-protocol.ts";
import type { SnapshotSource } from "./snapshot.ts";
import { VectorIndex } from "./vector-index.ts";

const PAGE_BYTES = 65_536;

interface Held {
  index: VectorIndex | null;
  /** Of the bytes of the stored index, by position. Those that only changes need come before the first change. */
  readonly parts: Map<number, Uint8Array>;
  /** An answer that was too long, with its state. */
  kept: readonly [state: number, bytes: Uint8Array];
}

let engine: Engine;
const segments = new Map<number, Held>();
const NOTHING = [DONE, new Uint8Array(0)] as const;

function heldAs(segment: number): Held {
  const held = segments.get(segment) ?? { index: null, parts: new Map(), kept: NOTHING };
  segments.set(segment, held);
  return held;
}

async function take(request: SegmentRequest): Promise<unknown> {
  switch (request.type) {
    case "start":
      return loadEngine({ build: request.build }).then(
        (loaded) => {
          engine = loaded.engine;
          return null;
        },
        (error) => errorRecord(error),
      );
    case "part":
      heldAs(request.segment).parts.set(request.at, request.bytes);
      return undefined;
    case "close":
      segments.delete(request.segment);
      return undefined;
    case "ask":
      reply(heldAs(request.segment), request.question, request.answer);
      return undefined;
  }
}

function reply(held: Held, question: SegmentQuestion, answer: SharedArrayBuffer): void {
  const [state, bytes] = question.type === "again" ? held.kept : outcomeOf(held, question);
  const fits = bytes.length <= answer.byteLength - HEADER_BYTES;
  held.kept = fits ? NOTHING : [state, bytes];
  if (fits) new Uint8Array(answer, HEADER_BYTES).set(bytes);
  const header = new Int32Array(answer, 0, HEADER_WORDS);
  const { size = 0, distinct = 0, memoryBytes = 0 } = held.index ?? {};
  header.set([bytes.length, size, distinct, memoryBytes / PAGE_BYTES], 1);
  Atomics.store(header, 0, fits ? state : TOO_LONG);
  Atomics.notify(header, 0);
}

function outcomeOf(held: Held, question: SegmentQuestion): readonly [state: number, bytes: Uint8Array] {
  try {
    return [DONE, answerOf(held, question)];
  } catch (error) {
    return [FAILED, new TextEncoder().encode(JSON.stringify(errorRecord(error)))];
  }
}

function answerOf(held: Held, question: SegmentQuestion): Uint8Array {
  if (question.type === "load") {
    held.index = VectorIndex.load(engine.another(), partsAsSource(held, question.length));
    held.parts.clear();
    return Uint8Array.of(held.index.hasGraph ? 1 : 0);
  }
  const { index } = held;
  if (index === null) throw new SelfsameError("WORKER_FAILED", "expected a loaded segment, got none");
  switch (question.type) {
    case "again":
      return held.kept[1];
    case "search":
      return hitBytes(index.search(question.query, { k: question.k, ef: question.ef }));
    case "exact":
      return hitBytes(index.exact(question.query, exactOptions(question)));
    case "add":
      return change(held, () => OUTCOMES.indexOf(index.add(question.id, question.vector)));
    case "remove":
      return change(held, () => (index.remove(question.id) ? 1 : 0));
    case "serialize":
      try {
        return index.serialize();
      } finally {
        held.parts.clear();
      }
    case "holds":
      return index.holds(question.ids);
    case "vectors":
      return vectorsOf(index, question.ids);
    case "ids":
      return index.packedIds();
    case "digest":
      return index.digest();
    case "nodeDigests":
      return index.nodeDigests();
  }
}

function vectorsOf(index: VectorIndex, ids: Uint8Array): Uint8Array {
  const flags = index.holds(ids);
  const held = flags.reduce((sum, flag) => sum + flag, 0);
  const bytes = new Uint8Array(flags.length + held * index.dim * 2);
  bytes.set(flags);
  let at = flags.length;
  for (const [i, flag] of flags.entries()) {
    if (flag === 0) continue;
    bytes.set(littleEndianBytes(index.vector(ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES))!), at);
    at += index.dim * 2;
  }
  return bytes;
}

const exactOptions = ({ k, candidates }: { k: number; candidates?: Uint8Array }) =>
  candidates === undefined ? { k } : { k, candidates };

function change(held: Held, work: () => number): Uint8Array {
  try {
    return Uint8Array.of(work());
  } finally {
    held.parts.clear(); // in memory since the first change
  }
}

function partsAsSource({ parts }: Held, length: number): SnapshotSource {
  return {
    length,
    read(from, wanted) {
      for (const [at, bytes] of parts)
        if (from >= at && from < at + bytes.length) return bytes.subarray(from - at, from - at + wanted);
      return new Uint8Array(0);
    },
  };
}

threads.serve((request) => take(request as SegmentRequest));
