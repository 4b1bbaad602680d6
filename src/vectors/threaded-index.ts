import { vectorOf } from "../engine/byte-order.ts";
import { ID_BYTES } from "../engine/digest.ts";
import { errorOfRecord } from "../errors/error-record.ts";
import {
  DONE,
  HEADER_BYTES,
  HEADER_WORDS,
  hitsOf,
  OUTCOMES,
  type Question,
  type SegmentQuestion,
  TOO_LONG,
  WAITING,
} from "./segment-protocol.ts";
import type { SegmentThread } from "./segment-threads.ts";
import { type SnapshotSource, searchBytes, snapshotHeader } from "./snapshot.ts";
import type { Hit } from "./vector-index.ts";

/** How long an answer may take before the thread counts as dead: then its segments are loaded elsewhere. */
const READ_MS_MAX = 10_000;
const CHANGE_MS_MAX = 60_000;
const PAGE_BYTES = 65_536;
const ANSWER_BYTES = 8192; // room for the hits of an ordinary search
const ANSWER_BYTES_KEPT = 1 << 20;

/**
 * The index of a segment in another thread. It was loaded from stored bytes. Every method waits for the thread; several
 * threads are asked at the same time with `begin`.
 */
export class ThreadedIndex {
  readonly dim: number;
  readonly thread: SegmentThread;
  readonly #segment: number;
  readonly #source: SnapshotSource;
  readonly #searchBytes: number;
  /** Whether the bytes that only changes need are not in the thread yet. */
  #lacksLists: boolean;
  #answer = new SharedArrayBuffer(HEADER_BYTES + ANSWER_BYTES);
  #size: number;
  #distinct: number;
  #memoryBytes = 0;
  /** Whether a question is open: after an error, nobody may have fetched its answer. */
  #isAsked = false;
  #isLoaded = false;
  readonly hasGraph: boolean;

  /** Sends the bytes and lets the thread load them; `loaded` waits for it. */
  constructor(thread: SegmentThread, source: SnapshotSource) {
    const header = snapshotHeader(source);
    this.thread = thread;
    this.dim = header.dim;
    this.hasGraph = header.graph;
    this.#lacksLists = header.graph;
    [this.#size, this.#distinct] = [header.ids, header.nodes];
    this.#source = source;
    this.#searchBytes = searchBytes(header);
    this.#segment = thread.nextSegment();
    this.#send(0, this.#searchBytes);
    this.#post({ type: "load", length: source.length });
  }

  /** Waits until the bytes are loaded. Throws if they are refused. */
  loaded(): this {
    if (this.#isLoaded) return this;
    this.#fetch(CHANGE_MS_MAX);
    this.#isLoaded = true;
    return this;
  }

  get size(): number {
    return this.#size;
  }

  get distinct(): number {
    return this.#distinct;
  }

  /** Bytes of WebAssembly memory in the thread, after its last answer. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** Asks the thread, which works on until the answer is fetched. There is one question at a time. */
  begin(question: Question): () => Hit[] {
    this.loaded();
    this.#post(question);
    return () => hitsOf(this.#fetch(READ_MS_MAX));
  }

  /** Asks for the vectors of ids of 16 bytes each, undefined for those that are not held. */
  beginVectors(ids: Uint8Array): () => (Int16Array<ArrayBuffer> | undefined)[] {
    const count = ids.length / ID_BYTES;
    this.loaded();
    this.#post({ type: "vectors", ids });
    return () => {
      const bytes = this.#fetch(READ_MS_MAX);
      let end = count;
      return Array.from(bytes.subarray(0, count), (isHeld) => {
        if (isHeld === 0) return undefined;
        end += this.dim * 2;
        return vectorOf(bytes.subarray(end - this.dim * 2, end));
      });
    };
  }

  add(id: Uint8Array, vector: Int16Array): (typeof OUTCOMES)[number] {
    return OUTCOMES[this.#change({ type: "add", id: id.slice(), vector: vector.slice() })]!;
  }

  remove(id: Uint8Array): boolean {
    return this.#change({ type: "remove", id: id.slice() }) === 1;
  }

  /** Returns, for each id of 16 bytes, 1 if it is held and 0 if not. */
  holds(ids: Uint8Array): Uint8Array<ArrayBuffer> {
    return this.#ask({ type: "holds", ids });
  }

  /** Returns all ids, 16 bytes each. */
  packedIds(): Uint8Array<ArrayBuffer> {
    return this.#ask({ type: "ids" }, this.#size * ID_BYTES);
  }

  digest(): Uint8Array<ArrayBuffer> {
    return this.#ask({ type: "digest" });
  }

  nodeDigests(): Uint8Array<ArrayBuffer> {
    return this.#ask({ type: "nodeDigests" });
  }

  serialize(): Uint8Array<ArrayBuffer> {
    this.#sendLists();
    return this.#ask({ type: "serialize" });
  }

  /** Frees the memory. */
  close(): void {
    this.thread.post({ type: "close", segment: this.#segment });
  }

  #change(question: SegmentQuestion): number {
    this.loaded();
    this.#sendLists();
    return this.#ask(question)[0]!;
  }

  #sendLists(): void {
    if (this.#lacksLists) this.#send(this.#searchBytes, this.#source.length);
    this.#lacksLists = false;
  }

  #ask(question: SegmentQuestion, room = 0): Uint8Array<ArrayBuffer> {
    this.loaded();
    if (this.#isAsked) this.#wait(CHANGE_MS_MAX);
    this.#grow(room);
    this.#post(question);
    const bytes = this.#fetch(CHANGE_MS_MAX);
    if (this.#answer.byteLength > ANSWER_BYTES_KEPT) this.#answer = new SharedArrayBuffer(ANSWER_BYTES);
    return bytes;
  }

  #send(from: number, to: number): void {
    for (let at = from; at < to; ) {
      const bytes = this.#source.read(at, to - at).slice(); // a copy, which moves to the thread
      const next = at + bytes.length;
      this.thread.post({ type: "part", segment: this.#segment, at, bytes }, [bytes.buffer]);
      at = next;
    }
  }

  #post(question: SegmentQuestion): void {
    if (this.#isAsked) this.#wait(CHANGE_MS_MAX);
    this.#isAsked = true;
    const answer = this.#answer;
    Atomics.store(new Int32Array(answer), 0, WAITING);
    this.thread.post({ type: "ask", segment: this.#segment, question, answer });
  }

  #fetch(ms: number): Uint8Array<ArrayBuffer> {
    const header = this.#wait(ms);
    const [state, length, size, distinct, pages] = header;
    if (state === TOO_LONG) {
      this.#grow(length!);
      this.#post({ type: "again" });
      return this.#fetch(ms);
    }
    const bytes = new Uint8Array(this.#answer, HEADER_BYTES, length).slice() as Uint8Array<ArrayBuffer>;
    if (state !== DONE) throw errorOfRecord(JSON.parse(new TextDecoder().decode(bytes)), "WORKER_FAILED");
    [this.#size, this.#distinct, this.#memoryBytes] = [size!, distinct!, pages! * PAGE_BYTES];
    return bytes;
  }

  #wait(ms: number): Int32Array {
    const header = new Int32Array(this.#answer, 0, HEADER_WORDS);
    this.thread.wait(header, ms);
    this.#isAsked = false;
    return header;
  }

  #grow(bytes: number): void {
    if (this.#answer.byteLength >= HEADER_BYTES + bytes) return;
    this.#answer = new SharedArrayBuffer(HEADER_BYTES + bytes);
  }
}
