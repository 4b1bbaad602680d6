import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Backing, BesideFiles } from "./backing.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import type { SqliteModule } from "./sqlite-module.ts";
import type { Bindable, Row, Statement } from "./statement.ts";
import type { Turns } from "./turns.ts";

export interface DatabaseOptions extends ConnectionOptions {
  /** Decides when this connection may use the files, where only one connection at a time can have them. */
  readonly turns?: Turns;
}

/**
 * A synchronous connection to one database, on its own SQLite instance. Statements are cached by their text.
 *
 * A thrown error is always a SelfsameError. After an error inside `transaction`, nothing of that transaction remains.
 */
export class Database {
  readonly name: string;
  readonly #connection: Connection;
  readonly #backing: Backing | null;
  readonly #turns: Turns | null;
  /** Checks a file that has taken the place of the open one; null: none is accepted. */
  #checkReplacement: (() => void) | null = null;
  #isReopening = false;
  #savepoints = 0;

  constructor(module: SqliteModule, name: string, options: DatabaseOptions) {
    this.name = name;
    this.#backing = options.backing;
    this.#turns = options.turns ?? null;
    this.#connection = new Connection(module, name, options);
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /** True while a transaction is open. */
  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  /** Runs any number of statements without parameters or results. */
  exec(sql: string): void {
    if (this.#mayMove()) this.#following(() => this.#connection.exec(sql));
    else this.#connection.exec(sql);
  }

  /** Runs one statement to its end and returns the number of rows that it changed. */
  run(sql: string, values: readonly Bindable[] = []): number {
    return this.#with(sql, values, (statement) => {
      while (statement.step());
      return this.#connection.changes;
    });
  }

  /** Runs one INSERT of one row and returns its rowid. */
  insert(sql: string, values: readonly Bindable[] = []): number {
    return this.#with(sql, values, (statement) => {
      while (statement.step());
      return this.#connection.lastInsertRowid;
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
    this.#connection.close();
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

  /** True outside of transactions, where a statement takes the file's lock itself. */
  #mayMove(): boolean {
    return this.#checkReplacement !== null && !this.#connection.isRunning && !this.inTransaction;
  }

  /** Runs work that takes the file's lock. If the file was replaced by another that is accepted, runs it on that. */
  #following<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SelfsameError) || error.code !== "DATABASE_MOVED") throw error;
      const mayReopen = this.#checkReplacement !== null && !this.#isReopening && !this.#connection.isRunning;
      if (!mayReopen || !this.#connection.canReopen || this.inTransaction) throw error;
      this.#reopen(error);
      return work();
    }
  }

  /** Opens what is at the path now. @param moved the error if that is not acceptable */
  #reopen(moved: SelfsameError | null): void {
    this.#isReopening = true;
    try {
      this.#connection.reopen();
      this.#checkReplacement?.();
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      const ended = moved ?? error;
      this.#connection.close(ended);
      throw ended;
    } finally {
      this.#isReopening = false;
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
      if (this.#connection.canRollBack) this.run("ROLLBACK");
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
        if (this.#connection.canRollBack) {
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
      ? this.#following(() => this.#connection.withStatement(sql, values, use))
      : this.#connection.withStatement(sql, values, use);
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
