import { fetchBytes } from "../engine/fetch.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { Database } from "./database.ts";
import { type ClearedLock, quotaExceeded } from "./failure.ts";
import { IdbFiles } from "./idb-files.browser.ts";
import { OpfsFiles, opfsComplaint } from "./opfs-files.browser.ts";
import { SEAL_BYTES } from "./page-seal.ts";
import { Sqlite } from "./sqlite.ts";
import { TabLock } from "./tab-lock.browser.ts";
import { Turns } from "./turns.ts";
import { BrowserVFS } from "./vfs.browser.ts";

/** Where a library is stored, and why not in a better place. */
export interface LibraryStorage {
  /** The origin private file system, snapshots in IndexedDB, or nowhere. */
  readonly kind: "opfs" | "indexeddb" | "memory";
  /** null if it is the requested place. */
  readonly reason: string | null;
}

const TIMEOUT_MS_DEFAULT = 5000;
let loading: Promise<Sqlite> | undefined;
const storages = new WeakMap<Database, LibraryStorage>();

/** Returns where a database that was opened here is stored. */
export function storageOf(database: Database): LibraryStorage {
  return storages.get(database) ?? { kind: "memory", reason: null };
}

/**
 * Opens a database of this site and creates it if it does not exist: in the origin private file system, or in IndexedDB
 * if there is none. ":memory:" is lost when closed.
 */
export async function openDatabase(
  name: string,
  { timeoutMs = TIMEOUT_MS_DEFAULT }: { readonly timeoutMs?: number },
): Promise<Database> {
  loading ??= fetchBytes(new URL("../../build/sqlite.wasm", import.meta.url)).then((wasm) =>
    Sqlite.load(wasm, WebAssembly.compile),
  );
  const sqlite = await loading;
  if (name === ":memory:") return sqlite.openMemory();
  checkHost(name);
  const module = await sqlite.instantiate();
  const complaint = await opfsComplaint();
  const lock = new TabLock(name, timeoutMs, () => turns.wanted());
  const files = complaint === null ? new OpfsFiles(name, lock) : new IdbFiles(name, lock);
  const turns = new Turns(files);
  const vfs = new BrowserVFS("browser", module, turns, () => files.held);
  module.vfs_register(vfs, false);
  try {
    // SQLite reads the header as soon as it opens a file.
    const database = await turns.use(
      () =>
        new Database(module, name, {
          vfs: vfs.name,
          backing: vfs,
          reservedBytes: SEAL_BYTES,
          timeoutMs: 0,
          turns,
        }),
    );
    if (files instanceof IdbFiles) files.onRevert = () => void database.get("PRAGMA user_version");
    storages.set(database, { kind: complaint === null ? "opfs" : "indexeddb", reason: complaint });
    return database;
  } catch (error) {
    turns.close();
    lock.close();
    throw error instanceof SelfsameError ? error : cannotOpen(name, error as Error);
  }
}

/** Web Locks end with their tab: there are no locks of dead processes. */
export async function clearLocks(_name: string): Promise<ClearedLock[]> {
  return [];
}

function checkHost(name: string): void {
  if (name === "" || hasLoneSurrogate(name)) {
    throw new SelfsameError("BAD_ARGUMENT", `expected the name of a library, got ${JSON.stringify(name)}`);
  }
  if (globalThis.navigator?.locks !== undefined && globalThis.BroadcastChannel !== undefined) return;
  throw new SelfsameError(
    "DATABASE_CANNOT_OPEN",
    "expected a browser with Web Locks and broadcast channels, which tabs need to share a library, got one without",
    'Serve the page over https or from localhost, update the browser, or open ":memory:"',
  );
}

function cannotOpen(name: string, cause: Error): SelfsameError {
  if (cause.name === "QuotaExceededError") return quotaExceeded(name, cause);
  return new SelfsameError(
    "DATABASE_CANNOT_OPEN",
    `expected storage for ${name}, got ${cause.name}: ${cause.message}`,
    'Allow the site to keep data (a private window may not), or open ":memory:"',
    { cause },
  );
}
