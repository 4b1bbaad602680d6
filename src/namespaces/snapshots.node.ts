import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { lookBeside } from "../store/library-files.node.ts";
import { openDatabase } from "../store/open-database.ts";
import type { DataFolder } from "./data-folder.node.ts";
import { replaceFile, syncFolder, syncPath, writeFileDurably } from "./durable-files.node.ts";
import { readShortFile, SNAPSHOT_NAME, snapshotFolder } from "./read-snapshot.node.ts";
import { readSnapshotMetadata, type Snapshot, type SnapshotMetadata } from "./snapshot-metadata.ts";
import type { SnapshotRequest } from "./snapshot-worker.node.ts";
import { Thread } from "./thread.node.ts";

/** A snapshot that was checked, with a copy of its library that can be put in place. */
export interface StagedSnapshot {
  readonly snapshot: Snapshot;
  readonly copy: string;
  /** The place. */
  readonly path: string;
}

const KEPT = 2;
const ABANDONED_MS = 24 * 3_600_000;
/** A folder that is being written or deleted. It is never taken for a snapshot. */
const UNFINISHED = ".unfinished-";

/** The snapshots of the namespaces of a folder. SPEC §22.2 */
export class Snapshots {
  readonly #data: DataFolder;
  readonly #library: OpenOptions;

  constructor(data: DataFolder, library: OpenOptions) {
    this.#data = data;
    this.#library = library;
  }

  /** Writes a snapshot and makes it the current one. `keepAll` leaves older ones where they are. */
  async write(name: string, { keepAll }: { readonly keepAll: boolean }): Promise<Snapshot> {
    const path = this.#data.library(name, { make: false });
    const folder = this.#data.snapshots(name, { make: true });
    sweep(folder);
    const createdAt = new Date().toISOString();
    const unfinished = join(folder, UNFINISHED + randomUUID());
    const task = { name, path, library: this.#library, folder: unfinished, createdAt };
    const metadata = await inThread<SnapshotMetadata>({ type: "write", task });
    const title = `${createdAt.replace(/[-:.]/g, "")}-${metadata.root}`;
    const finished = join(folder, title);
    try {
      renameSync(unfinished, finished);
    } catch (error) {
      // Another process made the same one in the same millisecond.
      rmSync(unfinished, { recursive: true, force: true });
      if (!["EEXIST", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
    syncFolder(folder);
    const current = join(folder, UNFINISHED + randomUUID());
    await writeFileDurably(current, (append) => append(new TextEncoder().encode(`${title}\n`)));
    replaceFile(current, join(folder, "current"));
    if (!keepAll) this.#forget(folder, title);
    return { folder: finished, metadata };
  }

  /** Returns what the current snapshot says about itself; null if there is none that can be read. */
  latest(name: string): Snapshot | null {
    try {
      const folder = snapshotFolder(this.#data.snapshots(name, { make: false }));
      return { folder, metadata: readSnapshotMetadata(readShortFile(join(folder, "metadata.json")), folder) };
    } catch {
      return null;
    }
  }

  /** Returns how long ago the current snapshot was made; null if there is none. */
  ageMs(name: string): number | null {
    const latest = this.latest(name);
    return latest === null ? null : Math.max(0, Date.now() - Date.parse(latest.metadata.created_at));
  }

  /** Checks a snapshot, and makes a copy of its library for `put`. */
  async stage(name: string, given: string): Promise<StagedSnapshot> {
    return this.#stage(name, snapshotFolder(resolve(given)));
  }

  /**
   * Puts the copy in the place of the namespace's library, at once. Nobody in this process may have the library open.
   * Other processes find that it was moved, and open it again.
   */
  async put({ path, copy }: StagedSnapshot): Promise<void> {
    try {
      await swapIn(path, copy);
    } finally {
      rmSync(copy, { force: true });
    }
  }

  /**
   * Restores the current snapshot of a namespace that has no library.
   *
   * @throws {SelfsameError} BAD_SNAPSHOT if it is missing or damaged
   */
  async restoreMissing(name: string): Promise<void> {
    const folder = snapshotFolder(this.#data.snapshots(name, { make: false }));
    const { copy, path } = await this.#stage(name, folder);
    try {
      syncPath(copy);
      linkSync(copy, path); // fails if another process has made a library meanwhile: that one stands
      syncFolder(dirname(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(copy, { force: true });
    }
  }

  async #stage(name: string, folder: string): Promise<StagedSnapshot> {
    const path = this.#data.library(name, { make: true });
    sweep(dirname(path));
    const copy = `${path}${UNFINISHED}${randomUUID()}`;
    const task = { name, folder, copy, library: this.#library };
    const metadata = await inThread<SnapshotMetadata>({ type: "stage", task }).catch((error) => {
      removeIfEmpty(dirname(path));
      throw error;
    });
    return { snapshot: { folder, metadata }, copy, path };
  }

  /** Deletes all but the current snapshot and the newest of the others. */
  #forget(folder: string, current: string): void {
    const others = readdirSync(folder).filter((each) => each !== current);
    const older = others.filter((each) => SNAPSHOT_NAME.test(each)).sort();
    for (const each of older.slice(0, Math.max(0, older.length - (KEPT - 1)))) {
      const aside = join(folder, UNFINISHED + randomUUID());
      try {
        renameSync(join(folder, each), aside);
        rmSync(aside, { recursive: true, force: true });
      } catch {} // another process deletes it, too
    }
  }
}

/** Deletes what interrupted processes left. What is younger may belong to one that works. */
function sweep(folder: string): void {
  for (const each of readdirSync(folder).filter((name) => name.includes(UNFINISHED))) {
    const path = join(folder, each);
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Puts a copy that lies beside a library in its place, as a large ingest does: under a lock that keeps everybody else away.
 * A damaged library is replaced without a lock, and without its journal.
 */
async function swapIn(path: string, copy: string): Promise<void> {
  syncPath(copy);
  if (process.platform !== "win32" && lookBeside(path) !== undefined) {
    try {
      const database = await openDatabase(path);
      try {
        database.replaceByBeside(copy.slice(path.length), () => undefined);
      } finally {
        database.close();
      }
      return;
    } catch (error) {
      const isDamaged = error instanceof SelfsameError && DAMAGED.includes(error.code);
      if (!isDamaged || lookBeside(copy) === undefined) throw error;
      rmSync(`${path}-journal`, { force: true });
    }
  }
  replaceFile(copy, path); // on Windows an open file cannot be replaced
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {} // it has a library
}

const DAMAGED: readonly string[] = ["DATABASE_CORRUPT", "DATABASE_FOREIGN"];

async function inThread<T>(request: SnapshotRequest): Promise<T> {
  const thread = new Thread(new URL("./snapshot-worker.node.js", import.meta.url), null);
  try {
    return await thread.ask<T>(request);
  } finally {
    await thread.stop();
  }
}
