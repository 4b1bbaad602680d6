import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { documentIds, documentValue, textHash, textHashes } from "../identity/ids.ts";
import { metadataHash } from "../identity/metadata-hash.ts";
import { outsideDigests, outsideLeaf, outsideMetadataHash } from "../identity/outside.ts";
import { isOutsideRecord, type OutsideDocumentRecord, type PackRecord } from "./pack-record.ts";

/** A document of a pack with what was derived from it here. */
export interface NamedRecord {
  readonly record: PackRecord;
  readonly id: Uint8Array<ArrayBuffer>;
  /** Its value in the root. */
  readonly value: Uint8Array<ArrayBuffer>;
  /** Its value in the metadata root. */
  readonly metadataHash: Uint8Array<ArrayBuffer>;
  /** The number of bytes of its canonical text. */
  readonly textBytes: number;
  /** The hash of its text; of an outside document, its value. */
  readonly textHash: Uint8Array<ArrayBuffer>;
}

/** Derives the ids and the values of documents. SPEC §12.2, §13.2, §23.2 */
export function nameRecords(
  engine: Engine,
  namespace: string,
  records: readonly PackRecord[],
  /** Returns the vector that came with an outside chunk; null in a library whose vectors come from its model. */
  vectorOf: (id: Uint8Array) => Uint8Array | null,
): NamedRecord[] {
  const ids = documentIds(
    engine,
    records.map(({ path }) => path),
    namespace,
  );
  return records.map((record, i) => {
    const id = ids[i]!;
    if (isOutsideRecord(record)) return { record, id, ...outsideValues(engine, record, vectorOf) };
    const hash = textHash(engine, record.text);
    return {
      record,
      id,
      textHash: hash,
      value: documentValue(engine, record.path, record.format, hash),
      metadataHash: metadataHash(engine, record),
      textBytes: record.text.length,
    };
  });
}

function outsideValues(
  engine: Engine,
  { chunks }: OutsideDocumentRecord,
  vectorOf: (id: Uint8Array) => Uint8Array | null,
) {
  const hashes = textHashes(
    engine,
    chunks.map(({ text }) => text),
  );
  const digests = outsideDigests(
    engine,
    chunks.map(({ id, sparse }, i) => ({ id, sparse, textHash: hashes[i]!, vector: vectorOf(id) })),
  );
  const value = outsideLeaf(engine, digests);
  return {
    value,
    textHash: value,
    metadataHash: outsideMetadataHash(engine, chunks),
    // Two line breaks between chunks, one at the end. SPEC §23.1
    textBytes: chunks.reduce((sum, { text }) => sum + text.length + 2, 0) - 1,
  };
}

/** Looks up vectors by key. */
export function vectorsByKey(
  entries: readonly { readonly key: Uint8Array; readonly vector: Uint8Array }[],
): Map<string, Uint8Array> {
  return new Map(entries.map(({ key, vector }) => [toHex(key), vector]));
}
