import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Backing } from "./backing.ts";
import * as sqlite from "./codes.ts";
import { VALUE_BYTES_MAX } from "./columns.ts";
import { damagedRow, failure } from "./failure.ts";
import type { SqliteModule } from "./sqlite-module.ts";
import { type Bindable, Statement, type StatementOwner } from "./statement.ts";

export interface ConnectionOptions {
  /** The registered VFS. If null, SQLite's default, which only works for ":memory:". */
  readonly vfs: string | null;
  readonly backing: Backing | null;
  /** The number of bytes at the end of each page that a new database leaves to its VFS. */
  readonly reservedBytes: number;
  /** How long to wait for a locked database. */
  readonly timeoutMs: number;
}

const STATEMENTS_KEPT_MAX = 64;

// No statement of ours reads a page's rows more than a few times. In a malicious file, a few pages that name each other
// as children stand for more rows than can ever be read. So statements end after a number of steps of SQLite's machine
// that is several times what any statement of ours takes on a file of that size.
const STEPS_PER_LOOK = 1_000_000;
const STEPS_MIN = 5_000_000;
const STEPS_PER_BYTE = 10;

const encoder = new TextEncoder();

/**
 * SQLite's handle of one database, and its statements, cached by their text. Result codes, traps of the wasm and
 * statements without end become a SelfsameError. It can be closed and opened again.
 */
export class Connection implements StatementOwner {
  readonly module: SqliteModule;
  readonly name: string;
  readonly #options: ConnectionOptions;
  readonly #backing: Backing | null;
  /** Why the connection ended by itself. */
  #ended: SelfsameError | null = null;
  /** Idle statements by SQL, least recently used first. One in use is taken out, so that uses can nest. */
  readonly #idle = new Map<string, Statement>();
  #handle = 0;
  #trapped = false;
  /** Statements that are running, nested in each other. */
  #running = 0;
  #steps = 0;
  #isOverrun = false;

  constructor(module: SqliteModule, name: string, options: ConnectionOptions) {
    this.module = module;
    this.name = name;
    this.#options = options;
    this.#backing = options.backing;
    this.#connect(sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE);
  }

  get isOpen(): boolean {
    return this.#handle !== 0;
  }

  get isRunning(): boolean {
    return this.#running !== 0;
  }

  /** False once it was closed for a reason of its own, which every later call throws. */
  get canReopen(): boolean {
    return this.#ended === null;
  }

  /** True while a transaction is open. */
  get inTransaction(): boolean {
    return this.module._sqlite3_get_autocommit(this.#live()) === 0;
  }

  /** True if a transaction is open, and a statement can still end it. */
  get canRollBack(): boolean {
    return !this.#trapped && this.isOpen && this.inTransaction;
  }

  /** The number of rows that the last statement changed. */
  get changes(): number {
    return this.module._sqlite3_changes(this.#handle);
  }

  get lastInsertRowid(): number {
    const low = this.module._sqlite3_last_insert_rowid(this.#handle);
    return this.module.getTempRet0() * 0x1_0000_0000 + (low >>> 0);
  }

  /** Opens what is at the path now. It is not created. */
  reopen(): void {
    this.#disconnect();
    this.#connect(sqlite.OPEN_READWRITE);
  }

  /** @param ended what every later call throws, if not that it was closed */
  close(ended: SelfsameError | null = null): void {
    this.#ended = ended ?? this.#ended;
    if (this.#handle === 0) return;
    this.#disconnect();
    this.#backing?.abandon();
  }

  /** Runs any number of statements without parameters or results. */
  exec(sql: string): void {
    const handle = this.#live();
    const text = this.#cString(sql);
    try {
      const code = this.#counted(() => this.guarded(() => this.module._sqlite3_exec(handle, text, 0, 0, 0)));
      if (code !== sqlite.OK) this.fail(code);
    } finally {
      this.module._free(text);
    }
  }

  /** Binds a statement and lets `use` step it. */
  withStatement<T>(sql: string, values: readonly Bindable[], use: (statement: Statement) => T): T {
    const statement = this.#idle.get(sql) ?? this.#prepare(sql);
    this.#idle.delete(sql);
    try {
      statement.bind(values);
      return this.#counted(() => use(statement));
    } finally {
      this.#keep(statement);
    }
  }

  guarded(call: () => number): number {
    if (this.#trapped) throw this.#trapError();
    try {
      return call();
    } catch (error) {
      // After a trap, the contents of the wasm's memory must not reach the disk: the instance is not used again.
      this.#trapped = true;
      this.#backing?.abandon();
      throw this.#trapError(error);
    }
  }

  fail(code: number): never {
    const message =
      this.#handle === 0
        ? "out of memory"
        : this.module.UTF8ToString(this.module._sqlite3_errmsg(this.#handle));
    if (this.#isOverrun) {
      this.#isOverrun = false;
      throw damagedRow(this.name, "more rows than a file of its size can hold");
    }
    const isBusy = (code & 0xff) === sqlite.BUSY;
    if (isBusy) this.#backing?.giveUp();
    throw failure(code, message, {
      name: this.name,
      systemError: this.#backing?.takeSystemError() ?? null,
      holder: isBusy ? (this.#backing?.holder() ?? null) : null,
    });
  }

  failRow(problem: string): never {
    throw damagedRow(this.name, problem);
  }

  #connect(flags: number): void {
    const { module } = this;
    const { vfs, timeoutMs, reservedBytes } = this.#options;
    this.#open(this.name, vfs, flags);
    module._sqlite3_extended_result_codes(this.#handle, 1);
    module._sqlite3_busy_timeout(this.#handle, timeoutMs);
    module._sqlite3_limit(this.#handle, sqlite.LIMIT_LENGTH, VALUE_BYTES_MAX);
    module.progress_handler(this.#handle, STEPS_PER_LOOK, () => this.#look(), 0);
    this.#reserve(reservedBytes);
  }

  #disconnect(): void {
    const handle = this.#handle;
    if (!this.#trapped) {
      for (const statement of this.#idle.values()) statement.finalize();
      this.module._sqlite3_close_v2(handle);
    }
    this.#idle.clear();
    this.#handle = 0;
  }

  /** Called by SQLite now and then. Returning 1 ends the statement. */
  #look(): number {
    this.#steps += STEPS_PER_LOOK;
    if (this.#steps < STEPS_MIN || this.#backing === null) return 0;
    if (this.#steps < this.#backing.databaseBytes() * STEPS_PER_BYTE) return 0;
    this.#isOverrun = true;
    return 1;
  }

  /** Runs statements whose steps are counted together. */
  #counted<T>(work: () => T): T {
    if (this.#running === 0) this.#steps = 0;
    this.#running++;
    try {
      return work();
    } finally {
      this.#running--;
    }
  }

  #open(name: string, vfs: string | null, flags: number): void {
    const module = this.module;
    const out = module._malloc(4);
    const path = this.#cString(name);
    const vfsName = vfs === null ? 0 : this.#cString(vfs);
    try {
      const code = this.guarded(() => module._sqlite3_open_v2(path, out, flags, vfsName));
      this.#handle = this.#pointerAt(out);
      if (code !== sqlite.OK) this.#failOpen(this.#handle === 0 ? code : this.#extendedCode());
    } finally {
      module._free(out);
      module._free(path);
      if (vfsName !== 0) module._free(vfsName);
    }
  }

  #failOpen(code: number): never {
    try {
      return this.fail(code);
    } finally {
      this.close();
    }
  }

  #reserve(bytes: number): void {
    const argument = this.module._malloc(4);
    new DataView(this.module.HEAPU8.buffer).setInt32(argument, bytes, true);
    this.module._sqlite3_file_control(this.#handle, 0, sqlite.FCNTL_RESERVE_BYTES, argument);
    this.module._free(argument);
  }

  /** Resets a statement and returns it to the idle ones. */
  #keep(statement: Statement): void {
    if (this.#trapped || !this.isOpen) return;
    statement.reset();
    this.#idle.get(statement.sql)?.finalize();
    this.#idle.set(statement.sql, statement);
    if (this.#idle.size <= STATEMENTS_KEPT_MAX) return;
    const [oldest, unused] = this.#idle.entries().next().value!;
    this.#idle.delete(oldest);
    unused.finalize();
  }

  #prepare(sql: string): Statement {
    const handle = this.#live();
    const module = this.module;
    const text = this.#cString(sql);
    const out = module._malloc(4);
    try {
      const code = this.guarded(() =>
        module._sqlite3_prepare_v3(handle, text, -1, sqlite.PREPARE_PERSISTENT, out, 0),
      );
      if (code !== sqlite.OK) this.fail(code);
      return new Statement(this, sql, this.#pointerAt(out));
    } finally {
      module._free(text);
      module._free(out);
    }
  }

  #live(): number {
    if (this.#trapped) throw this.#trapError();
    if (this.#handle !== 0) return this.#handle;
    if (this.#ended !== null) throw this.#ended;
    throw new SelfsameError("BAD_ARGUMENT", `expected ${this.name} to be open, got a call after close()`);
  }

  #trapError(cause?: unknown): SelfsameError {
    return new SelfsameError(
      "DATABASE_CORRUPT",
      `expected SQLite to read ${this.name}, got a trap in its wasm: the file is damaged or memory ran out`,
      "Open it again; if the error persists, restore a backup, or move the file away and index again",
      cause === undefined ? undefined : { cause },
    );
  }

  #extendedCode(): number {
    return this.module._sqlite3_extended_errcode(this.#handle);
  }

  #pointerAt(address: number): number {
    return new DataView(this.module.HEAPU8.buffer).getUint32(address, true);
  }

  #cString(text: string): number {
    const bytes = encoder.encode(text);
    const pointer = this.module._malloc(bytes.length + 1);
    if (pointer === 0) this.fail(sqlite.NOMEM);
    this.module.HEAPU8.set(bytes, pointer);
    this.module.HEAPU8[pointer + bytes.length] = 0;
    return pointer;
  }
}
