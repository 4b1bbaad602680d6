/**
 * What `Library.exportPack` and `Library.importPack` are given and return.
 *
 * Errors: PACK_DAMAGED (it is not a whole, valid pack), PACK_VECTORS_DIFFER (a vector is not the one that the model gives
 * here), PACK_SIGNATURE (a required signature is missing or wrong), PACK_OUTDATED (the library changed while it was
 * exported), NAMESPACE_MISMATCH and CANON_MISMATCH (the pack is of another kind of library). After any of them the library
 * is as it was.
 */

/** Which documents `Library.exportPack` writes, and options to sign, watch and stop it. */
export interface ExportPackOptions {
  /**
   * Bit prefixes of document ids, each a text of 0 to 128 `0` and `1`, in any order, none within another. The pack then
   * has the documents below them. Default: [""], the whole library. A prefix of 128 digits is one document.
   */
  readonly prefixes?: readonly string[];
  /** Patterns of paths, of which one must match; not together with `prefixes`. Such a pack can be merged, not mirrored. */
  readonly paths?: readonly string[];
  /** Vectors by text hash and no documents, for a device that has the texts or will index them. */
  readonly vectorsOnly?: boolean;
  /** Whether the pack has the vectors of its texts; default true. Without, it is for a device that knows the texts. */
  readonly vectors?: boolean;
  /** The Ed25519 key to sign with: 32 bytes, 64 hexadecimal digits, or PEM (PKCS #8). */
  readonly sign?: string | Uint8Array;
  /** Stops the export. */
  readonly signal?: AbortSignal;
  /** Called as sections are written. */
  readonly onProgress?: (event: PackProgress) => void;
}

/** The progress of an export or an import. Times are for people; nothing else depends on them. */
export interface PackProgress {
  /**
   * What is being done now. An import reads the pack twice: it is checked as a whole, then a sample of its vectors is
   * embedded, and only then is anything written.
   */
  readonly step: "exporting" | "checking" | "verifying" | "writing" | "removing";
  /** Documents done in this step. */
  readonly documents: number;
  /** Documents in the pack. */
  readonly documentsTotal: number;
  /** Vectors done in this step: those of the sample while it is verified. */
  readonly vectors: number;
  /** Vectors in the pack, or in the sample. */
  readonly vectorsTotal: number;
  /** Bytes of the pack that were written or read in this step. */
  readonly bytes: number;
  /** Estimated for this step; null before the first document or vector. */
  readonly secondsLeft: number | null;
}

/**
 * Where a pack is read from. It is read twice: bytes, a Blob (a File) and a function that opens it again and again cost
 * nothing. A stream that can be read only once is kept in memory up to 32 MiB, and beyond that in the library's file until
 * the import is over.
 */
export type PackSource =
  | Uint8Array
  | Blob
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>
  | (() => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>);

/** How many vectors of a pack are computed here and compared before anything is written. */
export type PackVerification = "all" | "sample" | "none";

/** A document of a pack, as it is offered to `ImportPackOptions.choose`. */
export interface PackedDocument {
  /** Its id in the namespace of the pack, in hexadecimal. */
  readonly id: string;
  /** Its path. */
  readonly path: string;
  /** Its value in the root, in hexadecimal, derived here from what the pack holds. */
  readonly value: string;
  /** Its value in the metadata root, in hexadecimal, derived here. */
  readonly metadataHash: string;
  /** When it was modified, in milliseconds since 1970, if that was given. */
  readonly modifiedAt: number | null;
  /** Whether its chunks were made elsewhere: it cannot be taken under another path then. */
  readonly isOutside: boolean;
  /** Returns its canonical text. */
  text(): string;
}

/** What becomes of a document of a pack: it is taken, it is left out, or it is taken under another path. */
export type PackChoice =
  | "take"
  | "leave"
  | {
      /** The path that it is taken under. */
      readonly path: string;
    };

/** How `Library.importPack` trusts, merges and reports. */
export interface ImportPackOptions {
  /**
   * How many vectors are embedded here before anything is written: `sample`, which is max(16, 1 %) chosen at random,
   * `all`, or `none`. Default `sample`. The rest is verified in the background. Vectors of outside chunks need no
   * verification: the root proves them.
   */
  readonly verify?: PackVerification;
  /**
   * Removes the documents below the pack's prefixes that are not in the pack, so that both are equal there. Not for packs
   * of `paths` or `vectorsOnly`, and not with `choose`.
   */
  readonly replace?: boolean;
  /** This library's namespace: accepts a pack of another one and derives the ids of its documents again. */
  readonly as?: string;
  /** The Ed25519 key that must have signed the pack: 32 bytes, 64 hexadecimal digits, or PEM (SubjectPublicKeyInfo). */
  readonly requireSignature?: string | Uint8Array;
  /**
   * Called with each document while the pack is checked, before anything is written, and decides what becomes of it.
   * Default: every document is taken. If it throws, nothing is imported.
   */
  readonly choose?: (document: PackedDocument) => PackChoice | Promise<PackChoice>;
  /**
   * Called once the pack is checked and the sample verified, before anything is written. If it throws, nothing is
   * imported.
   */
  readonly onChecked?: () => void | Promise<void>;
  /** The least number of vectors that a sample has; default 16. A pull of many packs verifies them as one. */
  readonly sampleLeast?: number;
  /** The root that the pack must have, in hexadecimal; any other is BAD_REMOTE. */
  readonly expectRoot?: string;
  /** Stops the import. What is written stays, and importing the same pack again continues from there. */
  readonly signal?: AbortSignal;
  /** Called as the pack is read, verified and written. */
  readonly onProgress?: (event: PackProgress) => void;
}

/** What `Library.importPack` did. */
export interface ImportPackReport {
  /** The number of new documents. */
  readonly added: number;
  /** The number of documents that existed and have changed. */
  readonly updated: number;
  /** The number of documents that existed already, unchanged. */
  readonly unchanged: number;
  /** The number of documents that were removed, with `replace`. */
  readonly removed: number;
  /** The number of documents that `choose` left out. */
  readonly left: number;
  /** The number of chunks written. */
  readonly chunks: number;
  /** The number of vectors that were taken from the pack; the others were known. */
  readonly vectors: number;
  /** How many vectors of the pack were computed here and compared, or compared with ones that were. */
  readonly verified: number;
  /** How many texts came without a vector and were embedded here. */
  readonly embedded: number;
  /** The digest that names the pack, in hexadecimal. */
  readonly pack: string;
  /** The root of the pack's documents, in hexadecimal; that of the exported library if the pack is all of it. */
  readonly packRoot: string;
  /** The public key that signed it, in hexadecimal; null if it is not signed. */
  readonly signedBy: string | null;
  /** The library's root afterwards, in hexadecimal. */
  readonly root: string;
}

/** What writes and reads packs: a `Library`, one of a namespace, or a `BrowserLibrary`. */
export interface PackLibrary {
  /** Returns the bytes of a pack, piece by piece. */
  exportPack(options?: ExportPackOptions): AsyncIterable<Uint8Array>;
  /** Brings the documents and vectors of a pack into the library. */
  importPack(source: PackSource, options?: ImportPackOptions): Promise<ImportPackReport>;
}
