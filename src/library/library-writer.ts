import { runAtOnce } from "../engine/breather.ts";
import { toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { documentIds } from "../identity/ids.ts";
import type { ImportPackOptions, ImportPackReport, PackSource } from "../packs/pack-options.ts";
import { type AddReport, type AddWithinOptions, addDocuments } from "./add-documents.ts";
import { type CompactReport, compact } from "./compact.ts";
import { canonicalPaths, type DocumentInput, readInputs } from "./document-input.ts";
import type { LibraryParts } from "./library-parts.ts";
import { duplicateFinder, setDuplicates } from "./outside/dedupe.ts";
import {
  type IngestOptions,
  type IngestReport,
  ingestOutside,
  type OutsideSource,
} from "./outside/ingest-outside.ts";

/** What `Library.remove` did. */
export interface RemoveReport {
  /** The number of documents that were removed. */
  readonly removed: number;
  /** Paths that no document has, in canonical form. */
  readonly missing: readonly string[];
}

/** The writes of one library. Each waits for the one before it. */
export class LibraryWriter {
  readonly #parts: LibraryParts;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** Adds or updates documents. They are read immediately: the caller may change its objects when this returns. */
  add(documents: readonly DocumentInput[], options: AddWithinOptions): Promise<AddReport> {
    const inputs = readInputs(documents);
    this.#refuseTexts();
    return this.#exclusive(() => addDocuments(this.#parts, inputs, options));
  }

  /** Adds documents whose chunks were made elsewhere. */
  ingest(source: OutsideSource, options: IngestOptions): Promise<IngestReport> {
    return this.#exclusive(() => ingestOutside(this.#parts, source, options));
  }

  /** Brings a pack into the library. The code for it is loaded when it is first needed. */
  importPack(source: PackSource, options: ImportPackOptions): Promise<ImportPackReport> {
    return this.#exclusive(async () => {
      const packs = await import("./packs/import-pack.ts");
      return packs.importPack(this.#parts, source, options);
    });
  }

  /** Removes documents by path. */
  remove(paths: readonly string[]): Promise<RemoveReport> {
    return this.#exclusive(async () => {
      const { database, engine, ingest, semantic, state } = this.#parts;
      const canonical = canonicalPaths(engine, paths);
      const ids = documentIds(engine, canonical, state.canon.namespace);
      const duplicates = await duplicateFinder(this.#parts);
      const { gone, changes } = database.transaction(() => {
        const removal = ingest.remove(ids);
        if (duplicates !== null && removal.gone.length > 0) setDuplicates(database, runAtOnce(duplicates()));
        return removal;
      });
      // Without a duplicate that was removed, others may be ranked again: the index is loaded again.
      if (duplicates === null) semantic.apply(changes);
      const found = new Set(gone.map(toHex));
      return { removed: gone.length, missing: canonical.filter((_, i) => !found.has(toHex(ids[i]!))) };
    });
  }

  /** Shrinks the file to what its documents need. */
  compact(): Promise<CompactReport> {
    return this.#exclusive(async () => compact(this.#parts));
  }

  /** A library of external vectors has no model that could embed a text. */
  #refuseTexts(): void {
    const { canon, dimension } = this.#parts.state;
    if (dimension === null) return;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected chunks with their vectors for this library, whose vectors are ${canon.vectors}, got texts`,
      "Use ingest() and selfsame ingest, or a library whose vectors come from the model",
    );
  }

  /** Waits for the writes that have started. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => undefined);
    return run;
  }
}
