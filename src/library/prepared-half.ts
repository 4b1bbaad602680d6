import { fromHex, toHex } from "../engine/digest.ts";
import { VectorIndex } from "../vectors/vector-index.ts";
import { eachChunk, eachVector } from "./segment-rows.ts";
import type { IndexGround } from "./segment-store.ts";

/** A slice of this many vectors is read in some milliseconds. */
const SLICE_VECTORS = 512;
/** Changes to a large graph take some milliseconds each. */
const CHANGES_PER_TURN = 8;

/** What a slice held when it was read. */
interface Slice {
  readonly prefix: string;
  /** The digest of its documents; empty if it is not read to its end. */
  subtree: string;
  readonly ids: Set<string>;
}

/**
 * The index of what a library has below a prefix, made in steps of some milliseconds, so that searches go on meanwhile.
 * What changes while it is made is caught up with, slice by slice: the digest of a slice's documents says whether
 * anything has.
 */
export class PreparedHalf {
  readonly index: VectorIndex;
  readonly #ground: IndexGround;
  readonly #vectorOf: (chunkId: Uint8Array) => Int16Array;
  readonly #slices: readonly Slice[];

  constructor(ground: IndexGround, prefix: string, vectorOf: (chunkId: Uint8Array) => Int16Array) {
    this.#ground = ground;
    this.#vectorOf = vectorOf;
    this.index = VectorIndex.create(ground.engine.another(), { dim: ground.dim, graph: false });
    const bits = Math.max(0, Math.ceil(Math.log2(ground.segment / SLICE_VECTORS)));
    this.#slices = Array.from({ length: 2 ** bits }, (_, i) => ({
      prefix: prefix + (bits === 0 ? "" : i.toString(2).padStart(bits, "0")),
      subtree: "",
      ids: new Set<string>(),
    }));
  }

  /** Reads everything, a slice at a time. */
  *read(): Generator<void> {
    const { database, state, dim } = this.#ground;
    for (const slice of this.#slices) {
      database.snapshot(() => {
        eachVector(database, state.vectorOwner, dim, slice.prefix, (_, id, vector) => {
          this.index.add(id, vector);
          slice.ids.add(toHex(id));
        });
        slice.subtree = state.subtree(slice.prefix);
      });
      yield;
    }
  }

  /** Makes some of the changes that bring the index up to date, in the open snapshot; returns whether there were any. */
  catchUp(): boolean {
    const { state } = this.#ground;
    const slice = this.#slices.find(({ prefix, subtree }) => state.subtree(prefix) !== subtree);
    if (slice === undefined) return false;
    this.#change(slice);
    return true;
  }

  #change(slice: Slice): void {
    const { database, state } = this.#ground;
    const there = new Set<string>();
    const missing: Uint8Array[] = [];
    eachChunk(database, slice.prefix, (_, id) => {
      const key = toHex(id);
      there.add(key);
      if (!slice.ids.has(key)) missing.push(id.slice());
    });
    const gone = [...slice.ids].filter((key) => !there.has(key));
    for (const key of gone.slice(0, CHANGES_PER_TURN)) {
      this.index.remove(fromHex(key));
      slice.ids.delete(key);
    }
    for (const id of missing.slice(0, CHANGES_PER_TURN)) {
      this.index.add(id, this.#vectorOf(id));
      slice.ids.add(toHex(id));
    }
    if (Math.max(gone.length, missing.length) <= CHANGES_PER_TURN)
      slice.subtree = state.subtree(slice.prefix);
  }

  close(): void {
    this.index.close();
  }
}
