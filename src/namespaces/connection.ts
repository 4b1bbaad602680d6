import { SelfsameError } from "../errors/selfsame-error.ts";
import { Library } from "../library/library.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { searchedLibrary } from "../library/searched.ts";
import { Searcher } from "../library/searcher.ts";

/** What an open namespace holds; `close` frees it. */
export interface Resource {
  close(): Promise<void>;
}

/** What a library is made with, if there is none yet. */
export type NewLibrary = Pick<
  OpenOptions,
  "vectors" | "dedupeThreshold" | "index" | "segment" | "chunking" | "model"
>;

/** An open library of a namespace. */
export interface OpenLibrary {
  readonly parts: LibraryParts;
  readonly library: Library;
  readonly searcher: Searcher;
}

interface Held {
  readonly opened: Promise<OpenLibrary>;
  users: number;
  /** Closed when its last user is done. */
  isDropped: boolean;
}

/** Errors after which the file is opened again: it was replaced or removed, or the connection is of no more use. */
const REOPENED: readonly string[] = ["DATABASE_MOVED", "DATABASE_CORRUPT", "DATABASE_FAILED", "DATABASE_IO"];

/**
 * The connection of a namespace to its library, opened when it is first needed. If another process has replaced the
 * library's file, it is opened again.
 */
export class Connection implements Resource {
  readonly #open: (fresh: NewLibrary) => Promise<LibraryParts>;
  #held: Held | null = null;
  readonly #closing = new Set<Promise<void>>();

  constructor(open: (fresh: NewLibrary) => Promise<LibraryParts>) {
    this.#open = open;
  }

  /**
   * Runs `work` with the open library. Work that finds the file moved has done nothing and runs once more.
   *
   * @param fresh what the library is made with, if there is none
   */
  async use<T>(work: (open: OpenLibrary) => T | Promise<T>, fresh: NewLibrary = {}): Promise<T> {
    try {
      return await this.#useOnce(work, fresh);
    } catch (error) {
      if (!(error instanceof SelfsameError) || error.code !== "DATABASE_MOVED") throw error;
      return this.#useOnce(work, fresh);
    }
  }

  /** Returns the library if it is open already; null otherwise. */
  async peek(): Promise<OpenLibrary | null> {
    return this.#held === null ? null : this.#held.opened.catch(() => null);
  }

  async close(): Promise<void> {
    if (this.#held !== null) this.#drop(this.#held);
    await Promise.all(this.#closing);
  }

  async #useOnce<T>(work: (open: OpenLibrary) => T | Promise<T>, fresh: NewLibrary): Promise<T> {
    this.#held ??= { opened: this.#opened(fresh), users: 0, isDropped: false };
    const held = this.#held;
    held.users++;
    try {
      return await work(await held.opened);
    } catch (error) {
      const isOpen = await held.opened.then(
        () => true,
        () => false,
      );
      if (!isOpen || (error instanceof SelfsameError && REOPENED.includes(error.code))) this.#drop(held);
      throw error;
    } finally {
      held.users--;
      if (held.isDropped && held.users === 0) this.#end(held);
    }
  }

  async #opened(fresh: NewLibrary): Promise<OpenLibrary> {
    const parts = await this.#open(fresh);
    return { parts, library: new Library(parts), searcher: new Searcher(searchedLibrary(parts)) };
  }

  #drop(held: Held): void {
    if (this.#held === held) this.#held = null;
    if (held.isDropped) return;
    held.isDropped = true;
    if (held.users === 0) this.#end(held);
  }

  #end({ opened }: Held): void {
    const closing = opened
      .then(({ library }) => library.close())
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
