import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { SortedRoot } from "../identity/sorted-root.ts";
import { compareBytes } from "../identity/tree-node.ts";
import { isBelow } from "../vectors/prefix.ts";
import { ByteReader } from "./byte-reader.ts";
import { packDamaged } from "./damage.ts";
import { MAGIC, PackDigest } from "./pack-digest.ts";
import { decodeHeader, type PackHeader } from "./pack-header.ts";
import { type NamedRecord, nameRecords, vectorsByKey } from "./pack-identity.ts";
import { decodeRecords, isOutsideRecord, type PlacedRecord } from "./pack-record.ts";
import { SECTION_BYTES } from "./pack-writer.ts";
import { readSection, type Section } from "./section.ts";
import { decodeEntries, ENTRIES_MAX, entryShape, type VectorEntry } from "./vector-entries.ts";

/** A section of documents with the vectors of their texts, or a section of vectors alone. */
export interface PackBatch {
  readonly documents: readonly NamedRecord[];
  readonly vectors: readonly VectorEntry[];
  /** The digests of its sections. */
  readonly digests: readonly string[];
  /** The number of bytes of the pack up to its end. */
  readonly position: number;
}

/** What is known at the end of a pack. */
export interface PackEnd {
  /** The digest that names it. */
  readonly digest: Uint8Array;
  /** The contents of its signature; null if it is not signed. */
  readonly signature: Uint8Array | null;
  readonly position: number;
}

/**
 * Reads a pack, section by section: first `header`, then all `batches`, then `end`. Every rule about the bytes of a pack is
 * checked here; what needs a tokenizer or a library is left to the caller. SPEC §27.5
 */
export class PackReader {
  readonly #engine: Engine;
  readonly #reader: ByteReader;
  readonly #digest: PackDigest;
  #header: PackHeader | null = null;
  #next: Section | null = null;
  #end: PackEnd | null = null;

  constructor(engine: Engine, stream: AsyncIterable<Uint8Array>) {
    this.#engine = engine;
    this.#reader = new ByteReader(stream);
    this.#digest = new PackDigest(engine);
  }

  /** Reads the header. */
  async header(): Promise<PackHeader> {
    const magic = await this.#reader.read(MAGIC.length);
    if (compareBytes(magic, MAGIC) !== 0) throw packDamaged("the first bytes of a pack", "others");
    const section = await this.#section();
    if (section.kind !== "header") throw packDamaged("a header", section.kind);
    this.#header = decodeHeader(section.bytes);
    return this.#header;
  }

  /** Reads documents and vectors, and checks counts, order, prefixes and roots. */
  async *batches(): AsyncGenerator<PackBatch, void> {
    const header = this.#header!;
    const rest = header.contents === "vectors" ? this.#vectors(header) : this.#documents(header);
    yield* rest;
    await this.#readEnd();
  }

  /** What the end says; after all batches. */
  get end(): PackEnd {
    return this.#end!;
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.#reader.close();
  }

  async *#documents(header: PackHeader): AsyncGenerator<PackBatch, void> {
    const shape = entryShape(header);
    const check = new DocumentCheck(this.#engine, header);
    let before: Section | null = null;
    for (;;) {
      const section = await this.#take(["documents"]);
      if (section === null) break;
      if (before !== null && before.bytes.length < SECTION_BYTES)
        throw packDamaged(
          `a section of at least ${SECTION_BYTES} bytes before another`,
          `${before.bytes.length}`,
        );
      before = section;
      const records = decodeRecords(section.bytes);
      if (records.at(-1)!.start >= SECTION_BYTES)
        throw packDamaged(`a section to end with the document that fills it`, "one more");
      const digests = [toHex(section.digest)];
      const entries: VectorEntry[] = [];
      for (;;) {
        const vectors = header.contents === "texts" ? null : await this.#take(["vectors"]);
        if (vectors === null) break;
        if (entries.length % ENTRIES_MAX !== 0)
          throw packDamaged("full sections of vectors", "one that is not");
        entries.push(...decodeEntries(vectors.bytes, shape, entries.at(-1)?.key ?? null));
        digests.push(toHex(vectors.digest));
      }
      const documents = this.#named(header, records, entries);
      for (const document of documents) check.add(document);
      yield { documents, vectors: entries, digests, position: this.#reader.position };
    }
    check.finish();
  }

  #named(
    header: PackHeader,
    records: readonly PlacedRecord[],
    entries: readonly VectorEntry[],
  ): NamedRecord[] {
    const isOwn = header.canon["vectors"] !== "model";
    const byKey = isOwn ? vectorsByKey(entries) : null;
    const namespace = header.canon["namespace"] ?? "";
    let used = 0;
    const vectorOf = (id: Uint8Array) => {
      const vector = byKey?.get(toHex(id));
      if (byKey !== null && vector === undefined)
        throw packDamaged(`the vector of chunk ${toHex(id)}`, "none");
      used++;
      return vector ?? null;
    };
    try {
      const documents = nameRecords(
        this.#engine,
        namespace,
        records.map(({ record }) => record),
        vectorOf,
      );
      if (isOwn && documents.some(({ record }) => !isOutsideRecord(record)))
        throw packDamaged("documents with their chunks and vectors", "a text");
      if (isOwn && used !== entries.length) throw packDamaged(`${used} vectors`, `${entries.length}`);
      return documents;
    } catch (error) {
      // Names that no document can have.
      if (error instanceof SelfsameError && error.code === "BAD_ARGUMENT")
        throw packDamaged("documents with paths", error.reason);
      throw error;
    }
  }

  async *#vectors(header: PackHeader): AsyncGenerator<PackBatch, void> {
    const shape = entryShape(header);
    if (header.canon["vectors"] !== "model")
      throw packDamaged("vectors by text", `vectors ${header.canon["vectors"]?.slice(0, 80)} alone`);
    let count = 0;
    let last: Uint8Array | null = null;
    for (;;) {
      const section = await this.#take(["vectors"]);
      if (section === null) break;
      if (count % ENTRIES_MAX !== 0) throw packDamaged("full sections of vectors", "one that is not");
      const vectors = decodeEntries(section.bytes, shape, last);
      count += vectors.length;
      last = vectors.at(-1)!.key;
      yield { documents: [], vectors, digests: [toHex(section.digest)], position: this.#reader.position };
    }
    const { documents, chunks, textBytes, vectors } = header.counts;
    if (count !== vectors || documents + chunks + textBytes !== 0)
      throw packDamaged(`${vectors} vectors and nothing else`, `${count}`);
  }

  async #readEnd(): Promise<void> {
    const digest = this.#digest.bytes;
    const end = this.#next!;
    if (end.kind !== "end") throw packDamaged("documents, vectors or the end", end.kind);
    if (compareBytes(end.bytes, digest) !== 0)
      throw packDamaged(`the end of the pack ${toHex(digest)}`, `that of ${toHex(end.bytes)}`);
    let signature: Uint8Array | null = null;
    if (!(await this.#reader.isAtEnd())) {
      const last = await readSection(this.#engine, this.#reader);
      if (last.kind !== "signature") throw packDamaged("the end", last.kind);
      signature = last.bytes;
      if (!(await this.#reader.isAtEnd())) throw packDamaged("the end", "more bytes");
    }
    this.#end = { digest, signature, position: this.#reader.position };
  }

  /** Returns the next section if it is of one of these kinds; otherwise it stays the next one. */
  async #take(kinds: readonly Section["kind"][]): Promise<Section | null> {
    this.#next ??= await this.#section();
    const section = this.#next;
    if (!kinds.includes(section.kind)) return null;
    this.#next = null;
    return section;
  }

  async #section(): Promise<Section> {
    const section = await readSection(this.#engine, this.#reader);
    if (section.kind !== "end" && section.kind !== "signature") this.#digest.add(section.digest);
    return section;
  }
}

/** Checks what the header says of all documents. */
class DocumentCheck {
  readonly #header: PackHeader;
  readonly #root: SortedRoot;
  readonly #metadataRoot: SortedRoot;
  #last: Uint8Array | null = null;
  /** The prefix that the last document was below. */
  #prefix = 0;
  #documents = 0;
  #textBytes = 0;

  constructor(engine: Engine, header: PackHeader) {
    this.#header = header;
    this.#root = new SortedRoot(engine);
    this.#metadataRoot = new SortedRoot(engine);
  }

  add({ id, value, metadataHash, textBytes, record }: NamedRecord): void {
    const { prefixes } = this.#header;
    if (this.#last !== null && compareBytes(this.#last, id) >= 0)
      throw packDamaged(
        "documents by id, each once",
        `${JSON.stringify(record.path.slice(0, 200))} after a larger id`,
      );
    while (prefixes !== null && !isBelow(id, prefixes[this.#prefix] ?? "")) this.#prefix++;
    if (prefixes !== null && this.#prefix >= prefixes.length)
      throw packDamaged(
        "documents below the prefixes of the pack",
        JSON.stringify(record.path.slice(0, 200)),
      );
    this.#last = id;
    this.#documents++;
    this.#textBytes += textBytes;
    this.#root.add({ id, value });
    this.#metadataRoot.add({ id, value: metadataHash });
  }

  finish(): void {
    const { counts, root, metadataRoot } = this.#header;
    const { documents, textBytes, vectors } = counts;
    if (this.#documents !== documents || this.#textBytes !== textBytes || vectors !== 0)
      throw packDamaged(
        `${documents} documents with ${textBytes} bytes`,
        `${this.#documents} with ${this.#textBytes}`,
      );
    for (const [what, expected, got] of [
      ["root", root, toHex(this.#root.root())],
      ["metadata root", metadataRoot, toHex(this.#metadataRoot.root())],
    ])
      if (expected !== got) throw packDamaged(`documents with the ${what} ${expected}`, `${got}`);
  }
}
