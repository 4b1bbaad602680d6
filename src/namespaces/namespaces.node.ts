import { checkKinds, optionsArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Library } from "../library/library.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import type { SearchStage } from "../library/searcher.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import { ActiveNamespaces } from "./active-namespaces.ts";
import { Connection, type OpenLibrary } from "./connection.ts";
import { countLibrary } from "./count-library.ts";
import { DataFolder } from "./data-folder.node.ts";
import { checkNamespace } from "./names.ts";
import {
  answerWithin,
  type NamespaceAnswer,
  type NamespaceSearchOptions,
  type RunSearch,
} from "./namespace-answer.ts";
import { namespaceLibrary } from "./namespace-library.ts";
import type { NamespaceStats } from "./namespace-stats.ts";
import { type CheckedOptions, checkNamespacesOptions, optionsToReopen } from "./namespaces-options.ts";
import type { Namespaces, OpenFolder } from "./namespaces-port.ts";
import { SharedModels } from "./shared-models.ts";

/** The namespaces of a folder, in Node, Deno and Bun. */
class FolderOfNamespaces implements Namespaces {
  readonly #data: DataFolder;
  readonly #options: CheckedOptions;
  readonly #models = new SharedModels();
  readonly #active: ActiveNamespaces<Connection>;
  readonly #lastUsed = new Map<string, Date>();
  readonly #warnings = new Map<string, string>();

  constructor(folder: string, options: CheckedOptions) {
    this.#data = new DataFolder(folder);
    this.#options = options;
    this.#active = new ActiveNamespaces(
      options.maxActive,
      options.waitMs,
      (name) => new Connection(() => this.#open(name)),
    );
  }

  get folder(): string {
    return this.#data.path;
  }

  async get(name: string): Promise<Library> {
    return this.#use(name, ({ library }) =>
      namespaceLibrary(library, {
        run: (call) => this.#use(name, (open) => call(open.library)),
        instead: { close: () => this.#active.alone(name, () => undefined) },
      }),
    );
  }

  async use<T>(name: string, work: (library: Library) => T | Promise<T>): Promise<T> {
    return this.#lease(name, async (connection) => {
      const opened = await connection.use(({ library }) => library);
      // Its calls need no lease of their own, and its `close` has nothing to do: the work holds the namespace.
      const run = (call: (library: Library) => unknown) => connection.use(({ library }) => call(library));
      return work(namespaceLibrary(opened, { run, instead: { close: async () => undefined } }));
    });
  }

  async has(name: string): Promise<boolean> {
    checkNamespace(name);
    return this.#data.hasLibrary(name) || this.#data.hasSnapshots(name);
  }

  async list(): Promise<string[]> {
    return this.#data.names();
  }

  async search(
    name: string,
    query: string,
    parameters: SearchParameters = {},
    options: NamespaceSearchOptions = {},
  ): Promise<NamespaceAnswer> {
    const { timeoutMs } = checkKinds(optionsArgument(options, { timeoutMs: true }), { timeoutMs: "count" });
    const given = optionsArgument(parameters);
    if (!(await this.has(name))) throw noNamespace(name);
    const run: RunSearch = (onPartial) =>
      this.#use(name, async ({ searcher }) => {
        const stages: SearchStage[] = [];
        const hooks = {
          onStage: (stage: SearchStage) => stages.push(stage),
          ...(onPartial && { onPartial }),
        };
        return { ...(await searcher.search(query, given, hooks)), degraded: false, stages };
      });
    return answerWithin(timeoutMs, run, query, given);
  }

  async drop(name: string): Promise<boolean> {
    checkNamespace(name);
    return this.#active.alone(name, () => {
      this.#lastUsed.delete(name);
      this.#warnings.delete(name);
      return this.#data.remove(name);
    });
  }

  async stats(): Promise<Record<string, NamespaceStats>> {
    const stats: [string, NamespaceStats][] = [];
    for (const name of this.#data.names()) stats.push([name, await this.#statsOf(name)]);
    return Object.fromEntries(stats);
  }

  async close(): Promise<void> {
    await this.#active.close();
    this.#models.close();
  }

  #use<T>(name: string, work: (open: OpenLibrary) => T | Promise<T>): Promise<T> {
    return this.#lease(name, (connection) => connection.use(work));
  }

  async #lease<T>(name: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    checkNamespace(name);
    return this.#active.lease(name, async (connection) => {
      this.#lastUsed.set(name, new Date());
      try {
        return await work(connection);
      } finally {
        this.#lastUsed.set(name, new Date());
      }
    });
  }

  async #open(name: string): Promise<LibraryParts> {
    const isThere = this.#data.hasLibrary(name);
    const path = this.#data.library(name, { make: true });
    const { library } = this.#options;
    const options = { ...(isThere ? optionsToReopen(library) : library), namespace: name };
    return openParts(path, options, {
      embedder: (source, workers) => this.#models.embedder(source, workers),
    });
  }

  async #statsOf(name: string): Promise<NamespaceStats> {
    const warnings = this.#warnings.has(name) ? [this.#warnings.get(name)!] : [];
    const rest = {
      last_used: this.#lastUsed.get(name)?.toISOString() ?? null,
      open: this.#active.names().includes(name),
    };
    try {
      const counts = this.#data.hasLibrary(name)
        ? await countLibrary(this.#data.library(name, { make: false }), this.#options.library.timeoutMs)
        : { ntotal: 0, documents: 0 };
      return { ...counts, ...rest, degraded: warnings.length > 0, warnings };
    } catch (error) {
      const all = [...warnings, warningOf(error)];
      return { ntotal: null, documents: null, ...rest, degraded: true, warnings: all };
    }
  }
}

function noNamespace(name: string): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected an existing namespace, got ${name}, which has no documents`,
    "Add documents to it first",
    { details: { namespace: name } },
  );
}

function warningOf(error: unknown): string {
  if (error instanceof SelfsameError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

const openFolder: OpenFolder = async (folder, options) =>
  new FolderOfNamespaces(folder, checkNamespacesOptions(options));

export default openFolder;
