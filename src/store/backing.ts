import type { Holder } from "./failure.ts";

/** The part of a VFS that a database uses when a call has failed, and when its wasm has trapped. */
export interface Backing {
  /** Returns the operating system's last error and clears it (the next call returns null). */
  takeSystemError(): Error | null;
  /** The process that holds the lock, if known. */
  holder(): Holder | null;
  /** Called if a lock could not be acquired in time. */
  giveUp(): void;
  /** Returns the size of the database file. */
  databaseBytes(): number;
  /** Closes all files and releases their locks, without SQLite. */
  abandon(): void;
  /** The files beside the database, where it is a file with a name. */
  readonly beside?: BesideFiles;
}

/** Files whose names are that of the database and a suffix. */
export interface BesideFiles {
  path(suffix: string): string;
  /** @throws {SelfsameError} DATABASE_CANNOT_OPEN if something other than a file has that name */
  exists(suffix: string): boolean;
  /** Copies the database, of which the caller holds a lock, to such a file, whole or not at all. */
  copyTo(suffix: string): void;
  /** Puts such a file in the place of the database, which the caller has locked for itself alone. */
  replaceBy(suffix: string): void;
  /** Removes such a file, and what belongs to it. */
  remove(suffix: string): void;
}
