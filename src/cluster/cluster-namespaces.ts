import { SelfsameError } from "../errors/selfsame-error.ts";
import type { DocumentInput } from "../library/document-input.ts";
import type { Library } from "../library/library.ts";
import type { SearchStage } from "../library/searcher.ts";
import {
  answerWithin,
  type NamespaceAnswer,
  type NamespaceSearchOptions,
} from "../namespaces/namespace-answer.ts";
import type { NamespaceStats } from "../namespaces/namespace-stats.ts";
import type { Namespaces } from "../namespaces/namespaces-port.ts";
import type { Snapshot } from "../namespaces/snapshot-metadata.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { ClusterIngestReport } from "./cluster-ingest.ts";
import type { ClusterLibrary } from "./cluster-library.ts";
import type { ShardedLibrary } from "./sharded-library.ts";

const DEFAULT = "default";

/** What a service needs of a cluster to store documents. */
interface Writer {
  readonly name: string;
  ingest(documents: readonly DocumentInput[]): Promise<ClusterIngestReport>;
  remove(paths: readonly string[]): Promise<ClusterIngestReport>;
  close(): Promise<void>;
}

/**
 * A cluster in the place of a folder of namespaces: `default` and the cluster's name are the same namespace, and there are
 * no others. Documents that are added are acknowledged; the next build makes them searchable.
 */
export class ClusterNamespaces implements Namespaces {
  readonly folder: string;
  readonly #writer: Writer;
  readonly #library: ClusterLibrary;
  #lastUsed: string | null = null;

  constructor(writer: Writer, library: ClusterLibrary) {
    this.#writer = writer;
    this.#library = library;
    this.folder = `cluster ${writer.name}`;
  }

  async get(name: string): Promise<Library> {
    this.#check(name);
    return this.#asLibrary(await this.#library.on(async (sharded) => sharded));
  }

  async use<T>(name: string, work: (library: Library) => T | Promise<T>): Promise<T> {
    this.#check(name);
    this.#lastUsed = new Date().toISOString();
    return this.#library.on(async (sharded) => work(this.#asLibrary(sharded)));
  }

  async has(name: string): Promise<boolean> {
    return name === DEFAULT || name === this.#writer.name;
  }

  async list(): Promise<string[]> {
    return [...new Set([DEFAULT, this.#writer.name])].sort();
  }

  search(
    name: string,
    query: string,
    parameters: SearchParameters = {},
    { timeoutMs }: NamespaceSearchOptions = {},
  ): Promise<NamespaceAnswer> {
    this.#check(name);
    this.#lastUsed = new Date().toISOString();
    return answerWithin(
      timeoutMs,
      (onPartial) =>
        this.#library.on(async (sharded) => {
          const stages: SearchStage[] = [];
          const onStage = (stage: SearchStage) => stages.push(stage);
          const hooks = onPartial === undefined ? { onStage } : { onStage, onPartial };
          const answer = await sharded.search(query, parameters, hooks);
          return { ...answer, degraded: false, stages, index: (await sharded.stats()).index };
        }),
      query,
      parameters,
    );
  }

  snapshot(): Promise<Snapshot> {
    return Promise.reject(notOnCluster("a snapshot"));
  }

  restore(): Promise<Snapshot> {
    return Promise.reject(notOnCluster("restoring a snapshot"));
  }

  drop(): Promise<boolean> {
    return Promise.reject(notOnCluster("dropping a namespace"));
  }

  async stats(): Promise<Record<string, NamespaceStats>> {
    const { chunks, documents } = await this.#library.on((sharded) => sharded.stats());
    const stats: NamespaceStats = {
      ...{ ntotal: chunks, documents, last_used: this.#lastUsed, last_snapshot: null },
      ...{ open: true, degraded: false, warnings: [] },
    };
    return Object.fromEntries((await this.list()).map((name) => [name, stats]));
  }

  async close(): Promise<void> {
    await this.#library.close();
    await this.#writer.close();
  }

  #check(name: string): void {
    if (name === DEFAULT || name === this.#writer.name) return;
    throw new SelfsameError(
      "FILE_MISSING",
      `expected the namespace ${DEFAULT} or ${this.#writer.name}, got ${JSON.stringify(name)}`,
      "A cluster is one namespace",
      { details: { namespace: name } },
    );
  }

  /** One state as a library. What only a file on this machine can do is refused. */
  #asLibrary(sharded: ShardedLibrary): Library {
    const writes = {
      add: async (documents: readonly DocumentInput[]) => {
        const { documents: added } = await this.#writer.ingest(documents);
        return { added, updated: 0, unchanged: 0, chunks: 0, embedded: 0 };
      },
      remove: async (paths: readonly string[]) => {
        const { documents: removed } = await this.#writer.remove(paths);
        return { removed, missing: [] };
      },
    };
    return new Proxy(sharded, {
      get: (target, name) => {
        if (Object.hasOwn(writes, name)) return writes[name as keyof typeof writes];
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "function") return value.bind(target);
        if (value !== undefined || typeof name === "symbol" || name === "then") return value;
        return () => Promise.reject(notOnCluster(`${name}()`));
      },
    }) as unknown as Library;
  }
}

function notOnCluster(what: string): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected what a cluster can do, got ${what}`,
    "Use a library or a namespace for it, or the commands of selfsame cluster",
  );
}
