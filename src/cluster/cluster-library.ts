import { SelfsameError } from "../errors/selfsame-error.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import type { SearchHooks } from "../library/searcher.ts";
import type { SearchAnswer } from "../search/answer.ts";
import type { Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { Connection } from "./connection.ts";
import { type Definition, libraryOptions, readDefinition } from "./definition.ts";
import type { Manifest } from "./manifest.ts";
import { currentManifest } from "./manifests.ts";
import { persistently } from "./persistently.ts";
import { RemoteShard } from "./remote-shard.ts";
import type { WholeFacts } from "./shard.ts";
import { ShardClients } from "./shard-clients.ts";
import { ShardedLibrary } from "./sharded-library.ts";
import { wholeFacts } from "./whole.ts";

/** Options of a search of a cluster. */
export interface ClusterSearchOptions {
  /** Answers from the shards that can be reached, without a receipt, instead of SHARD_UNAVAILABLE; default false. */
  readonly allowPartial?: boolean;
  /** Called with the steps of the search. */
  readonly hooks?: SearchHooks;
}

/** The answer of a cluster. */
export interface ClusterAnswer extends Omit<SearchAnswer, "receipt"> {
  /** The receipt, which one library with the same documents gives, too; null if shards are missing. */
  readonly receipt: Receipt | null;
  /** The digest of the manifest that it is from. */
  readonly manifest: string;
  /** The prefixes of shards that did not answer; empty unless `allowPartial` was given. */
  readonly missing: readonly string[];
}

interface State {
  readonly digest: string;
  readonly manifest: Manifest;
  readonly facts: WholeFacts;
  readonly library: ShardedLibrary;
}

/** A search that began on a state which is gone begins again on the next one, so many times. */
const TRIES = 4;
/** How long a search that may leave out shards waits for one. */
const PARTIAL_AWAY_MS = 1000;

/**
 * The documents of a cluster, for reading: it embeds queries, asks the shards through NATS, and merges. Each call is
 * answered from one manifest, the one that counted when it began.
 */
export class ClusterLibrary {
  readonly #connection: Connection;
  readonly #definition: Definition;
  readonly #parts: LibraryParts;
  #state: State | null = null;

  private constructor(connection: Connection, definition: Definition, parts: LibraryParts) {
    this.#connection = connection;
    this.#definition = definition;
    this.#parts = parts;
  }

  /** @internal Use `Cluster.open`. */
  static async open(connection: Connection): Promise<ClusterLibrary> {
    const definition = await readDefinition(connection);
    // An empty library of the same canon: it has the engine, the model and the tokenizer.
    const parts = await openParts(":memory:", libraryOptions(definition));
    return new ClusterLibrary(connection, definition, parts);
  }

  /** The canon that it answers by, in hexadecimal. */
  get canon(): string {
    return this.#definition.canon;
  }

  /** The digest of the manifest that it last answered from; null before. */
  get manifest(): string | null {
    return this.#state?.digest ?? null;
  }

  /**
   * Finds chunks as `Library.search` does. The answer and its receipt equal those of one library with the same documents.
   *
   * @throws {SelfsameError} SHARD_UNAVAILABLE, with the prefix, if no server answers for a shard
   */
  async search(
    query: string,
    parameters: SearchParameters = {},
    { allowPartial = false, hooks = {} }: ClusterSearchOptions = {},
  ): Promise<ClusterAnswer> {
    try {
      return await this.on(async (library, { digest }) => {
        const answer = await library.search(query, parameters, hooks);
        return { ...answer, manifest: digest, missing: [] };
      });
    } catch (error) {
      if (!allowPartial || !isUnavailable(error)) throw error;
      return this.#partial(query, parameters, hooks);
    }
  }

  /** Runs work on the state that counts now. If it goes away meanwhile, the work runs again on the next one. */
  async on<T>(work: (library: ShardedLibrary, state: { readonly digest: string }) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const state = await this.#current();
      try {
        return await work(state.library, state);
      } catch (error) {
        const isGone =
          isUnavailable(error) || (error instanceof SelfsameError && error.code === "SHARD_CHANGED");
        if (!isGone || attempt === TRIES || (await this.#current()).digest === state.digest) throw error;
      }
    }
  }

  /** Frees the model. */
  async close(): Promise<void> {
    const { database, embedder, ownsEmbedder } = this.#parts;
    if (ownsEmbedder) embedder.close();
    database.close();
  }

  async #current(): Promise<State> {
    const { canon, parts } = this.#definition;
    const key = `manifest.${canon}`;
    const named = (await persistently(() => this.#connection.decided.get(key)))?.string();
    if (this.#state !== null && this.#state.digest === named) return this.#state;
    const current = await currentManifest(this.#connection, canon);
    if (current === null)
      throw new SelfsameError(
        "CLUSTER_EMPTY",
        `expected shards of cluster ${this.#connection.names.cluster}, got none`,
        "Build them: selfsame cluster build",
      );
    const { digest, manifest } = current;
    const facts = wholeFacts(
      this.#connection.engine,
      parts,
      manifest.shards.map((shard) => shard.facts),
      manifest.answersByGraph,
    );
    this.#state = { digest, manifest, facts, library: this.#library(facts) };
    return this.#state;
  }

  #library(facts: WholeFacts, awayMs?: number): ShardedLibrary {
    const shards = facts.shards.map(
      ({ prefix, state }) => new RemoteShard(this.#connection, prefix, state, awayMs),
    );
    return new ShardedLibrary(this.#parts, facts, new ShardClients(facts, shards));
  }

  /** Searches the shards that answer. */
  async #partial(query: string, parameters: SearchParameters, hooks: SearchHooks): Promise<ClusterAnswer> {
    const { digest, facts } = await this.#current();
    const missing = new Set<string>();
    for (;;) {
      const shards = facts.shards.filter(({ prefix }) => !missing.has(prefix));
      try {
        const library = this.#library({ ...facts, shards }, PARTIAL_AWAY_MS);
        const answer = await library.search(query, parameters, hooks);
        return { ...answer, receipt: null, manifest: digest, missing: [...missing].sort() };
      } catch (error) {
        const prefix = isUnavailable(error) ? error.details["prefix"] : undefined;
        if (typeof prefix !== "string" || missing.has(prefix)) throw error;
        missing.add(prefix);
      }
    }
  }
}

function isUnavailable(error: unknown): error is SelfsameError {
  return error instanceof SelfsameError && error.code === "SHARD_UNAVAILABLE";
}
