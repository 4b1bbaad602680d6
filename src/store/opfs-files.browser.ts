import type { SyncFile, SyncFiles } from "./sync-file.ts";
import type { TabLock } from "./tab-lock.browser.ts";
import type { SharedFiles } from "./turns.ts";

const FOLDER = "selfsame";
/** A closed tab has released its lock but may hold its handles for a moment longer. */
const TRY_AGAIN_MS = 20;
const TRY_FOR_MS = 5000;

/** The part of FileSystemFileHandle that only Workers have; TypeScript's library for pages leaves it out. */
interface HandleInWorker {
  createSyncAccessHandle(): Promise<SyncFile>;
}

/** Returns why this browser has no file system for a site (the origin private file system), or null if it has one. */
export async function opfsComplaint(): Promise<string | null> {
  try {
    if (!("createSyncAccessHandle" in FileSystemFileHandle.prototype))
      return "it has no synchronous access to files";
    await navigator.storage.getDirectory();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * A library in the origin private file system: `selfsame/<name>.db` and its journal. Only one tab at a time can open
 * each.
 */
export class OpfsFiles implements SharedFiles {
  readonly #lock: TabLock;
  readonly #fileName: string;
  #handles: readonly HandleInWorker[] | null = null;
  #held: SyncFiles | null = null;

  constructor(library: string, lock: TabLock) {
    this.#fileName = `${encodeURIComponent(library)}.db`;
    this.#lock = lock;
  }

  get held(): SyncFiles | null {
    return this.#held;
  }

  async take(): Promise<void> {
    await this.#lock.acquire();
    try {
      this.#handles ??= await this.#find();
      const [database, journal] = await Promise.all(this.#handles.map(openAlone));
      this.#held = { database: database!, journal: journal! };
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** A commit has already flushed its files. */
  async settle(): Promise<void> {}

  give(): void {
    this.#held?.database.close();
    this.#held?.journal.close();
    this.#held = null;
    this.#lock.release();
  }

  async #find(): Promise<HandleInWorker[]> {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER, { create: true });
    const names = [this.#fileName, `${this.#fileName}-journal`];
    const handles = names.map((name) => folder.getFileHandle(name, { create: true }));
    return (await Promise.all(handles)) as unknown as HandleInWorker[];
  }
}

async function openAlone(handle: HandleInWorker): Promise<SyncFile> {
  for (const began = performance.now(); ; ) {
    try {
      return await handle.createSyncAccessHandle();
    } catch (error) {
      const isHeld = (error as Error).name === "NoModificationAllowedError";
      if (!isHeld || performance.now() - began > TRY_FOR_MS) throw error;
      await new Promise((resume) => setTimeout(resume, TRY_AGAIN_MS));
    }
  }
}
