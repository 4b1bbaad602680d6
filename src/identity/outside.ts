import type { Engine } from "../engine/engine.ts";
import { utf8 } from "../text/canonical.ts";
import { concatFields, tagField, taggedHash, taggedHashes, u32 } from "./tagged-hash.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = tagField("outside-chunk");
const DOCUMENT = tagField("outside-document");
const METADATA = tagField("outside-metadata");
const NOTHING = new Uint8Array(0);

/** What the digest of an outside chunk covers. */
export interface OutsideIdentity {
  /** 16 bytes: its UUID. */
  readonly id: Uint8Array;
  readonly textHash: Uint8Array;
  /** i16, little-endian; null if it has none of its own. */
  readonly vector: Uint8Array | null;
  /** Each term once, in the order of UTF-8 bytes; null if it has none. */
  readonly sparse: readonly { readonly term: string; readonly weight: number }[] | null;
}

/** What else came with an outside chunk. */
export interface OutsideFields {
  /** Canonical JSON. */
  readonly fields: string;
  /** Canonical JSON; null if there is none. */
  readonly bm25: string | null;
}

/** Returns 32 bytes for each outside chunk. SPEC §23.2 */
export function outsideDigests(engine: Engine, chunks: readonly OutsideIdentity[]): Bytes[] {
  return taggedHashes(
    engine,
    CHUNK,
    chunks.map(({ id, textHash, vector, sparse }) => [id, textHash, vector ?? NOTHING, sparseBytes(sparse)]),
  );
}

function sparseBytes(sparse: OutsideIdentity["sparse"]): Uint8Array {
  if (sparse === null) return NOTHING;
  return concatFields(sparse.flatMap(({ term, weight }) => [utf8(term), u32(weight)]));
}

/** Returns the value of an outside document in the root: 32 bytes. `digests` are in the order of its chunks. SPEC §23.2 */
export function outsideLeaf(engine: Engine, digests: readonly Uint8Array[]): Bytes {
  return taggedHash(engine, DOCUMENT, digests);
}

/** Returns the value of an outside document in the metadata root: 32 bytes. SPEC §23.2 */
export function outsideMetadataHash(engine: Engine, chunks: readonly OutsideFields[]): Bytes {
  return taggedHash(
    engine,
    METADATA,
    chunks.flatMap(({ fields, bm25 }) => [utf8(fields), bm25 === null ? NOTHING : utf8(bm25)]),
  );
}
