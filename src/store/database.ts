import { SelfsameError } from "../errors/selfsame-error.ts";
import * as sqlite from "./codes.ts";
import { VALUE_BYTES_MAX } from "./columns.ts";
import { damagedRow, failure, type Holder } from "./failure.ts";
import type { SqliteModule } from "./sqlite-module.ts";
import { type Bindable, type Row, Statement, type StatementOwner } from "./statement.ts";
import type { Turns } from "./turns.ts";

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

export interface DatabaseOptions {
  /** The registered VFS. If null, SQLite's default, which only works for ":memory:". */
  readonly vfs: string | null;
  readonly backing: Backing | null;
  /** The number of bytes at the end of each page that a new database leaves to its VFS. */
  readonly reservedBytes: number;
  /** How long to wait for a locked database. */
  readonly timeoutMs: number;
  /** Decides when this connection may use the files, where only one connection at a time can have them. */
  readonly turns?: Turns;
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
 * A synchronous connection to one database, on its own SQLite instance. Statements are cached by their text.
 *
 * A thrown error is always a SelfsameError. After an error inside `transaction`, nothing of that transaction remains.
 */
export class Database implements StatementOwner {
  readonly module: SqliteModule;
  readonly name: string;
  readonly #backing: Backing | null;
  readonly #turns: Turns | null;
  readonly #options: DatabaseOptions;
  /** Checks a file that has taken the place of the open one; null: none is accepted. */
  #checkReplacement: (() => void) | null = null;
  #isReopening = false;
  /** Why the connection ended by itself. */
  #ended: SelfsameError | null = null;
  /** Idle statements by SQL, least recently used first. One in use is taken out, so that uses can nest. */
  readonly #idle = new Map<string, Statement>();
  #handle = 0;
  #savepoints = 0;
  #trapped = false;
  /** Statements that are running, nested in each other. */
  #running = 0;
  #steps = 0;
  #isOverrun = false;

  constructor(module: SqliteModule, name: string, options: DatabaseOptions) {
    this.module = module;
    this.name = name;
    this.#backing = options.backing;
    this.#turns = options.turns ?? null;
    this.#options = options;
    this.#connect(sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE);
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

  /**
   * From now on, if another file has taken the place of the open one, it is opened instead, unless `check` throws. Then,
   * and if there is none, every call is the error DATABASE_MOVED.
   */
  followReplacement(check: () => void): void {
    this.#checkReplacement = check;
  }

  /** Whether another file can take the place of this database. */
  get canBeReplaced(): boolean {
    return this.#backing?.beside !== undefined;
  }

  /** Returns the path of a file beside the database. */
  besidePath(suffix: string): string {
    return this.#beside().path(suffix);
  }

  hasBeside(suffix: string): boolean {
    return this.#beside().exists(suffix);
  }

  /** Copies the database to a file beside it. Call it in a snapshot. */
  copyBeside(suffix: string): void {
    this.#beside().copyTo(suffix);
  }

  removeBeside(suffix: string): void {
    this.#beside().remove(suffix);
  }

  /**
   * Puts a file beside the database in its place, and opens it. Until then nobody else can read or write. `check` is
   * called before, under the lock. Whenever the process ends, the path leads to the old file or to the new one.
   */
  replaceByBeside(suffix: string, check: () => void): void {
    // The replacement of an old file is followed here, before the check.
    this.snapshot(() => undefined);
    this.#outermost("BEGIN EXCLUSIVE", () => {
      check();
      this.#beside().replaceBy(suffix);
    });
    this.#reopen(null);
  }

  #beside(): BesideFiles {
    const beside = this.#backing?.beside;
    if (beside !== undefined) return beside;
    throw new SelfsameError("BAD_ARGUMENT", `expected ${this.name} to be a file, got one without a name`);
  }

  /** Runs work that takes the file's lock. If the file was replaced by another that is accepted, runs it on that. */
  #following<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SelfsameError) || error.code !== "DATABASE_MOVED") throw error;
      const mayReopen = this.#checkReplacement !== null && !this.#isReopening && this.#running === 0;
      if (!mayReopen || this.#ended !== null || this.inTransaction) throw error;
      this.#reopen(error);
      return work();
    }
  }

  /** Opens what is at the path now. @param moved the error if that is not acceptable */
  #reopen(moved: SelfsameError | null): void {
    this.#isReopening = true;
    try {
      this.#disconnect();
      this.#connect(sqlite.OPEN_READWRITE);
      this.#checkReplacement?.();
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      this.#ended = moved ?? error;
      this.close();
      throw this.#ended;
    } finally {
      this.#isReopening = false;
    }
  }

  get isOpen(): boolean {
    return this.#handle !== 0;
  }

  /** True while a transaction is open. */
  get inTransaction(): boolean {
    return this.module._sqlite3_get_autocommit(this.#live()) === 0;
  }

  /** Runs any number of statements without parameters or results. */
  exec(sql: string): void {
    if (this.#mayMove()) this.#following(() => this.#exec(sql));
    else this.#exec(sql);
  }

  /** True outside of transactions, where a statement takes the file's lock itself. */
  #mayMove(): boolean {
    return this.#checkReplacement !== null && this.#running === 0 && !this.inTransaction;
  }

  #exec(sql: string): void {
    const handle = this.#live();
    const text = this.#cString(sql);
    try {
      const code = this.#counted(() => this.guarded(() => this.module._sqlite3_exec(handle, text, 0, 0, 0)));
      if (code !== sqlite.OK) this.fail(code);
    } finally {
      this.module._free(text);
    }
  }

  /** Runs one statement to its end and returns the number of rows that it changed. */
  run(sql: string, values: readonly Bindable[] = []): number {
    return this.#with(sql, values, (statement) => {
      while (statement.step());
      return this.module._sqlite3_changes(this.#handle);
    });
  }

  /** Runs one INSERT of one row and returns its rowid. */
  insert(sql: string, values: readonly Bindable[] = []): number {
    return this.#with(sql, values, (statement) => {
      while (statement.step());
      const low = this.module._sqlite3_last_insert_rowid(this.#handle);
      return this.module.getTempRet0() * 0x1_0000_0000 + (low >>> 0);
    });
  }

  /** Returns the first row, or undefined. */
  get<T = Row>(sql: string, values: readonly Bindable[] = []): T | undefined {
    return this.#with(sql, values, (statement) => (statement.step() ? (statement.row() as T) : undefined));
  }

  /** Returns all rows. Their order depends on history unless the statement ends in an ORDER BY over a unique key. */
  all<T = Row>(sql: string, values: readonly Bindable[] = []): T[] {
    return this.#with(sql, values, (statement) => {
      const rows: T[] = [];
      while (statement.step()) rows.push(statement.row() as T);
      return rows;
    });
  }

  /**
   * Calls `visit` for each row. It reads only the columns that it needs, and copies blobs only where it wants copies.
   */
  each(sql: string, values: readonly Bindable[], visit: (statement: Statement) => void): void {
    this.#with(sql, values, (statement) => {
      while (statement.step()) visit(statement);
    });
  }

  /** Calls `visit` for each row until it returns false. */
  until(sql: string, values: readonly Bindable[], visit: (statement: Statement) => boolean): void {
    this.#with(sql, values, (statement) => {
      while (statement.step() && visit(statement));
    });
  }

  /**
   * Runs `work` in a transaction that may write. All of it is on disk when this returns, none of it if this throws.
   * Inside another transaction it is a savepoint of that one.
   */
  transaction<T>(work: () => T): T {
    return this.inTransaction ? this.#savepoint(work) : this.#outermost("BEGIN IMMEDIATE", work);
  }

  /** Runs `work`, which only reads, on one state of the database, whatever other processes do meanwhile. */
  snapshot<T>(work: () => T): T {
    if (this.inTransaction) return work();
    // The lock is taken by the first statement that reads: until then nothing has happened.
    return this.#following(() => this.#outermost("BEGIN", work));
  }

  /**
   * Runs work that touches the database. Where only one connection at a time can have its files, the work gets its own
   * turn.
   */
  async use<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#turns === null ? work() : this.#turns.use(work);
  }

  /** Within such work, runs a long part that does not touch the database, which other connections may use meanwhile. */
  async idle<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns === null ? work() : this.#turns.idle(work);
  }

  /** Returns once committed data is durable. Where a commit ensures that, it returns at once. */
  async settled(): Promise<void> {
    await this.#turns?.settled();
  }

  close(): void {
    if (this.#handle === 0) return;
    this.#disconnect();
    this.#backing?.abandon();
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

  #reserve(bytes: number): void {
    const argument = this.module._malloc(4);
    new DataView(this.module.HEAPU8.buffer).setInt32(argument, bytes, true);
    this.module._sqlite3_file_control(this.#handle, 0, sqlite.FCNTL_RESERVE_BYTES, argument);
    this.module._free(argument);
  }

  #failOpen(code: number): never {
    try {
      return this.fail(code);
    } finally {
      this.close();
    }
  }

  #outermost<T>(begin: string, work: () => T): T {
    this.run(begin);
    try {
      const result = synchronous(work());
      this.run("COMMIT");
      return result;
    } catch (error) {
      // SQLite has already rolled back after some errors (disk full, i/o).
      if (!this.#trapped && this.isOpen && this.inTransaction) this.run("ROLLBACK");
      // A failure during the rollback must not be taken for the reason of a later error.
      this.#backing?.takeSystemError();
      throw error;
    }
  }

  #savepoint<T>(work: () => T): T {
    const name = `savepoint_${++this.#savepoints}`;
    try {
      this.run(`SAVEPOINT ${name}`);
      try {
        const result = synchronous(work());
        this.run(`RELEASE ${name}`);
        return result;
      } catch (error) {
        if (!this.#trapped && this.isOpen && this.inTransaction) {
          this.run(`ROLLBACK TO ${name}`);
          this.run(`RELEASE ${name}`);
        }
        throw error;
      }
    } finally {
      this.#savepoints--;
    }
  }

  #with<T>(sql: string, values: readonly Bindable[], use: (statement: Statement) => T): T {
    return this.#mayMove()
      ? this.#following(() => this.#withStatement(sql, values, use))
      : this.#withStatement(sql, values, use);
  }

  #withStatement<T>(sql: string, values: readonly Bindable[], use: (statement: Statement) => T): T {
    const statement = this.#idle.get(sql) ?? this.#prepare(sql);
    this.#idle.delete(sql);
    try {
      statement.bind(values);
      return this.#counted(() => use(statement));
    } finally {
      this.#keep(statement);
    }
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

/** Refuses a promise: its work would run after the transaction has ended. */
function synchronous<T>(result: T): T {
  if (typeof (result as { then?: unknown } | null | undefined)?.then !== "function") return result;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    "expected the work of a transaction to be synchronous, got a promise",
  );
}
