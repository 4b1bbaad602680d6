import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { concat } from "./byte-reader.ts";
import { MAGIC, PackDigest } from "./pack-digest.ts";
import { encodeHeader, type PackHeader } from "./pack-header.ts";
import { encodeRecord, type PackRecord } from "./pack-record.ts";
import { encodeSection, type SectionKind } from "./section.ts";
import { ENTRIES_MAX, encodeEntries, type VectorEntry } from "./vector-entries.ts";

/** A document with the vectors of its texts; or, in a pack of vectors alone, some of its vectors by key ascending. */
export interface PackItem {
  readonly record: PackRecord | null;
  readonly vectors: readonly VectorEntry[];
}

/** A section of documents ends with the one that brings it to this many bytes. SPEC §27.4 */
export const SECTION_BYTES = 1 << 20;

/**
 * Writes a pack, section by section. It holds one section of documents and the vectors of their texts. SPEC §27.2
 *
 * @param items by id ascending
 * @param sign signs the digest of the pack; null: it is not signed
 */
export async function* writePack(
  engine: Engine,
  header: PackHeader,
  items: AsyncIterable<PackItem> | Iterable<PackItem>,
  sign: ((digest: Uint8Array) => Uint8Array) | null = null,
): AsyncGenerator<Uint8Array, void> {
  const digest = new PackDigest(engine);
  const section = (kind: SectionKind, bytes: Uint8Array): Uint8Array => {
    const { stored, digest: of } = encodeSection(engine, kind, bytes);
    if (kind !== "end" && kind !== "signature") digest.add(of);
    return stored;
  };
  yield MAGIC;
  yield section("header", encodeHeader(header));
  const held = new HeldSection();
  for await (const { record, vectors } of items) {
    held.add(record, vectors);
    if (record === null ? held.entries >= ENTRIES_MAX : held.bytes >= SECTION_BYTES)
      for (const [kind, bytes] of held.take(record !== null)) yield section(kind, bytes);
  }
  for (const [kind, bytes] of held.take(true)) yield section(kind, bytes);
  const whole = digest.bytes;
  yield section("end", whole);
  if (sign !== null) yield section("signature", sign(whole));
}

/** What is gathered for the next section of documents. */
class HeldSection {
  #records: Uint8Array[] = [];
  #vectors = new Map<string, VectorEntry>();
  bytes = 0;

  get entries(): number {
    return this.#vectors.size;
  }

  add(record: PackRecord | null, vectors: readonly VectorEntry[]): void {
    if (record !== null) {
      const encoded = encodeRecord(record);
      this.#records.push(encoded);
      this.bytes += encoded.length;
    }
    for (const entry of vectors) this.#vectors.set(toHex(entry.key), entry);
  }

  /** Yields the sections of what is held: documents, then their vectors. @param isAll or full sections of vectors alone */
  *take(isAll: boolean): Generator<[SectionKind, Uint8Array]> {
    if (this.#records.length > 0) yield ["documents", concat(this.#records, this.bytes)];
    const sorted = [...this.#vectors].sort(([a], [b]) => (a < b ? -1 : 1));
    const count = isAll ? sorted.length : sorted.length - (sorted.length % ENTRIES_MAX);
    for (const bytes of encodeEntries(sorted.slice(0, count).map(([, entry]) => entry)))
      yield ["vectors", bytes];
    this.#records = [];
    this.#vectors = new Map(sorted.slice(count));
    this.bytes = 0;
  }
}
