import { SelfsameError } from "../errors/selfsame-error.ts";
import { Owners } from "./owners.ts";
import type { VectorIndex } from "./vector-index.ts";

/** How a segment that is not in memory comes back, and what is known of it meanwhile. */
export interface StoredSegment {
  readonly size: number;
  readonly distinct: number;
  /** Loads the graph, which is up to date; null if it is damaged or no longer there. */
  readonly load: () => VectorIndex | null;
  /** Calls back with each id and its document. */
  readonly eachOwner: (take: (documentId: Uint8Array, id: Uint8Array) => void) => void;
}

/** The vectors below one prefix of document ids, in their own WebAssembly memory, which can be left and loaded again. SPEC §10.10 */
export class Segment {
  readonly prefix: string;
  #index: VectorIndex | null;
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
    index: VectorIndex | null,
    owners: Owners | null,
    stored: StoredSegment | null,
  ) {
    this.prefix = prefix;
    this.#index = index;
    this.#owners = owners;
    this.#stored = stored;
  }

  static of(prefix: string, index: VectorIndex, owners: Owners): Segment {
    return new Segment(prefix, index, owners, null);
  }

  static stored(prefix: string, stored: StoredSegment): Segment {
    const segment = new Segment(prefix, null, null, stored);
    segment.wasStored = true;
    return segment;
  }

  /** The index, which is loaded if it is not in memory. */
  get index(): VectorIndex {
    if (this.loads()) return this.#index!;
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected the stored graph of segment "${this.prefix}", got none: another process has replaced it`,
      "Search again",
    );
  }

  /** Brings the index into memory; false if what is stored cannot be loaded. */
  loads(): boolean {
    this.#index ??= this.#stored!.load();
    return this.#index !== null;
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
    this.#index?.close();
    this.#index = null;
  }

  /** What is stored is no longer up to date after this. */
  #changing(): { index: VectorIndex; owners: Owners } {
    const [index, owners] = [this.index, this.owners];
    this.#stored = null;
    this.changes++;
    return { index, owners };
  }
}
