import { toHex } from "../engine/digest.ts";
import type { Build } from "../engine/engine.ts";
import { badArgument, optionsArgument, stringArgument, textsArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { documentId } from "../identity/ids.ts";
import type { CanonParts } from "../library/canon.ts";
import {
  type ChunkInfo,
  type ChunkOfDocument,
  type DocumentInfo,
  type DocumentLines,
  type DocumentPage,
  type DocumentText,
  linesIn,
} from "../library/contents.ts";
import type { LibraryStats } from "../library/library-contents.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import type { OpenOptions } from "../library/open-options.ts";
import type { ReceiptVerdict, SearchHooks } from "../library/searcher.ts";
import { Searcher } from "../library/searcher.ts";
import type { SearchAnswer } from "../search/answer.ts";
import type { Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import { canonicalPath } from "../text/path.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { searchedShards } from "./searched-shards.ts";
import type { Shard, WholeFacts } from "./shard.ts";
import { type ShardClient, ShardClients } from "./shard-clients.ts";

/** What a library is opened from that lies in shards. */
export interface ShardedOptions {
  readonly facts: WholeFacts;
  /** A way to each shard of the facts. */
  readonly shards: readonly Shard[];
  /** What the shards were made with: model, chunking, index, segment, namespace, vectors. */
  readonly open?: OpenOptions;
}

/**
 * Opens a library that lies in shards, for reading. Its answers and receipts equal, bit by bit, those of one library with
 * the same documents. SPEC §29.1
 *
 * @throws {SelfsameError} CANON_MISMATCH if the options are not those that the shards were made with
 */
export async function openSharded({ facts, shards, open = {} }: ShardedOptions): Promise<ShardedLibrary> {
  // An empty library of the same canon: it has the engine, the model and the tokenizer.
  const parts = await openParts(":memory:", open);
  try {
    const other = facts.shards.find(({ canon }) => canon !== parts.state.canonDigest);
    if (other !== undefined)
      throw new SelfsameError(
        "CANON_MISMATCH",
        `expected shards of the canon ${parts.state.canonDigest}, got ${other.canon}`,
        "Open them with the model, chunking, index, segment, namespace and vectors that they were made with",
      );
    return new ShardedLibrary(parts, facts, new ShardClients(facts, shards));
  } catch (error) {
    if (parts.ownsEmbedder) parts.embedder.close();
    parts.database.close();
    throw error;
  }
}

/** One state of a library that lies in shards: the methods of `Library` that read. */
export class ShardedLibrary {
  readonly #parts: LibraryParts;
  readonly #facts: WholeFacts;
  readonly #shards: ShardClients;
  readonly #searcher: Searcher;

  /** @internal Use `openSharded`. */
  constructor(parts: LibraryParts, facts: WholeFacts, shards: ShardClients) {
    this.#parts = parts;
    this.#facts = facts;
    this.#shards = shards;
    this.#searcher = new Searcher(searchedShards(parts, facts, shards));
  }

  /** The digest of everything that decides results, in hexadecimal. */
  get canon(): string {
    return this.#parts.state.canonDigest;
  }

  /** The parts that the canon is the digest of, by name. */
  get canonParts(): CanonParts {
    return this.#parts.state.canon;
  }

  /** The name of the embedding model. */
  get model(): string {
    return this.#parts.identity.name;
  }

  /** The number of components of a vector. */
  get dimension(): number {
    return this.#parts.state.dimension ?? this.#parts.identity.hidden;
  }

  /** The build of the engine in use. */
  get build(): Build {
    return this.#parts.engine.build;
  }

  /** Finds chunks, as `Library.search` does. */
  search(query: string, parameters: SearchParameters = {}, hooks: SearchHooks = {}): Promise<SearchAnswer> {
    return this.#searcher.search(query, parameters, hooks);
  }

  /** Re-runs the search of a receipt and reports how the answer differs. */
  async verifyReceipt(receipt: string | Receipt): Promise<ReceiptVerdict> {
    return this.#searcher.verify(receipt);
  }

  /** Returns every document, by path, or a part of the list. */
  async documents(page: DocumentPage = {}): Promise<DocumentInfo[]> {
    const { after, match, limit } = optionsArgument(page, { after: true, match: true, limit: true });
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
      throw badArgument("limit", "a whole number from 0", limit);
    const answers = await this.#shards.askAll("documents", {
      ...(after === undefined ? {} : { after: stringArgument("after", after) }),
      ...(match === undefined
        ? {}
        : { match: typeof match === "string" ? [match] : textsArgument("match", match) }),
      ...(limit === undefined ? {} : { limit }),
    });
    return answers
      .flat()
      .sort((a, b) => compareUtf8(a.path, b.path))
      .slice(0, limit);
  }

  /** Returns a document with its text; null if it does not exist. */
  async document(path: string): Promise<DocumentText | null> {
    return this.#ofDocument(path, (shard, id) => shard.ask("document", { id }), null);
  }

  /** Returns some lines of a document, as `Library.lines` does. */
  async lines(path: string, from: number, to: number): Promise<DocumentLines | null> {
    return linesIn(await this.document(path), from, to);
  }

  /** Returns the chunks of a document, in order; none if it does not exist. */
  async chunks(path: string): Promise<ChunkInfo[]> {
    return this.#ofDocument(path, (shard, id) => shard.ask("chunks", { id }), []);
  }

  /** Returns a chunk by its id, with its document; null if it does not exist. */
  async chunk(chunkId: string): Promise<ChunkOfDocument | null> {
    const id = stringArgument("chunkId", chunkId);
    if (!/^[0-9a-f]{32}$/.test(id)) return null;
    const answers = await this.#shards.askAll("chunk", { id });
    return answers.find((chunk) => chunk !== null) ?? null;
  }

  /** Returns the paths of documents by their ids; null for one that does not exist. */
  async paths(ids: readonly string[]): Promise<readonly (string | null)[]> {
    const given = textsArgument("ids", ids).map((id) => (/^[0-9a-f]{32}$/.test(id) ? id : null));
    const known = given.flatMap((id) => id ?? []);
    const answers = known.length === 0 ? [] : await this.#shards.askAll("paths", { ids: known });
    const pathOf = new Map(
      known.map((id, i) => [id, answers.map((each) => each[i]).find((path) => path != null) ?? null]),
    );
    return given.map((id) => (id === null ? null : pathOf.get(id)!));
  }

  /** Returns the size of the library, and its roots. */
  async stats(): Promise<LibraryStats> {
    const { counts, root, metadataRoot, segments, answersByGraph } = this.#facts;
    const graphs = answersByGraph ? segments : 0;
    const index = { isLoaded: true, segments, graphs, memoryBytes: 0, degraded: false };
    return { ...counts, root, metadataRoot, canon: this.canon, index };
  }

  /** Returns the root: that of one library with the same documents. */
  async root(): Promise<string> {
    return this.#facts.root;
  }

  /** Returns the same for times, media types and metadata. */
  async metadataRoot(): Promise<string> {
    return this.#facts.metadataRoot;
  }

  /** Frees the model. Shards stay as they are. */
  async close(): Promise<void> {
    const { database, embedder, ownsEmbedder } = this.#parts;
    if (ownsEmbedder) embedder.close();
    database.close();
  }

  #ofDocument<T>(path: string, ask: (shard: ShardClient, id: string) => Promise<T>, none: T): Promise<T> {
    const { engine, state } = this.#parts;
    const canonical = canonicalPath(engine, stringArgument("path of a document", path));
    const id = toHex(documentId(engine, canonical, state.canon.namespace));
    const shard = this.#shards.ownerOf(id);
    return shard === null ? Promise.resolve(none) : ask(shard, id);
  }
}
