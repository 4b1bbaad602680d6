import { Breather } from "../../engine/breather.ts";
import { vectorOf } from "../../engine/byte-order.ts";
import { toHex } from "../../engine/digest.ts";
import { abortedError } from "../../errors/selfsame-error.ts";
import { packDamaged } from "../../packs/damage.ts";
import { type NamedRecord, nameRecords, vectorsByKey } from "../../packs/pack-identity.ts";
import type { ImportPackOptions, ImportPackReport } from "../../packs/pack-options.ts";
import { type PackBatch, PackReader } from "../../packs/pack-reader.ts";
import { isOutsideRecord, type OutsideDocumentRecord, type PackRecord } from "../../packs/pack-record.ts";
import { putUnverified } from "../../store/packs.ts";
import { hasEmbedding, putEmbedding } from "../../store/records.ts";
import type { PreparedDocument } from "../document-input.ts";
import type { ChunkChanges, ChunkedDocument, NewVectors, PartsOfText } from "../ingest.ts";
import type { LibraryParts } from "../library-parts.ts";
import { OutsideWriter, type PlacedChunk } from "../outside/outside-writer.ts";
import { vectorsChanged } from "../vectors-epoch.ts";
import type { CheckedPack } from "./check-pack.ts";
import { PackMeter } from "./pack-progress.ts";
import { textsOf } from "./pack-texts.ts";

type Counts = Pick<
  ImportPackReport,
  "added" | "updated" | "unchanged" | "left" | "chunks" | "vectors" | "embedded"
>;

/** Writes the documents and vectors of a pack that was checked, each batch in one transaction. */
export class PackImport {
  readonly #parts: LibraryParts;
  readonly #checked: CheckedPack;
  readonly #options: ImportPackOptions;
  readonly #breather: Breather;
  #counts = { added: 0, updated: 0, unchanged: 0, left: 0, chunks: 0, vectors: 0, embedded: 0 };

  constructor(parts: LibraryParts, checked: CheckedPack, options: ImportPackOptions) {
    this.#parts = parts;
    this.#checked = checked;
    this.#options = options;
    this.#breather = new Breather(() => this.#stop());
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** @param follows whether the index in memory follows each batch */
  async write(stream: AsyncIterable<Uint8Array>, follows: boolean): Promise<void> {
    const { engine, semantic, database } = this.#parts;
    const { digests, end, header } = this.#checked;
    const { documents, chunks, vectors } = header.counts;
    const meter = new PackMeter(this.#options.onProgress, "writing", {
      documents,
      vectors: chunks + vectors,
    });
    const reader = new PackReader(engine, stream);
    try {
      await reader.header();
      let at = 0;
      for await (const batch of reader.batches()) {
        // What is written is what was checked, whatever the source does between two readings.
        if (batch.digests.join() !== digests[at++]) throw changed();
        this.#stop();
        await semantic.follow();
        const before = this.#counts.chunks;
        await this.#batch(batch, follows);
        await database.settled();
        meter.add(batch.documents.length, this.#counts.chunks - before, batch.position);
        await this.#breather.due();
      }
      if (toHex(reader.end.digest) !== toHex(end.digest)) throw changed();
    } finally {
      await reader.close();
    }
  }

  async #batch(batch: PackBatch, follows: boolean): Promise<void> {
    const documents = this.#taken(batch.documents);
    const texts: ChunkedDocument[] = [];
    const outside: OutsideDocumentRecord[] = [];
    for (const { record, ...named } of documents) {
      if (isOutsideRecord(record)) outside.push(record);
      else texts.push(...(await this.#chunked({ ...record, ...named })));
    }
    const isByText = this.#parts.state.dimension === null;
    const byKey = vectorsByKey(batch.vectors);
    const vectors: NewVectors = new Map();
    if (isByText) {
      this.#counts.embedded += await this.#embedMissing(texts, outside, byKey, vectors);
      for (const [key, vector] of byKey) vectors.set(key, vectorOf(vector));
    }
    const { changes, stale } = this.#parts.database.transaction(() => {
      this.#parts.state.checkCanon();
      if (isByText) this.#putVectors(batch);
      const written = this.#parts.ingest.write(texts);
      this.#counts.chunks += written.changes.added.length;
      const other = outside.length === 0 ? [] : [this.#putOutside(outside, byKey)];
      return { changes: [written.changes, ...other], stale: written.stale };
    });
    for (const change of changes) if (follows) this.#parts.semantic.apply(change, vectors);
    if (stale.length > 0) await this.#writeStale(stale, follows);
  }

  /** Returns the documents that are taken, under the ids and paths that they have here. */
  #taken(documents: readonly NamedRecord[]): readonly NamedRecord[] {
    const { engine, state } = this.#parts;
    const { choices, header } = this.#checked;
    const isRenamed = header.canon["namespace"] !== state.canon.namespace;
    if (!isRenamed && choices.size === 0) return documents;
    const taken: PackRecord[] = [];
    for (const { id, record } of documents) {
      const choice = choices.get(toHex(id));
      if (choice === "leave") this.#counts.left++;
      else if (choice === undefined || choice === "take") taken.push(record);
      else taken.push({ ...record, path: choice.path });
    }
    return nameRecords(engine, state.canon.namespace, taken, () => null);
  }

  /** Chunks a document, unless it is here already. */
  async #chunked(document: PreparedDocument): Promise<ChunkedDocument[]> {
    const { ingest } = this.#parts;
    const outcome = ingest.outcome(document, false);
    this.#counts[outcome]++;
    if (outcome === "unchanged") return [];
    return [await ingest.chunk(document, outcome === "added", this.#breather)];
  }

  /** Embeds the texts that came without a vector and have none here. Returns how many. */
  async #embedMissing(
    texts: readonly ChunkedDocument[],
    outside: readonly OutsideDocumentRecord[],
    byKey: ReadonlyMap<string, Uint8Array>,
    vectors: NewVectors,
  ): Promise<number> {
    const isMissing = ({ textHash }: { readonly textHash: Uint8Array }) => !byKey.has(toHex(textHash));
    const missing: PartsOfText[] = texts.map(({ document, chunks }) => ({
      document,
      chunks: chunks?.filter(isMissing) ?? null,
    }));
    for (const record of outside)
      for (const { text, textHash } of await textsOf(this.#parts, record, this.#breather))
        if (isMissing({ textHash }))
          missing.push({ document: { text }, chunks: [{ start: 0, end: text.length, textHash }] });
    return this.#parts.ingest.embed(missing, { signal: this.#options.signal }, vectors);
  }

  /** Stores the vectors that are new here. */
  #putVectors({ vectors, documents }: PackBatch): void {
    const { database, state } = this.#parts;
    const { vectors: check, end } = this.#checked;
    const isAlone = documents.length === 0;
    let changed = false;
    for (const { key, vector } of vectors) {
      const hash = toHex(key);
      if (hasEmbedding(database, key, state.model)) continue;
      const isHere = this.#isHere(key);
      // A text that nobody here knows cannot be embedded: with `all`, its vector is not taken.
      if (isAlone && !isHere && this.#options.verify === "all") continue;
      putEmbedding(database, key, state.model, vector);
      if (!check.isRight(hash)) putUnverified(database, key, end.digest);
      this.#counts.vectors++;
      changed ||= isHere;
    }
    // Documents that had no vectors have some now.
    if (changed) vectorsChanged(database);
  }

  #isHere(textHash: Uint8Array): boolean {
    const sql = "SELECT 1 AS found FROM chunks WHERE textHash = ? LIMIT 1";
    return this.#parts.database.get(sql, [textHash]) !== undefined;
  }

  #putOutside(
    documents: readonly OutsideDocumentRecord[],
    byKey: ReadonlyMap<string, Uint8Array>,
  ): ChunkChanges {
    const { ingest, state } = this.#parts;
    const before = state.root();
    const writer = new OutsideWriter(this.#parts, true);
    writer.put(
      documents.flatMap((document) => placedChunks(document, state.dimension === null ? null : byKey)),
    );
    for (const _ of writer.finish((work) => work()));
    const { added, updated, unchanged, chunks } = writer.counts;
    this.#counts.added += added;
    this.#counts.updated += updated;
    this.#counts.unchanged += unchanged;
    this.#counts.chunks += chunks;
    ingest.writes += writer.added.length + writer.removed.length;
    return { before, after: state.root(), added: writer.added, removed: writer.removed };
  }

  /** Documents whose text was changed by another process meanwhile are chunked after all. */
  async #writeStale(documents: readonly PreparedDocument[], follows: boolean): Promise<void> {
    const { ingest, semantic } = this.#parts;
    for (let rest = documents; rest.length > 0; ) {
      const chunked = rest.map((document) => ({ document, chunks: ingest.chunkAtOnce(document) }));
      const vectors: NewVectors = new Map();
      this.#counts.embedded += await ingest.embed(chunked, { signal: this.#options.signal }, vectors);
      const { changes, stale } = ingest.write(chunked);
      if (follows) semantic.apply(changes, vectors);
      this.#counts.chunks += changes.added.length;
      rest = stale;
    }
  }

  #stop(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw abortedError(signal, "a whole pack", "a stop; import it again to go on");
  }
}

function placedChunks(
  { path, chunks }: OutsideDocumentRecord,
  byKey: ReadonlyMap<string, Uint8Array> | null,
): PlacedChunk[] {
  return chunks.map(({ id, text, fields, ...rest }) => ({
    ...rest,
    id: id.slice(),
    path,
    text: text.slice(),
    fields,
    tokens: (JSON.parse(fields) as { readonly num_tokens?: number | null }).num_tokens ?? 0,
    vector: byKey === null ? null : byKey.get(toHex(id))!,
    where: `chunk ${toHex(id)}`,
  }));
}

function changed() {
  return packDamaged("the pack that was checked", "other bytes when it was read again");
}
