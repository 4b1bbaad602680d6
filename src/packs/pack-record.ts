/** Documents as a pack holds them. SPEC §27.3 */
import { FORMATS, type Format, isFormat } from "../chunks/format.ts";
import { ID_BYTES } from "../engine/digest.ts";
import { concatFields, u32 } from "../identity/tagged-hash.ts";
import { utf8 } from "../text/canonical.ts";
import { concat } from "./byte-reader.ts";
import { packDamaged } from "./damage.ts";

/** A document with its text. */
export interface TextRecord {
  readonly path: string;
  readonly format: Format;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  /** Canonical JSON; null if there is none. */
  readonly metadata: string | null;
  /** Canonical, in UTF-8. */
  readonly text: Uint8Array;
}

/** A document whose chunks were made elsewhere. */
export interface OutsideDocumentRecord {
  readonly path: string;
  /** In the order of the document. */
  readonly chunks: readonly OutsideChunkRecord[];
}

export interface OutsideChunkRecord {
  /** 16 bytes: its UUID. */
  readonly id: Uint8Array;
  /** Canonical, without a line break at its end, in UTF-8. */
  readonly text: Uint8Array;
  /** Canonical JSON. */
  readonly fields: string;
  /** Canonical JSON; null if there is none. */
  readonly bm25: string | null;
  /** By term in the order of UTF-8 bytes; null if there is none. */
  readonly sparse: readonly { readonly term: string; readonly weight: number }[] | null;
}

export type PackRecord = TextRecord | OutsideDocumentRecord;

export function isOutsideRecord(record: PackRecord): record is OutsideDocumentRecord {
  return "chunks" in record;
}

const TEXT_DOCUMENT = 0;
const OUTSIDE_DOCUMENT = 1;
const NOTHING = new Uint8Array(0);

/** Returns the bytes of a document in its section. */
export function encodeRecord(record: PackRecord): Uint8Array {
  const fields = isOutsideRecord(record)
    ? [utf8(record.path), ...record.chunks.flatMap(outsideFields)]
    : [
        utf8(record.path),
        utf8(record.format),
        record.modifiedAt === null ? NOTHING : i64(record.modifiedAt),
        utf8(record.mime ?? ""),
        utf8(record.metadata ?? ""),
        record.text,
      ];
  const kind = isOutsideRecord(record)
    ? [Uint8Array.of(OUTSIDE_DOCUMENT), u32(record.chunks.length)]
    : [Uint8Array.of(TEXT_DOCUMENT)];
  const parts = [...kind, concatFields(fields)];
  return concat(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
}

function outsideFields({ id, text, fields, bm25, sparse }: OutsideChunkRecord): Uint8Array[] {
  const terms = (sparse ?? []).flatMap(({ term, weight }) => [utf8(term), u32(weight)]);
  return [id, text, utf8(fields), utf8(bm25 ?? ""), concatFields(terms)];
}

/** A document of a section, and where its bytes start there. */
export interface PlacedRecord {
  readonly record: PackRecord;
  readonly start: number;
}

/** Reads all documents of a section. @throws {SelfsameError} PACK_DAMAGED */
export function decodeRecords(bytes: Uint8Array): PlacedRecord[] {
  const cursor = new Cursor(bytes);
  const records: PlacedRecord[] = [];
  while (!cursor.isAtEnd) {
    const start = cursor.at;
    const kind = cursor.u8();
    if (kind === TEXT_DOCUMENT) records.push({ record: textRecord(cursor), start });
    else if (kind === OUTSIDE_DOCUMENT) records.push({ record: outsideRecord(cursor), start });
    else throw packDamaged("a document of kind 0 or 1", `${kind}`);
  }
  if (records.length === 0) throw packDamaged("a section with documents", "an empty one");
  return records;
}

function textRecord(cursor: Cursor): TextRecord {
  const path = cursor.text("a path");
  const format = cursor.text("a format");
  if (!isFormat(format))
    throw packDamaged(`a format among ${FORMATS.join(", ")}`, JSON.stringify(format.slice(0, 40)));
  const time = cursor.field();
  return {
    path,
    format,
    modifiedAt: time.length === 0 ? null : milliseconds(time),
    mime: cursor.text("a media type") || null,
    metadata: cursor.text("metadata") || null,
    text: cursor.field(),
  };
}

function outsideRecord(cursor: Cursor): OutsideDocumentRecord {
  const count = cursor.u32();
  const path = cursor.text("a path");
  const chunks: OutsideChunkRecord[] = [];
  // Each takes at least 20 bytes, so that a false count ends with the section.
  while (chunks.length < count) {
    const id = cursor.field();
    if (id.length !== ID_BYTES) throw packDamaged(`a UUID of ${ID_BYTES} bytes`, `${id.length}`);
    const text = cursor.field();
    const fields = cursor.text("the fields of a chunk");
    const bm25 = cursor.text("the BM25 terms of a chunk") || null;
    chunks.push({ id, text, fields, bm25, sparse: sparseTerms(cursor.field()) });
  }
  if (count === 0) throw packDamaged("a document with chunks", "one without");
  return { path, chunks };
}

function sparseTerms(bytes: Uint8Array): OutsideChunkRecord["sparse"] {
  if (bytes.length === 0) return null;
  const cursor = new Cursor(bytes);
  const terms: { term: string; weight: number }[] = [];
  while (!cursor.isAtEnd) {
    const term = cursor.text("a term");
    const weight = new Cursor(cursor.field());
    terms.push({ term, weight: weight.u32() });
    if (!weight.isAtEnd) throw packDamaged("a weight of 4 bytes", "more");
  }
  return terms;
}

function i64(value: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigInt64(0, BigInt(value), true);
  return out;
}

function milliseconds(bytes: Uint8Array): number {
  if (bytes.length === 8) {
    const value = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true));
    if (Number.isSafeInteger(value)) return value;
  }
  throw packDamaged("a time in whole milliseconds", `${bytes.length} bytes that are none`);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads lengths and fields, never past the end. */
class Cursor {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  u8(): number {
    return this.#take(1)[0]!;
  }

  u32(): number {
    const bytes = this.#take(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  /** Returns a view of the next field. */
  field(): Uint8Array {
    return this.#take(this.u32());
  }

  text(what: string): string {
    const bytes = this.field();
    try {
      return decoder.decode(bytes);
    } catch {
      throw packDamaged(`${what} in UTF-8`, "other bytes");
    }
  }

  #take(count: number): Uint8Array {
    if (count > this.#bytes.length - this.at)
      throw packDamaged(`${count} bytes in a section`, `${this.#bytes.length - this.at}`);
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }
}
