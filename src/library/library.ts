import {
  badArgument,
  checkKinds,
  optionsArgument,
  stringArgument,
  textsArgument,
} from "../errors/arguments.ts";
import type { CrossEncoder } from "../model/cross-encoder.ts";
import type {
  ExportPackOptions,
  ImportPackOptions,
  ImportPackReport,
  PackLibrary,
  PackSource,
} from "../packs/pack-options.ts";
import { isRecallReceipt } from "../recall/receipt-parameters.ts";
import type { RecallRequest } from "../recall/request.ts";
import type { RecallResponse } from "../recall/response.ts";
import type { RecallStore } from "../recall/stores.ts";
import type { SearchAnswer } from "../search/answer.ts";
import { checkReceipt, parseReceipt, type Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { AddOptions, AddReport, AddWithinOptions } from "./add-documents.ts";
import { ADD_FILES_KINDS, type AddFilesOptions, type AddFilesReport, addFiles } from "./add-files.ts";
import { type CheckOptions, checkLibrary, type LibraryCheck } from "./check.ts";
import type { CompactReport } from "./compact.ts";
import { compareLibraries, type DocumentDifference, type RemoteTree } from "./compare-libraries.ts";
import type { DocumentInput } from "./document-input.ts";
import { FeedbackLog } from "./feedback-log.ts";
import { type FollowFilesOptions, followFiles } from "./follow-files.ts";
import { LibraryContents } from "./library-contents.ts";
import type { LibraryParts } from "./library-parts.ts";
import { LibraryWriter, type RemoveReport } from "./library-writer.ts";
import type { IngestOptions, IngestReport, OutsideSource } from "./outside/ingest-outside.ts";
import { LaterVerification } from "./packs/later-verification.ts";
import type { ExportTreeOptions, ExportTreeReport } from "./pull/export-tree.ts";
import type { PulledLibrary } from "./pull/library-remote.ts";
import { type PullOptions, type PullReport, pullOptions } from "./pull/pull-options.ts";
import type { Remote } from "./pull/remote.ts";
import { type FeedbackReport, giveFeedback, type RecallFeedback } from "./recall-feedback.ts";
import { Recaller } from "./recaller.ts";
import { searchedLibrary } from "./searched.ts";
import { type ReceiptVerdict, Searcher } from "./searcher.ts";

/**
 * Documents, chunked, embedded and indexed in one SQLite database. Two libraries with the same canon and the same
 * documents are identical, whatever their histories: same chunks, same ids, same scores, same root.
 *
 * Every method that reads or writes the database returns a promise, and reports a bad argument by rejecting it.
 * Properties are known from the time the library was opened. `BrowserLibrary` has the same methods.
 */
export class Library extends LibraryContents implements RemoteTree, PackLibrary {
  readonly #parts: LibraryParts;
  readonly #writer: LibraryWriter;
  readonly #searcher: Searcher;
  readonly #recaller: Recaller;
  readonly #feedback: FeedbackLog;
  readonly #verification: LaterVerification;

  /** @internal Use `open`. */
  constructor(parts: LibraryParts) {
    super(parts);
    this.#parts = parts;
    this.#writer = new LibraryWriter(parts);
    this.#searcher = new Searcher(searchedLibrary(parts));
    this.#feedback = new FeedbackLog(parts);
    this.#verification = new LaterVerification(parts);
    this.#recaller = new Recaller(parts, this.#feedback);
  }

  /**
   * Adds documents, or updates those whose paths exist. Unchanged ones cost one hash. A text that was embedded before,
   * under any path, is not embedded again. The documents are read before this returns, so they may change afterwards.
   *
   * @example
   * await library.add([{ path: "ties.md", text: "# Ties\n…", modifiedAt: Date.now() }]);
   */
  async add(documents: readonly DocumentInput[], options: AddOptions = {}): Promise<AddReport> {
    const given = checkKinds(optionsArgument<AddWithinOptions>(options), {
      ...{
        signal: "signal",
        onProgress: "function",
        onDocument: "function",
        force: "flag",
        onPart: "function",
      },
    });
    return this.#writer.add(documents, given);
  }

  /**
   * Brings the library up to date with the files below `paths`: new and changed files are added, documents whose files
   * are gone are removed, and unchanged files are not read. In Node, Deno and Bun.
   *
   * @example
   * const { added, updated, removed } = await library.addFiles(["docs", "README.md"]);
   */
  async addFiles(paths: readonly string[], options: AddFilesOptions = {}): Promise<AddFilesReport> {
    const given = checkKinds(optionsArgument(options), ADD_FILES_KINDS);
    return addFiles(this.#writer, this.#parts, textsArgument("paths", paths), given);
  }

  /**
   * Keeps the library up to date with the files below `paths` while they change, until `signal` stops it. In Node, Deno
   * and Bun.
   *
   * @example
   * await library.followFiles(["docs"], { signal, onEvent: (event) => console.log(event.type) });
   */
  async followFiles(paths: readonly string[], options: FollowFilesOptions): Promise<void> {
    const given = checkKinds(optionsArgument(options), { ...ADD_FILES_KINDS, onEvent: "function" });
    if (given.signal === undefined) throw badArgument("signal", "an AbortSignal", undefined);
    return followFiles(this, textsArgument("paths", paths), given);
  }

  /**
   * Adds documents whose chunks were made elsewhere, with the vectors that came with them: records, or files (chunk JSONL
   * and vector JSONL or Parquet, plain or gzip). A document's chunks are exactly those that are given. Either all of it is
   * added or nothing. A large ingest is written to a file beside the library, which then takes its place; searches are
   * answered meanwhile. Files are read in Node, Deno and Bun.
   *
   * @example
   * const library = await open("papers.db", { vectors: { name: "Qwen3-4B", dimension: 2560 } });
   * await library.ingest({ chunks: "Data" }, { onProgress: ({ chunks }) => console.log(chunks) });
   * await library.ingest([{ uuid, doc_id: "guide", chunk_id: "guide#1", text, vector, sparse: { terms, weights } }]);
   */
  async ingest(source: OutsideSource, options: IngestOptions = {}): Promise<IngestReport> {
    const given = checkKinds(optionsArgument(options), {
      ...{ denseKey: "text", signal: "signal", onProgress: "function" },
    });
    const limit = given.vectorCacheLimit;
    if (limit !== undefined && !Number.isSafeInteger(limit))
      throw badArgument("vectorCacheLimit", "a whole number", limit);
    return this.#writer.ingest(source, given);
  }

  /**
   * Finds chunks by meaning, by words, or by both. The same query on the same documents gives the same answer on every
   * device, bit for bit (except `timings`).
   *
   * @example
   * const { results, receipt } = await library.search("how are ties broken?", { topK: 5 });
   */
  search(query: string, parameters: SearchParameters = {}): Promise<SearchAnswer> {
    return this.#searcher.search(query, parameters);
  }

  /**
   * Re-runs the search of a receipt, given as text or as an object, and reports how this library's answer differs.
   *
   * @example
   * const { isSame, differences } = await library.verifyReceipt(await readFile("receipt.json", "utf8"));
   */
  async verifyReceipt(receipt: string | Receipt): Promise<ReceiptVerdict> {
    const { engine } = this.#parts;
    const checked =
      typeof receipt === "string" ? parseReceipt(engine, receipt) : checkReceipt(engine, receipt);
    return isRecallReceipt(checked) ? this.#recaller.verify(checked) : this.#searcher.verify(checked);
  }

  /**
   * Recalls memories: asks words, vectors, term weights and the graph of documents, ranks what they find by features
   * with reasons and a confidence, within a budget and within what the person may see. With `ctx.now` the answer has a
   * receipt and is the same on every device, bit for bit (except `used_time_ms`).
   *
   * @example
   * const { results } = await library.recall({
   *   query_text: "birthday party balloons and candles",
   *   ctx: { person_id: "alice", top_k: 12, now: Date.now() },
   * });
   */
  async recall(request: RecallRequest): Promise<RecallResponse> {
    return this.#recaller.recall(request);
  }

  /**
   * Adds a store of the application to those that `recall` asks. Receipts name it; they can be verified only where a
   * store of that name answers alike.
   */
  registerStore(store: RecallStore): void {
    this.#recaller.register(store);
  }

  /**
   * Sets the cross-encoder that ranks the first memories again if a request says `allow_cross_encoder`. Receipts name it.
   * null: the one that the option `crossEncoder` of `open` named, if any.
   *
   * @example
   * const { model } = await loadCrossEncoder({ model: manifest, files }); // from "selfsame/engine"
   * library.useCrossEncoder(model);
   */
  useCrossEncoder(model: CrossEncoder | null): void {
    this.#recaller.useCrossEncoder(model);
  }

  /**
   * Keeps what a person accepted and rejected of a recall, by chunk ids or paths. It changes nothing until a request says
   * `use_feedback: true`.
   *
   * @example
   * await library.feedback({ query: { query_text: "birthday" }, accepted: ["notes/party.md"] });
   */
  async feedback(feedback: RecallFeedback): Promise<FeedbackReport> {
    return giveFeedback(this.#recaller, this.#feedback, feedback);
  }

  /** Forgets all feedback. Returns how many events there were. */
  async resetFeedback(): Promise<number> {
    return this.#feedback.reset();
  }

  /**
   * Returns the bytes of a pack, piece by piece: documents with the vectors of their texts, for another device that then
   * need not compute them. Two devices with the same documents write the same bytes. The library may be used meanwhile; if it
   * changes, the export ends with PACK_OUTDATED.
   *
   * @example
   * await pipeline(library.exportPack({ paths: ["notes/**"] }), createWriteStream("notes.pack"));
   */
  async *exportPack(options: ExportPackOptions = {}): AsyncGenerator<Uint8Array, void> {
    const given = checkKinds(optionsArgument(options), {
      ...{ prefixes: "texts", paths: "texts", vectorsOnly: "flag", vectors: "flag" },
      ...{ signal: "signal", onProgress: "function" },
    });
    const packs = await import("./packs/export-pack.ts");
    yield* packs.exportPack(this.#parts, given);
  }

  /**
   * Brings the documents and vectors of a pack into the library, which keeps what else it has. Ids, chunks, hashes and the
   * root are derived here and compared; of the vectors, a random sample is embedded before anything is written. A pack
   * that is damaged or wrong changes nothing.
   *
   * @example
   * const { added, verified } = await library.importPack(() => createReadStream("notes.pack"), { verify: "sample" });
   */
  async importPack(source: PackSource, options: ImportPackOptions = {}): Promise<ImportPackReport> {
    const report = await this.#writer.importPack(source, optionsArgument(options));
    this.#verification.wake();
    return report;
  }

  /** Removes documents by path. Paths that do not exist are returned as `missing`. */
  async remove(paths: readonly string[]): Promise<RemoveReport> {
    return this.#writer.remove(textsArgument("paths", paths));
  }

  /**
   * Returns the documents that differ between this library and another, by id. Only the nodes that differ between the
   * two trees are requested, about log₁₆ of the number of documents for each difference.
   *
   * @example
   * for (const { path, change } of await library.diff(other)) console.log(change, path);
   */
  diff(other: RemoteTree): Promise<DocumentDifference[]> {
    const { engine, state } = this.#parts;
    return compareLibraries(engine, state.trees.text, this, other);
  }

  /**
   * Brings over what another library has: only the documents that differ are transferred, with their vectors. `remote` is a
   * library, an address (a namespace of `selfsame serve --allow-pull`, an exported tree, a pack), a folder or a file, or any
   * `Remote`. What both have in common is remembered, so that a document that one side deleted stays deleted.
   *
   * @example
   * await phone.pull(laptop, { name: "laptop" }); // both changes are kept
   * await copy.pull("https://example.org/notes/", { mode: "mirror" }); // becomes equal
   * const { changes } = await phone.pull(laptop, { name: "laptop", dryRun: true });
   */
  async pull(remote: Remote | PulledLibrary | string | URL, options: PullOptions = {}): Promise<PullReport> {
    const given = pullOptions(options);
    const pulling = await import("./pull/pull.ts");
    return pulling.pullFrom(this.#parts, this.#writer, remote, given);
  }

  /**
   * Writes the library to a folder as packs of its parts and an index, for `pull`: any web server or object store can
   * serve it. Parts that have not changed since the last export are left as they are. In Node, Deno and Bun.
   *
   * @example
   * const { packs, written } = await library.exportTree("public/notes");
   */
  async exportTree(folder: string, options: ExportTreeOptions = {}): Promise<ExportTreeReport> {
    const given = checkKinds(optionsArgument(options), { signal: "signal", onProgress: "function" });
    const trees = await import("./pull/export-tree.ts");
    return trees.exportTreeTo(this.#parts, stringArgument("folder", folder), given);
  }

  /**
   * Checks the library against its own texts. All hashes, roots, chunks, words and the graph are derived again and
   * compared, and so are vectors, a random sample or all. Nothing is written. Each problem comes with what to do about
   * it.
   *
   * @example
   * const { isSound, findings } = await library.check({ full: true });
   */
  async check(options: CheckOptions = {}): Promise<LibraryCheck> {
    const given = checkKinds(optionsArgument(options), {
      ...{ embeddings: "count", full: "flag", signal: "signal", onFinding: "function" },
    });
    return checkLibrary(this.#parts, given);
  }

  /**
   * Brings the vectors into memory and builds the graphs that are missing, as the first search by meaning would. After
   * many additions that takes minutes (`onIndexProgress` of `open` reports how far it is); what is done is stored
   * segment by segment.
   *
   * @example
   * await library.prepare(); // the first search is then as fast as any other
   */
  async prepare(): Promise<void> {
    const { semantic, state } = this.#parts;
    await semantic.current(state.root());
  }

  /**
   * Shrinks the file to what its documents need: vectors of removed texts are dropped, the word index is rebuilt, and
   * nothing of removed text stays in the file. It takes about as long as copying the file, and needs as much additional
   * space.
   *
   * @example
   * const { bytesBefore, bytesAfter } = await library.compact();
   */
  compact(): Promise<CompactReport> {
    return this.#writer.compact();
  }

  /** Stops all work and closes the file. */
  async close(): Promise<void> {
    await this.#writer.settled();
    await this.#verification.close();
    const { database, embedder, ownsEmbedder, semantic } = this.#parts;
    await semantic.close();
    if (ownsEmbedder) embedder.close();
    database.close();
  }
}
