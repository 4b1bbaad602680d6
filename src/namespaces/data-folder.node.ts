import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { badArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { lookBeside, PRIVATE_FOLDER } from "../store/library-files.node.ts";
import { decodeNamespace, encodeNamespace } from "./names.ts";

const NAMESPACES = "namespaces";
const SNAPSHOTS = "snapshots";
const LIBRARY = "library.db";
/** What is being removed. No namespace has a folder that starts with a dot. */
const REMOVED = ".removed-";

/**
 * The folder of all namespaces:
 *
 *     <data>/namespaces/<encoded name>/library.db
 *     <data>/snapshots/<encoded name>/…
 *
 * The folder itself is what the user named and may be a link. Nothing below it may be one: it may have come from
 * somewhere else. SPEC §22.1
 */
export class DataFolder {
  readonly path: string;

  /** Makes the folder if it is missing, for its owner alone. */
  constructor(folder: string) {
    if (typeof folder !== "string" || folder === "" || folder.includes("\0"))
      throw badArgument("folder", "the path of a folder", folder);
    try {
      mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
      this.path = realpathSync(resolve(folder));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new SelfsameError(
        "DATABASE_CANNOT_OPEN",
        `expected a folder at ${folder}, got ${message}`,
        "Name a folder that you may write to",
        { cause },
      );
    }
    this.#sweep(NAMESPACES);
    this.#sweep(SNAPSHOTS);
  }

  /** The path of a namespace's library. Its folder is checked, and made if it is missing and `make` is set. */
  library(name: string, { make }: { readonly make: boolean }): string {
    const folder = this.#folder(NAMESPACES, name, make);
    return join(folder, LIBRARY);
  }

  /** The folder of a namespace's snapshots, checked and made in the same way. */
  snapshots(name: string, { make }: { readonly make: boolean }): string {
    return this.#folder(SNAPSHOTS, name, make);
  }

  /** Whether a namespace has a library. An empty file is none: opening it would make one. */
  hasLibrary(name: string): boolean {
    return (lookBeside(this.library(name, { make: false }))?.size ?? 0) > 0;
  }

  /** Whether a namespace has a folder of snapshots. */
  hasSnapshots(name: string): boolean {
    return existsSync(this.snapshots(name, { make: false }));
  }

  /** Returns the names of all namespaces that have a library or snapshots, in the order of their characters. */
  names(): string[] {
    const decoded = (kind: string) =>
      this.#entries(kind)
        .map(decodeNamespace)
        .filter((name) => name !== null);
    const ofLibraries = decoded(NAMESPACES).filter((name) => this.hasLibrary(name));
    return [...new Set([...ofLibraries, ...decoded(SNAPSHOTS)])].sort();
  }

  /**
   * Removes a namespace's snapshots, then its library: the other way round, an interruption would leave snapshots that
   * bring it back. Each is renamed first, so that no half of it can be taken for a whole. Returns whether there was one.
   */
  remove(name: string): boolean {
    const isThere = [SNAPSHOTS, NAMESPACES].map((kind) => {
      const folder = this.#folder(kind, name, false);
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return false;
      const aside = join(this.path, kind, REMOVED + randomUUID());
      renameSync(folder, aside);
      rmSync(aside, { recursive: true, force: true });
      return true;
    });
    return isThere.includes(true);
  }

  #folder(kind: string, name: string, make: boolean): string {
    const parent = join(this.path, kind);
    const folder = join(parent, encodeNamespace(name));
    checkFolder(parent, make);
    checkFolder(folder, make);
    return folder;
  }

  #entries(kind: string): string[] {
    const folder = join(this.path, kind);
    return checkFolder(folder, false) ? readdirSync(folder) : [];
  }

  /** Deletes what an interrupted removal left. What cannot be deleted does no harm. */
  #sweep(kind: string): void {
    for (const entry of this.#entries(kind).filter((each) => each.startsWith(REMOVED)))
      try {
        rmSync(join(this.path, kind, entry), { recursive: true, force: true });
      } catch {}
  }
}

/**
 * Returns whether a folder is there, and makes it if asked to. @throws {SelfsameError} DATABASE_CANNOT_OPEN for a link
 * or anything else that is not a folder
 */
export function checkFolder(folder: string, make: boolean): boolean {
  let found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined && make) {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    found = lstatSync(folder);
  }
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw new SelfsameError(
    "DATABASE_CANNOT_OPEN",
    `expected a folder at ${folder}, got ${found.isSymbolicLink() ? "a symbolic link" : "something else"}`,
    "Nothing was read or written through it. Remove it if it is not yours, or name another folder",
  );
}
