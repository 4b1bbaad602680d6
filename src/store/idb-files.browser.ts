import { BLOCK_BYTES, BlockFile } from "./block-file.ts";
import { quotaExceeded } from "./failure.ts";
import type { SyncFiles } from "./sync-file.ts";
import type { TabLock } from "./tab-lock.browser.ts";
import type { SharedFiles } from "./turns.ts";

/** What is stored of a library, besides its blocks. */
interface Kept {
  readonly size: number;
  /** Counts writes. Each block carries the version in which it last changed. */
  readonly version: number;
}

interface KeptBlock {
  readonly index: number;
  readonly version: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A library in a browser without files for a site: in memory, and stored in IndexedDB. At the end of each turn, when no
 * transaction is open, the changed blocks are written together in one IndexedDB transaction, so that the stored state
 * is always one that SQLite has committed. At the start of each turn, the blocks that another tab has changed are
 * loaded.
 */
export class IdbFiles implements SharedFiles {
  readonly #library: string;
  readonly #lock: TabLock;
  readonly #memory = { database: new BlockFile(), journal: new BlockFile() };
  #connection: IDBDatabase | null = null;
  #version = 0;
  #isHeld = false;
  #writing: Promise<void> = Promise.resolve();
  /** Called when memory was reset to the stored state: SQLite must read the file again. */
  onRevert: () => void = () => {};

  constructor(library: string, lock: TabLock) {
    this.#library = library;
    this.#lock = lock;
  }

  get held(): SyncFiles | null {
    return this.#isHeld ? this.#memory : null;
  }

  async take(): Promise<void> {
    await this.#lock.acquire();
    try {
      this.#connection ??= await connect(`selfsame:${this.#library}`);
      await this.#catchUp();
      this.#isHeld = true;
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Writes run one after the other: work that ends during a write is written after it. */
  settle(): Promise<void> {
    const run = this.#writing.then(() => this.#write());
    this.#writing = run.catch(() => undefined);
    return run;
  }

  give(): void {
    this.#isHeld = false;
    this.#lock.release();
  }

  async #write(): Promise<void> {
    const { database, journal } = this.#memory;
    // If there is a journal, it belongs to a transaction that SQLite did not end because of a trap. Nothing of it is
    // stored.
    if (!database.hasChanged || journal.getSize() > 0) return;
    const kept: Kept = { size: database.getSize(), version: this.#version + 1 };
    try {
      await putBlocks(this.#connection!, kept, database.takeChanged());
      this.#version = kept.version;
    } catch (error) {
      this.#version = 0;
      await this.#catchUp();
      this.onRevert();
      throw (error as Error).name === "QuotaExceededError"
        ? quotaExceeded(this.#library, error as Error)
        : error;
    }
  }

  async #catchUp(): Promise<void> {
    const { database, journal } = this.#memory;
    const { kept, blocks } = await getBlocks(this.#connection!, this.#version);
    if (kept !== null && kept.version === this.#version) return;
    for (const { index, bytes } of blocks) database.load(index, bytes);
    database.loaded(kept?.size ?? 0);
    journal.truncate(0);
    this.#version = kept?.version ?? 0;
  }
}

function connect(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("kept");
      request.result.createObjectStore("blocks", { keyPath: "index" }).createIndex("version", "version");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function putBlocks(
  connection: IDBDatabase,
  kept: Kept,
  changed: ReadonlyMap<number, Uint8Array<ArrayBuffer>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = connection.transaction(["kept", "blocks"], "readwrite", { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB aborted the transaction"));
    const blocks = transaction.objectStore("blocks");
    for (const [index, bytes] of changed) {
      blocks.put({ index, version: kept.version, bytes } satisfies KeptBlock);
    }
    blocks.delete(IDBKeyRange.lowerBound(Math.ceil(kept.size / BLOCK_BYTES)));
    transaction.objectStore("kept").put(kept, "library");
  });
}

/** Reads what has changed since a version. */
function getBlocks(
  connection: IDBDatabase,
  since: number,
): Promise<{ kept: Kept | null; blocks: readonly KeptBlock[] }> {
  return new Promise((resolve, reject) => {
    const transaction = connection.transaction(["kept", "blocks"], "readonly");
    const kept = transaction.objectStore("kept").get("library");
    const newer = IDBKeyRange.lowerBound(since, true);
    const blocks = transaction.objectStore("blocks").index("version").getAll(newer);
    transaction.oncomplete = () => resolve({ kept: kept.result ?? null, blocks: blocks.result });
    transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB aborted the transaction"));
  });
}
