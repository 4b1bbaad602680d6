import type { CanonParts } from "../library/canon.ts";
import type { LibraryCounts } from "../library/library-state.ts";

/**
 * A shard as a coordinator reaches it: the documents below a bit prefix of document ids, in one state. SPEC §29.2
 * Requests and answers are opaque bytes. Any transport will do that gives each request to a holder of this state, once or
 * several times: nothing that a request does changes anything.
 */
export interface Shard {
  /** A text of `0` and `1`; "" if it is the only one. No prefix of a shard starts with that of another. */
  readonly prefix: string;
  /** Names the state: `ShardFacts.state`. Every request contains it. */
  readonly state: string;
  /**
   * Returns the answer to a request, or rejects: with SHARD_UNAVAILABLE if no holder can be reached. A request has at most
   * REQUEST_BYTES_MAX bytes, an answer ANSWER_BYTES_MAX; the transport splits what is too long for its messages.
   */
  ask(request: Uint8Array): Promise<Uint8Array>;
}

/** The most bytes of a request to a shard. */
export const REQUEST_BYTES_MAX = 1 << 20;
/** The most bytes of an answer of a shard. */
export const ANSWER_BYTES_MAX = 64 << 20;

/** What is known of a shard without opening it: plain data, a function of its documents and the canon. */
export interface ShardFacts {
  readonly prefix: string;
  /** The digest of the canon, both roots and the prefix, in hexadecimal: what a request is about. */
  readonly state: string;
  /** The digest of the canon, in hexadecimal. */
  readonly canon: string;
  /** The roots of a library that holds the shard's documents alone, in hexadecimal. */
  readonly root: string;
  readonly metadataRoot: string;
  readonly counts: LibraryCounts;
  /** The number of ranked chunks and of all their tokens, as BM25 counts them. SPEC §25.2 */
  readonly words: { readonly chunks: number; readonly tokens: number };
  /** The number of chunks that have a vector, of distinct vectors, and of the segments that hold them. SPEC §10.10 */
  readonly vectors: { readonly chunks: number; readonly distinct: number; readonly segments: number };
  /** The number of chunks that have a sparse vector. SPEC §24.3 */
  readonly sparse: number;
  /** The nodes of both trees that other shards may have a part in, by their digits, as hexadecimal records. SPEC §13.1 */
  readonly nodes: {
    readonly text: Readonly<Record<string, string>>;
    readonly metadata: Readonly<Record<string, string>>;
  };
}

/** What is known of all shards together: the same as of one library with all documents. */
export interface WholeFacts {
  readonly canon: CanonParts;
  readonly root: string;
  readonly metadataRoot: string;
  readonly counts: LibraryCounts;
  /** Whether graphs answer (SPEC §14.3), and the number of segments that they are of. */
  readonly answersByGraph: boolean;
  readonly segments: number;
  /** By prefix ascending. */
  readonly shards: readonly ShardFacts[];
}
