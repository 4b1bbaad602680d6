// Separate from wa-sqlite.d.ts, which users of the package do not see: public types refer to this file.

/** The Emscripten module: SQLite's C functions, pointers as numbers, 64-bit integers as two halves. */
export interface SqliteModule {
  /** Replaced whenever memory grows: read it again after each call. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  /** Returns the high half of the last 64-bit result. */
  getTempRet0(): number;
  UTF8ToString(pointer: number): string;
  vfs_register(vfs: object, makeDefault: boolean): number;
  /**
   * Calls `handler` about every `steps` steps of a statement. If it returns a number other than 0, the statement ends.
   */
  progress_handler(db: number, steps: number, handler: () => number, argument: number): void;
  _malloc(size: number): number;
  _free(pointer: number): void;
  _sqlite3_open_v2(name: number, out: number, flags: number, vfs: number): number;
  _sqlite3_close_v2(db: number): number;
  _sqlite3_extended_result_codes(db: number, on: number): number;
  _sqlite3_extended_errcode(db: number): number;
  _sqlite3_errmsg(db: number): number;
  _sqlite3_busy_timeout(db: number, milliseconds: number): number;
  /** Sets a limit of the connection (0: bytes of a value) and returns the previous one. */
  _sqlite3_limit(db: number, id: number, value: number): number;
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
