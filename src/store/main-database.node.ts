import type { BigIntStats } from "node:fs";
import { SelfsameError } from "../errors/selfsame-error.ts";
import * as sqlite from "./codes.ts";
import type { DatabaseLock } from "./database-lock.ts";
import { type Identity, identityAt, isSame } from "./file-paths.node.ts";
import type { FileSystem } from "./file-system.node.ts";
import { SealedDatabase } from "./sealed-database.ts";
import type { SyncFile } from "./sync-file.ts";

/** The database of a connection: its lock, its sealed pages, and which file it is. */
export class MainDatabase {
  readonly path: string;
  readonly lock: DatabaseLock;
  readonly pages: SealedDatabase;
  readonly mode: number;
  readonly #identity: Identity;
  readonly #fs: FileSystem;

  constructor(opened: {
    readonly path: string;
    readonly file: SyncFile;
    readonly lock: DatabaseLock;
    readonly identity: BigIntStats;
    readonly fs: FileSystem;
  }) {
    this.path = opened.path;
    this.lock = opened.lock;
    this.pages = new SealedDatabase(() => opened.file);
    this.mode = Number(opened.identity.mode) & 0o666;
    this.#identity = opened.identity;
    this.#fs = opened.fs;
  }

  /** Takes a lock, if the path still leads to the open file. */
  lockInPlace(level: number): number {
    const code = this.lock.lock(level);
    if (code !== sqlite.OK || this.#isInPlace()) return code;
    if (level === sqlite.LOCK_SHARED) this.lock.unlock(sqlite.LOCK_NONE);
    throw new SelfsameError(
      "DATABASE_MOVED",
      `expected ${this.path} to be the file that was opened, got none or another: it was moved, deleted or replaced`,
      "Nothing was written. Open the library again where it is now",
    );
  }

  #isInPlace(): boolean {
    const found = identityAt(this.path, this.#fs);
    return found !== null && isSame(found, this.#identity);
  }
}
