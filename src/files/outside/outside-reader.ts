import type { Place } from "./bad-file.ts";

/** An object that was read from a file, with its place there. */
export interface PlacedObject extends Place {
  readonly value: { readonly [name: string]: unknown };
  /** How many bytes of the unpacked file end with it; absent where that says nothing. */
  readonly bytes?: number;
}

/** A chunk with its vectors, as one record. */
export interface AlignedRecord extends PlacedObject {
  /** Where it was read from, for messages. */
  readonly where: string;
  /** The name of the dense vector in its file; null if there is none. */
  readonly denseKey: string | null;
}

/** How chunks and vectors are brought together. */
export interface AlignOptions {
  /** The name of the dense vector in vector files; default: Qwen3-4B, Qwen3_4B, or the only one that is there. */
  readonly denseKey?: string | undefined;
  /** How many vectors may wait for their chunk; 0 or less: each vector must be that of the next chunk. */
  readonly vectorCacheLimit?: number | undefined;
}

/** The files of an ingest, ready to be read. */
export interface OutsideReader {
  /** Changes if any of the files does: a stopped ingest goes on only with the same files. */
  readonly job: string;
  /** All files that are read. */
  readonly files: readonly string[];
  /** The records, each once. They can be read one time. */
  records(): AsyncGenerator<AlignedRecord>;
  /** The name and the dimension of the first dense vector; null if there is none. */
  vectors(): Promise<{ readonly name: string; readonly dimension: number } | null>;
  /** The share of the work that is done, from 0 to 1. */
  share(): number;
}
