import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Library, type OpenOptions, open, SelfsameError } from "../index.ts";

export interface LibrariesOptions {
  /** At most this many are kept open, because each has a model in memory; default 4. */
  readonly keptMax?: number;
  /** A library that is unused for this long is closed; default 10 minutes. */
  readonly idleMs?: number;
  /** Makes the folder of a new library if it is missing. Without this function the folder must exist. */
  readonly makeFolder?: (folder: string) => void;
  /** Says how to make the library at a path, in a sentence. */
  readonly howToMake?: (path: string) => string | Promise<string>;
}

export interface WriteOptions {
  /** Rebuild a library of another canon. */
  readonly rebuild: boolean;
  /** The model that the library must have; undefined for any. */
  readonly model?: OpenOptions["model"];
  readonly signal: AbortSignal;
}

interface Held {
  readonly opened: Promise<Library>;
  /** The model that was asked for; undefined for any. */
  readonly model: OpenOptions["model"];
  /** The identity of the open file; "" until it is open. */
  identity: string;
  users: number;
  idle: NodeJS.Timeout | undefined;
  /** Removed from the list: it is closed when its last user is done. */
  isDropped: boolean;
}

/** The open libraries, one for each file, shared by all clients. */
export class Libraries {
  readonly #options: OpenOptions;
  readonly #keptMax: number;
  readonly #idleMs: number;
  readonly #makeFolder: (folder: string) => void;
  readonly #howToMake: (path: string) => string | Promise<string>;
  /** By real path, least recently used first. */
  readonly #held = new Map<string, Held>();
  readonly #closing = new Set<Promise<void>>();
  readonly #working = new Set<Promise<unknown>>();
  /** The last write of each library. Writes to one library run one after another. */
  readonly #writes = new Map<string, Promise<unknown>>();

  constructor(
    options: OpenOptions,
    {
      keptMax = 4,
      idleMs = 10 * 60_000,
      makeFolder = () => undefined,
      howToMake = () => "Check the path",
    }: LibrariesOptions = {},
  ) {
    this.#options = options;
    this.#makeFolder = makeFolder;
    this.#howToMake = howToMake;
    this.#keptMax = keptMax;
    this.#idleMs = idleMs;
  }

  /** How many are open. */
  get size(): number {
    return this.#held.size;
  }

  /** Whether a write to this library is running or waiting. */
  isWritten(path: string): boolean {
    return this.#writes.has(path);
  }

  /** Works with an existing library. */
  async use<T>(path: string, work: (library: Library) => T | Promise<T>): Promise<T> {
    if (!(await isLibrary(path))) {
      this.#drop(path);
      throw await this.#noLibrary(path);
    }
    return this.#with(path, {}, work);
  }

  /** Works with a library after all earlier writes to it. A missing library is made; one of another model is refused. */
  async write<T>(
    path: string,
    { rebuild, model, signal }: WriteOptions,
    work: (library: Library) => Promise<T>,
  ): Promise<T> {
    const before = this.#writes.get(path) ?? Promise.resolve();
    const run = before.then(async () => {
      if (signal.aborted) throw cancelled(path, signal);
      this.#makeFolder(dirname(path));
      return this.#with(path, { rebuild, ...(model === undefined ? {} : { model }) }, work);
    });
    const settled = run.catch(() => undefined);
    this.#writes.set(path, settled);
    try {
      return await run;
    } finally {
      if (this.#writes.get(path) === settled) this.#writes.delete(path);
    }
  }

  /** Closes all libraries, each when its users are done. */
  async close(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
    for (const path of [...this.#held.keys()]) this.#drop(path);
    await Promise.all(this.#closing);
  }

  async #noLibrary(path: string): Promise<SelfsameError> {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) {
      return new SelfsameError(
        "DATABASE_CANNOT_OPEN",
        `expected a library's file at ${path}, got a folder`,
        "Name the file, or leave out db_path for the server's own library",
      );
    }
    const got = found === null ? "none" : found.isFile() ? "an empty file" : "something that is not a file";
    const hint = await this.#howToMake(path);
    return new SelfsameError("FILE_MISSING", `expected a library at ${path}, got ${got}`, hint);
  }

  #with<T>(path: string, options: OpenOptions, work: (library: Library) => T | Promise<T>): Promise<T> {
    const working = this.#run(path, options, work);
    this.#working.add(working);
    const done = () => this.#working.delete(working);
    working.then(done, done);
    return working;
  }

  async #run<T>(path: string, options: OpenOptions, work: (library: Library) => T | Promise<T>): Promise<T> {
    const held = await this.#take(path, options);
    try {
      return await work(await held.opened);
    } catch (error) {
      // Something may be wrong with the file or the connection: the next user opens it again.
      if (isConnectionError(error) && this.#held.get(path) === held) this.#drop(path);
      throw error;
    } finally {
      this.#give(path, held);
    }
  }

  async #take(path: string, options: OpenOptions): Promise<Held> {
    const identity = await identityOf(path);
    const known = this.#held.get(path);
    // A file that was replaced is another library under the same name.
    if (known !== undefined && known.identity !== "" && known.identity !== identity) this.#drop(path);
    // Readers take a library as it is. If a model is asked for, the library is opened again, which refuses or rebuilds it.
    if (options.model !== undefined && known !== undefined && known.model !== options.model) this.#drop(path);
    const held = this.#held.get(path) ?? this.#open(path, identity, options);
    this.#held.delete(path);
    this.#held.set(path, held);
    held.users++;
    clearTimeout(held.idle);
    return held;
  }

  #open(path: string, identity: string, options: OpenOptions): Held {
    const all = { ...this.#options, ...options };
    // A connection that is closing may still write its graph.
    const opened = Promise.all(this.#closing).then(async () => {
      const library = await open(path, all);
      // Read before anybody works with it: later the file may be gone or replaced.
      held.identity = await identityOf(path);
      return library;
    });
    const held: Held = { opened, model: all.model, identity, users: 0, idle: undefined, isDropped: false };
    opened.catch(() => {
      if (this.#held.get(path) === held) this.#held.delete(path);
    });
    return held;
  }

  #give(path: string, held: Held): void {
    held.users--;
    if (held.users > 0) return;
    if (held.isDropped) this.#end(held);
    else held.idle = setTimeout(() => this.#drop(path), this.#idleMs).unref();
    for (const [each, { users }] of this.#held) {
      if (this.#held.size <= this.#keptMax) break;
      if (users === 0) this.#drop(each);
    }
  }

  #drop(path: string): void {
    const held = this.#held.get(path);
    if (held === undefined) return;
    this.#held.delete(path);
    held.isDropped = true;
    clearTimeout(held.idle);
    if (held.users === 0) this.#end(held);
  }

  #end({ opened }: Held): void {
    const closing = opened.then(
      (library) => library.close(),
      () => undefined,
    );
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}

/** Whether there is a library. Opening a missing or an empty file would make one. */
export async function isLibrary(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size > 0;
}

/** Identifies a file for as long as it is not replaced; "" for a missing file. */
async function identityOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? "" : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

function isConnectionError(error: unknown): boolean {
  return (
    error instanceof SelfsameError &&
    ["DATABASE_CORRUPT", "DATABASE_FAILED", "DATABASE_IO", "CANON_MISMATCH"].includes(error.code)
  );
}

function cancelled(path: string, { reason }: AbortSignal): SelfsameError {
  return new SelfsameError(
    "ABORTED",
    `expected to write to ${path}, got a cancelled request`,
    "Nothing was written; send the request again",
    { cause: reason },
  );
}
