import { checkKinds, optionsArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Library } from "../library/library.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import type { ReceiptVerdict } from "../library/searcher.ts";
import type { IndexStatus } from "../library/semantic-index.ts";
import type { Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import { ActiveNamespaces } from "./active-namespaces.node.ts";
import { AutoSnapshots } from "./auto-snapshots.ts";
import { Connection, type NewLibrary } from "./connection.ts";
import { countLibrary } from "./count-library.ts";
import { DataFolder } from "./data-folder.node.ts";
import { checkNamespace } from "./names.ts";
import {
  answerWithin,
  type NamespaceAnswer,
  type NamespaceSearchOptions,
  type RunSearch,
  searchAnswer,
  searchWith,
} from "./namespace-answer.ts";
import { copied, type NamespaceCalls, namespaceLibrary } from "./namespace-library.ts";
import type { NamespaceStats } from "./namespace-stats.ts";
import {
  type CheckedOptions,
  checkMadeWith,
  checkNamespacesOptions,
  checkNewLibrary,
  optionsForThreads,
  optionsToMake,
  optionsToReopen,
} from "./namespaces-options.ts";
import type { Namespaces, OpenFolder } from "./namespaces-port.ts";
import { OpenNamespace } from "./open-namespace.ts";
import { Readers } from "./readers.node.ts";
import { SharedModels } from "./shared-models.ts";
import type { Snapshot } from "./snapshot-metadata.ts";
import { Snapshots } from "./snapshots.node.ts";

const COUNT_EVERY_MS = 1000;

/** The namespaces of a folder, in Node, Deno and Bun. */
class FolderOfNamespaces implements Namespaces {
  readonly #data: DataFolder;
  readonly #options: CheckedOptions;
  readonly #models = new SharedModels();
  readonly #active: ActiveNamespaces<OpenNamespace>;
  readonly #readers: Readers | null;
  readonly #snapshots: Snapshots;
  /** null if snapshots are made by hand alone. */
  readonly #automatic: AutoSnapshots | null;
  readonly #counting: NodeJS.Timeout | undefined;
  readonly #lastUsed = new Map<string, Date>();
  /** Why namespaces started empty. */
  readonly #warnings = new Map<string, string>();
  /** Why automatic snapshots failed. */
  readonly #failures = new Map<string, string>();
  /** Which indexes are over their memory limit. */
  readonly #crowded = new Map<string, string>();
  /** Namespaces that had snapshots when this object was made. If one is gone later, that is a warning. */
  readonly #expected: ReadonlySet<string>;

  constructor(folder: string, options: CheckedOptions) {
    this.#data = new DataFolder(folder);
    this.#options = options;
    const known = optionsForThreads(optionsToReopen(options.library));
    this.#readers = options.readers === 0 ? null : new Readers(options.readers, known);
    this.#snapshots = new Snapshots(this.#data, known);
    this.#expected = new Set(this.#data.names().filter((name) => this.#data.hasSnapshots(name)));
    this.#active = new ActiveNamespaces(
      options.maxActive,
      options.waitMs,
      (name) => new OpenNamespace(name, new Connection((fresh) => this.#open(name, fresh)), this.#readers),
    );
    this.#automatic =
      options.snapshots === null
        ? null
        : new AutoSnapshots(options.snapshots, {
            make: (name) => this.#snapshotByItself(name),
            ageMs: (name) => this.#snapshots.ageMs(name),
          });
    if (this.#automatic !== null)
      this.#counting = setInterval(() => void this.#countAll(), COUNT_EVERY_MS).unref();
  }

  get folder(): string {
    return this.#data.path;
  }

  async get(name: string, create: NewLibrary = {}): Promise<Library> {
    const fresh = checkNewLibrary(create);
    return this.#lease(name, async ({ connection }) => {
      const opened = await connection.use(({ library }) => library, fresh);
      checkMadeWith(opened, name, fresh);
      return namespaceLibrary(opened, {
        run: (call) => this.#lease(name, (open) => open.connection.use(({ library }) => call(library))),
        instead: {
          close: () => this.#active.alone(name, () => undefined),
          ...this.#inThreads((work) => this.#lease(name, work)),
        },
      });
    });
  }

  async use<T>(
    name: string,
    work: (library: Library) => T | Promise<T>,
    create: NewLibrary = {},
  ): Promise<T> {
    const fresh = checkNewLibrary(create);
    return this.#lease(name, async (open) => {
      const { connection } = open;
      const opened = await connection.use(({ library }) => library, fresh);
      checkMadeWith(opened, name, fresh);
      // Its calls need no lease of their own, and its `close` has nothing to do: the work holds the namespace.
      const run: NamespaceCalls["run"] = (call) => connection.use(({ library }) => call(library));
      const instead = { close: async () => undefined, ...this.#inThreads((call) => call(open)) };
      return work(namespaceLibrary(opened, { run, instead }));
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
    const given = copied(optionsArgument(parameters), 0) as SearchParameters;
    if (!(await this.has(name))) throw noNamespace(name);
    const run: RunSearch = (onPartial) =>
      this.#lease(name, (open) => this.#searchIn(open, query, given, onPartial));
    return answerWithin(timeoutMs, run, query, given);
  }

  async snapshot(name: string): Promise<Snapshot> {
    checkNamespace(name);
    const snapshot = await this.#snapshot(name);
    this.#automatic?.made(name);
    return snapshot;
  }

  async restore(name: string, folder: string): Promise<Snapshot> {
    checkNamespace(name);
    const staged = await this.#snapshots.stage(name, folder);
    await this.#active.alone(name, () => this.#snapshots.put(staged));
    this.#warnings.delete(name);
    this.#automatic?.made(name);
    return staged.snapshot;
  }

  async drop(name: string): Promise<boolean> {
    checkNamespace(name);
    return this.#active.alone(name, () => {
      this.#lastUsed.delete(name);
      this.#warnings.delete(name);
      this.#failures.delete(name);
      this.#crowded.delete(name);
      this.#automatic?.forget(name);
      return this.#data.remove(name);
    });
  }

  async stats(): Promise<Record<string, NamespaceStats>> {
    const stats: [string, NamespaceStats][] = [];
    const names = new Set([...this.#data.names(), ...this.#warnings.keys()]);
    for (const name of [...names].sort()) stats.push([name, await this.#statsOf(name)]);
    return Object.fromEntries(stats);
  }

  async close(): Promise<void> {
    clearInterval(this.#counting);
    await this.#active.close();
    await this.#automatic?.finish();
    await this.#readers?.stop();
    this.#models.close();
  }

  async #lease<T>(name: string, work: (open: OpenNamespace) => Promise<T>): Promise<T> {
    checkNamespace(name);
    return this.#active.lease(name, async (open) => {
      this.#lastUsed.set(name, new Date());
      try {
        return await work(open);
      } finally {
        this.#lastUsed.set(name, new Date());
        await this.#count(open);
      }
    });
  }

  /** The methods of a library that reader threads answer. `hold` keeps the namespace open meanwhile. */
  #inThreads(hold: <T>(work: (open: OpenNamespace) => Promise<T>) => Promise<T>): NamespaceCalls["instead"] {
    if (this.#readers === null) return {};
    return {
      search: async (query: string, parameters: SearchParameters = {}) => {
        const given = copied(parameters, 0) as SearchParameters;
        return searchAnswer(await hold((open) => this.#searchIn(open, query, given, undefined)));
      },
      verifyReceipt: async (receipt: string | Receipt) => {
        const given = copied(receipt, 0) as string | Receipt;
        return hold((open) =>
          this.#read<ReceiptVerdict>(
            open,
            (file) => ({ type: "verify", ...file, receipt: given }),
            () => open.connection.use(({ library }) => library.verifyReceipt(given)),
          ),
        );
      },
    };
  }

  async #searchIn(
    open: OpenNamespace,
    query: string,
    given: SearchParameters,
    onPartial: Parameters<RunSearch>[0],
  ): Promise<NamespaceAnswer> {
    // The application's function cannot be called in a thread.
    const parameters =
      this.#options.library.featureGenerator === undefined || this.#readers === null
        ? given
        : await open.connection.use(({ searcher }) => searcher.withFeatures(query, given));
    const here = () => open.connection.use((opened) => searchWith(opened, query, parameters, onPartial));
    const isPartialWanted = onPartial !== undefined;
    const answer = await this.#read(
      open,
      (file) => ({ type: "search", ...file, query, parameters, isPartialWanted }),
      here,
      onPartial,
    );
    this.#noteIndex(open.name, answer.index);
    return answer;
  }

  /**
   * Asks a reader thread. What a thread cannot do is done here: build the graph of a large library, and refuse values
   * that cannot be sent.
   */
  async #read<T>(
    { name, connection }: OpenNamespace,
    request: (file: { readonly name: string; readonly path: string }) => Parameters<Readers["run"]>[0],
    here: () => Promise<T>,
    onPartial?: (answer: never) => void,
  ): Promise<T> {
    if (this.#readers === null) return here();
    // Opening it here makes it, or restores its snapshot.
    if (!this.#data.hasLibrary(name)) await connection.use(() => undefined);
    try {
      const path = this.#data.library(name, { make: false });
      return await this.#readers.run<T>(request({ name, path }), onPartial);
    } catch (error) {
      const isBuilding = error instanceof SelfsameError && error.code === "INDEX_BUSY";
      if (isBuilding || (error as Error).name === "DataCloneError") return here();
      throw error;
    }
  }

  async #open(name: string, fresh: NewLibrary): Promise<LibraryParts> {
    await this.#restoreMissing(name);
    const isThere = this.#data.hasLibrary(name);
    const path = this.#data.library(name, { make: true });
    const { library } = this.#options;
    const made = isThere ? optionsToReopen(library) : optionsToMake({ ...library, ...fresh });
    const options = { ...made, namespace: name };
    return openParts(path, options, {
      embedder: (source, workers) => this.#models.embedder(source, workers),
      crossEncoder: (model, load) => this.#models.crossEncoder(model, load),
    });
  }

  /** Restores the current snapshot if there is no library. If that fails, the namespace starts empty, with a warning. */
  async #restoreMissing(name: string): Promise<void> {
    if (this.#data.hasLibrary(name)) return;
    if (!this.#data.hasSnapshots(name) && !this.#expected.has(name)) return;
    // While a thread checks the snapshot, this one has nothing else to do.
    const dimension = this.#snapshots.latest(name)?.metadata.dimension;
    if (this.#readers === null && dimension !== undefined)
      void this.#models.prepare(this.#options.library, dimension);
    try {
      await this.#snapshots.restoreMissing(name);
    } catch (error) {
      const warning = `the snapshot was not restored, so it started empty (${textOf(error)})`;
      this.#warn(this.#warnings, name, warning);
    }
  }

  async #snapshot(name: string): Promise<Snapshot> {
    if (!this.#data.hasLibrary(name)) throw noNamespace(name);
    // A namespace that could not be restored may still have a good older snapshot: none is deleted then.
    return this.#snapshots.write(name, { keepAll: this.#warnings.has(name) });
  }

  async #snapshotByItself(name: string): Promise<void> {
    try {
      await this.#snapshot(name);
      this.#failures.delete(name);
    } catch (error) {
      this.#warn(this.#failures, name, `the last automatic snapshot failed (${textOf(error)})`);
      throw error;
    }
  }

  /** Remembers what is wrong with a namespace. It is told when it is new. */
  #warn(kind: Map<string, string>, name: string, warning: string): void {
    if (kind.get(name) === warning) return;
    kind.set(name, warning);
    this.#options.onWarning(name, warning);
  }

  #noteIndex(name: string, index: IndexStatus | null): void {
    const { maxIndexMemory } = this.#options.library;
    if (index === null || !index.isLoaded || maxIndexMemory === undefined) return;
    if (index.degraded)
      this.#warn(
        this.#crowded,
        name,
        `its vectors need more than the ${maxIndexMemory} bytes of memory that an index may take, so searches are slower or take more`,
      );
    else this.#crowded.delete(name);
  }

  async #count(open: OpenNamespace): Promise<void> {
    this.#automatic?.wrote(open.name, await open.newWrites());
  }

  /** Long work, such as following files, writes without ending. */
  async #countAll(): Promise<void> {
    for (const name of this.#active.names()) {
      const open = this.#active.peek(name);
      if (open !== null) await this.#count(open);
    }
  }

  async #statsOf(name: string): Promise<NamespaceStats> {
    const known = [this.#warnings, this.#failures, this.#crowded].map((kind) => kind.get(name));
    const warnings = known.filter((each) => each !== undefined);
    const rest = {
      last_used: this.#lastUsed.get(name)?.toISOString() ?? null,
      last_snapshot: this.#snapshots.latest(name)?.metadata.created_at ?? null,
      open: this.#active.names().includes(name),
    };
    try {
      const counts = this.#data.hasLibrary(name)
        ? await countLibrary(this.#data.library(name, { make: false }), this.#options.library.timeoutMs)
        : { ntotal: 0, documents: 0 };
      return { ...counts, ...rest, degraded: warnings.length > 0, warnings };
    } catch (error) {
      const all = [...warnings, textOf(error)];
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

function textOf(error: unknown): string {
  if (error instanceof SelfsameError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

const openFolder: OpenFolder = async (folder, options) =>
  new FolderOfNamespaces(folder, checkNamespacesOptions(options));

export default openFolder;
