import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { compileSqlite } from "./compile-sqlite.node.ts";
import { Database } from "./database.ts";
import type { FileSystem } from "./file-system.node.ts";
import type { LockKind } from "./lock.node.ts";
import { SEAL_BYTES } from "./page-seal.ts";
import { Sqlite } from "./sqlite.ts";
import { NodeVFS } from "./vfs.node.ts";

export { clearLocks } from "./clear-locks.node.ts";

export interface OpenOptions {
  /** How long to wait for a lock that another process holds before DATABASE_BUSY. Default 5000. */
  readonly timeoutMs?: number;
  /** Default "auto"; see LockKind. */
  readonly locks?: LockKind;
  /** Default node:fs. */
  readonly fileSystem?: FileSystem;
}

const TIMEOUT_MS_DEFAULT = 5000;

let loading: Promise<Sqlite> | null = null;

/** Loads the pinned SQLite from the installed package; checked and probed once per process. */
export function loadSqlite(): Promise<Sqlite> {
  loading ??= readWasm().then((wasm) => Sqlite.load(wasm, compileSqlite));
  return loading;
}

/**
 * Opens a database file, created if it does not exist, or ":memory:". Nothing is read or written before the first
 * statement.
 */
export async function openDatabase(name: string, options: OpenOptions = {}): Promise<Database> {
  const sqlite = await loadSqlite();
  if (name === ":memory:") return sqlite.openMemory();
  if (name === "" || name.includes("\0")) {
    throw new SelfsameError("BAD_ARGUMENT", `expected the name of a file, got ${JSON.stringify(name)}`);
  }
  const module = await sqlite.instantiate();
  const vfs = new NodeVFS("node", module, options.locks ?? "auto", options.fileSystem);
  module.vfs_register(vfs, false);
  return new Database(module, name, {
    vfs: vfs.name,
    backing: vfs,
    reservedBytes: SEAL_BYTES,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS_DEFAULT,
  });
}

async function readWasm(): Promise<Uint8Array<ArrayBuffer>> {
  const require = createRequire(import.meta.url);
  return new Uint8Array(await readFile(require.resolve("@journeyapps/wa-sqlite/dist/wa-sqlite.wasm")));
}
