// The parts of @journeyapps/wa-sqlite that the store calls; the package itself types only its awaited wrapper.

declare module "@journeyapps/wa-sqlite/dist/wa-sqlite.mjs" {
  /** The Emscripten module: SQLite's C functions, pointers as numbers, 64-bit integers as two halves. */
  export interface SqliteModule {
    /** Replaced whenever memory grows: read it anew after each call. */
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    /** The high half of the last 64-bit result. */
    getTempRet0(): number;
    UTF8ToString(pointer: number): string;
    vfs_register(vfs: object, makeDefault: boolean): number;
    _malloc(size: number): number;
    _free(pointer: number): void;
    _sqlite3_open_v2(name: number, out: number, flags: number, vfs: number): number;
    _sqlite3_close_v2(db: number): number;
    _sqlite3_extended_result_codes(db: number, on: number): number;
    _sqlite3_extended_errcode(db: number): number;
    _sqlite3_errmsg(db: number): number;
    _sqlite3_busy_timeout(db: number, milliseconds: number): number;
    _sqlite3_get_autocommit(db: number): number;
    _sqlite3_changes(db: number): number;
    /** Returns the low half; `getTempRet0` has the high one. */
    _sqlite3_last_insert_rowid(db: number): number;
    _sqlite3_exec(db: number, sql: number, callback: number, argument: number, error: number): number;
    _sqlite3_prepare_v3(
      db: number,
      sql: number,
      bytes: number,
      flags: number,
      out: number,
      tail: number,
    ): number;
    _sqlite3_step(statement: number): number;
    _sqlite3_reset(statement: number): number;
    _sqlite3_finalize(statement: number): number;
    _sqlite3_clear_bindings(statement: number): number;
    _sqlite3_bind_parameter_count(statement: number): number;
    _sqlite3_bind_null(statement: number, index: number): number;
    _sqlite3_bind_int64(statement: number, index: number, low: number, high: number): number;
    _sqlite3_bind_double(statement: number, index: number, value: number): number;
    _sqlite3_bind_text(
      statement: number,
      index: number,
      text: number,
      bytes: number,
      destructor: number,
    ): number;
    _sqlite3_bind_blob(
      statement: number,
      index: number,
      blob: number,
      bytes: number,
      destructor: number,
    ): number;
    _sqlite3_column_count(statement: number): number;
    _sqlite3_column_name(statement: number, index: number): number;
    _sqlite3_column_type(statement: number, index: number): number;
    /** Returns the low half; `getTempRet0` has the high one. */
    _sqlite3_column_int64(statement: number, index: number): number;
    _sqlite3_column_double(statement: number, index: number): number;
    _sqlite3_column_text(statement: number, index: number): number;
    _sqlite3_column_blob(statement: number, index: number): number;
    _sqlite3_column_bytes(statement: number, index: number): number;
    _sqlite3_file_control(db: number, schema: number, operation: number, argument: number): number;
  }

  export interface ModuleOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
    print(line: string): void;
    printErr(line: string): void;
  }

  export default function factory(options: ModuleOptions): Promise<SqliteModule>;
}

declare module "@journeyapps/wa-sqlite/src/FacadeVFS.js" {
  /** Turns SQLite's calls on a VFS (x…) into calls with JavaScript values (j…). */
  export class FacadeVFS {
    readonly name: string;
    mxPathname: number;
    constructor(name: string, module: object);
    hasAsyncMethod(method: string): boolean;
    jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number;
    jDelete(name: string, syncDirectory: number): number;
    jAccess(name: string, flags: number, out: DataView): number;
    jFullPathname(name: string, out: Uint8Array): number;
    jClose(file: number): number;
    jRead(file: number, data: Uint8Array, offset: number): number;
    jWrite(file: number, data: Uint8Array, offset: number): number;
    jTruncate(file: number, size: number): number;
    jSync(file: number, flags: number): number;
    jFileSize(file: number, out: DataView): number;
    jLock(file: number, level: number): number;
    jUnlock(file: number, level: number): number;
    jCheckReservedLock(file: number, out: DataView): number;
    jSectorSize(file: number): number;
    jDeviceCharacteristics(file: number): number;
  }
}

declare module "fs-native-extensions" {
  interface LockOptions {
    shared?: boolean;
  }
  export function tryLock(fd: number, offset: number, length: number, options?: LockOptions): boolean;
  export function tryUpgradeLock(fd: number, offset: number, length: number): boolean;
  export function tryDowngradeLock(fd: number, offset: number, length: number): boolean;
  export function unlock(fd: number, offset: number, length: number): void;
}
