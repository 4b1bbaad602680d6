import { SelfsameError } from "../errors/selfsame-error.ts";
import { Owners } from "./owners.ts";
import type { SegmentIndex } from "./segment-index.ts";
import type { SegmentThread } from "./segment-threads.ts";
import { ThreadedIndex } from "./threaded-index.ts";
import type { VectorIndex } from "./vector-index.ts";

/** How a segment that is not in memory comes back, and what is known of it meanwhile. */
export interface StoredSegment {
  readonly size: number;
  readonly distinct: number;
  /**
   * Starts to load the graph, which is up to date: in the thread if one is given, otherwise at once. The function that is
   * returned ends it; null if the graph is damaged or no longer there.
   */
  readonly load: (thread: SegmentThread | null) => () => SegmentIndex | null;
  /** Calls back with each id and its document. */
  readonly eachOwner: (take: (documentId: Uint8Array, id: Uint8Array) => void) => void;
}

/**
 * The vectors below one prefix of document ids, in their own WebAssembly memory, in this thread or in another. It can be
 * left and loaded again. SPEC §10.10
 */
export class Segment {
  readonly prefix: string;
  #index: SegmentIndex | null;
  /** The thread where it is loaded, if that lives; null for this one. */
  #thread: SegmentThread | null = null;
  /** Ends a load that was started. */
  #loading: (() => SegmentIndex | null) | null = null;
  #owners: Owners | null;
  #stored: StoredSegment | null;
  /** The one document that all ids belong to; null if there are several, undefined if that is not known. */
  #sole: Uint8Array | null | undefined;
  /** How many ids were added or removed since the segment was last stored. */
  changes = 0;
  /** Whether a graph of these documents, or of earlier ones, is stored. */
  wasStored = false;
  /** When it was last used, as a number that only grows. */
  usedAt = 0;

  private constructor(
    prefix: string,
    index: SegmentIndex | null,
    owners: Owners | null,
    stored: StoredSegment | null,
  ) {
    this.prefix = prefix;
    this.#index = index;
    this.#owners = owners;
    this.#stored = stored;
  }

  static of(prefix: string, index: SegmentIndex, owners: Owners): Segment {
    const segment = new Segment(prefix, index, owners, null);
    if (index instanceof ThreadedIndex) segment.#thread = index.thread;
    return segment;
  }

  static stored(prefix: string, stored: StoredSegment, thread: SegmentThread | null = null): Segment {
    const segment = new Segment(prefix, null, null, stored);
    segment.wasStored = true;
    segment.#thread = thread;
    return segment;
  }

  /** The index, which is loaded if it is not in memory. */
  get index(): SegmentIndex {
    if (this.loads()) return this.#index!;
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected the stored graph of segment "${this.prefix}", got none: another process has replaced it`,
      "Search again",
    );
  }

  /** Starts to bring the index into memory: a thread goes on with that by itself. */
  startLoading(): void {
    if (this.#index !== null || this.#loading !== null) return;
    if (this.#thread?.isAlive === false) this.#thread = null;
    this.#loading = this.#stored!.load(this.#thread);
  }

  /** Brings the index into memory; false if what is stored cannot be loaded. */
  loads(): boolean {
    if (this.#index !== null) return true;
    this.startLoading();
    const end = this.#loading!;
    this.#loading = null;
    this.#index = end();
    return this.#index !== null;
  }

  /** Returns the index in this thread. One that is in another thread is brought here. */
  here(load: (bytes: Uint8Array) => VectorIndex): VectorIndex {
    const { index } = this;
    if (!(index instanceof ThreadedIndex)) return index;
    const here = load(index.serialize());
    index.close();
    this.#index = here;
    this.#thread = null;
    return here;
  }

  /** Whether the index is in a thread that has failed. */
  get isLost(): boolean {
    return this.#index instanceof ThreadedIndex && !this.#index.thread.isAlive;
  }

  /**
   * Leaves a thread that has failed: what is stored will be loaded here, what is not comes from `again`. False if that
   * returns null.
   */
  recovers(again: () => VectorIndex | null): boolean {
    const index = this.#stored === null ? again() : null;
    if (this.#stored === null && index === null) return false;
    this.#index = index;
    this.#thread = null;
    return true;
  }

  /** The thread that holds it; null for this one. */
  get thread(): SegmentThread | null {
    return this.#thread;
  }

  get isLoaded(): boolean {
    return this.#index !== null;
  }

  get size(): number {
    return this.#index?.size ?? this.#stored!.size;
  }

  get distinct(): number {
    return this.#index?.distinct ?? this.#stored!.distinct;
  }

  /** A stored segment has its graph. */
  get hasGraph(): boolean {
    return this.#index?.hasGraph ?? true;
  }

  /** Bytes of WebAssembly memory, 0 if it is not loaded. */
  get memoryBytes(): number {
    return this.#index?.memoryBytes ?? 0;
  }

  get owners(): Owners {
    if (this.#owners === null) {
      const owners = new Owners();
      this.#stored!.eachOwner((documentId, id) => owners.note(documentId, id));
      this.#owners = owners;
    }
    return this.#owners;
  }

  /** Whether all ids belong to one document. */
  get isOfOneDocument(): boolean {
    if (this.#sole === undefined) this.#sole = this.owners.soleDocument()?.slice() ?? null;
    return this.#sole !== null;
  }

  add(documentId: Uint8Array, id: Uint8Array, vector: Int16Array): "added" | "updated" | "unchanged" {
    const { index, owners } = this.#changing();
    const outcome = index.add(id, vector);
    if (outcome !== "added") return outcome;
    owners.note(documentId, id);
    if (this.#sole?.some((byte, i) => byte !== documentId[i])) this.#sole = null;
    return outcome;
  }

  remove(documentId: Uint8Array, id: Uint8Array): boolean {
    const { index, owners } = this.#changing();
    if (!index.remove(id)) return false;
    owners.remove(documentId, id);
    if (this.#sole === null) this.#sole = undefined;
    return true;
  }

  /** Records that the segment is stored as it is now, so that it can leave memory. */
  isStoredAs(stored: StoredSegment): void {
    this.#stored = stored;
    this.wasStored = true;
    this.changes = 0;
  }

  /** Leaves memory, if what is stored is up to date; returns whether it did. */
  leave(): boolean {
    if (this.#index === null || this.#stored === null) return false;
    this.#index.close();
    this.#index = null;
    this.#owners = null;
    return true;
  }

  close(): void {
    if (this.#loading !== null) this.loads(); // a thread cannot be interrupted
    this.#index?.close();
    this.#index = null;
  }

  /** What is stored is no longer up to date after this. */
  #changing(): { index: SegmentIndex; owners: Owners } {
    const [index, owners] = [this.index, this.owners];
    this.#stored = null;
    this.changes++;
    return { index, owners };
  }
}
