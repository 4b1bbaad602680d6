import { SelfsameError } from "../errors/selfsame-error.ts";
import * as sqlite from "./codes.ts";
import { allowed, type ColumnRule, columnRule, typeName } from "./columns.ts";
import type { SqliteModule } from "./sqlite-module.ts";

/** A value read from a column. Integers are numbers if they are safe integers, else bigints. */
export type Value = null | number | bigint | string | Uint8Array<ArrayBuffer>;

/** A value that can be bound to a parameter. A boolean becomes 0 or 1. */
export type Bindable = null | boolean | number | bigint | string | Uint8Array;

export type Row = Record<string, Value>;

const TWO_32 = 0x1_0000_0000;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** A statement's binding buffer that grew above this many bytes, for a large document, is freed. */
const BUFFER_KEPT_MAX = 1 << 20;

const encoder = new TextEncoder();
// ignoreBOM keeps a leading U+FEFF: text is read exactly as it was written.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How a statement reports a result code that is neither ROW, DONE nor OK. */
export interface StatementOwner {
  readonly module: SqliteModule;
  /** Runs a call into SQLite, turning a trap of the wasm into a typed error. */
  guarded(call: () => number): number;
  fail(code: number): never;
  /** Reports a row with a value that no library holds. */
  failRow(problem: string): never;
}

/**
 * A prepared statement: bind, step, read columns, reset. It calls SQLite's C functions directly, which is about twice
 * as fast as the package's awaited wrapper.
 *
 * Text and blobs are copied once, into a buffer that the statement owns, and bound as SQLITE_STATIC. They stay there
 * until the next bind, which happens only after a reset.
 */
export class Statement {
  readonly sql: string;
  readonly columns: readonly string[];
  readonly #rules: readonly (ColumnRule | undefined)[];
  readonly #owner: StatementOwner;
  readonly #module: SqliteModule;
  readonly #handle: number;
  readonly #parameterCount: number;
  #buffer = 0;
  #capacity = 0;

  constructor(owner: StatementOwner, sql: string, handle: number) {
    this.sql = sql;
    this.#owner = owner;
    this.#module = owner.module;
    this.#handle = handle;
    this.#parameterCount = this.#module._sqlite3_bind_parameter_count(handle);
    this.columns = Array.from({ length: this.#module._sqlite3_column_count(handle) }, (_, index) =>
      this.#module.UTF8ToString(this.#module._sqlite3_column_name(handle, index)),
    );
    this.#rules = this.columns.map(columnRule);
  }

  /** Binds all parameters, in order. */
  bind(values: readonly Bindable[]): this {
    if (values.length !== this.#parameterCount) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected ${this.#parameterCount} values for ${JSON.stringify(this.sql)}, got ${values.length}`,
      );
    }
    this.#reserve(values);
    let free = this.#buffer;
    for (let index = 0; index < values.length; index++) {
      free += this.#bindOne(index + 1, values[index]!, free);
    }
    return this;
  }

  /** True if there is a row to read, false at the end. */
  step(): boolean {
    const code = this.#owner.guarded(() => this.#module._sqlite3_step(this.#handle));
    if (code === sqlite.ROW) return true;
    if (code === sqlite.DONE) return false;
    return this.#owner.fail(code);
  }

  /** Ends the current run: its locks are released, and it can be bound again. */
  reset(): void {
    // The code is that of the last step, which has already been reported.
    this.#owner.guarded(() => this.#module._sqlite3_reset(this.#handle));
    if (this.#parameterCount > 0) this.#module._sqlite3_clear_bindings(this.#handle);
    if (this.#capacity > BUFFER_KEPT_MAX) this.#freeBuffer();
  }

  finalize(): void {
    this.#owner.guarded(() => this.#module._sqlite3_finalize(this.#handle));
    this.#freeBuffer();
  }

  value(index: number): Value {
    switch (this.#checkedType(index)) {
      case sqlite.INTEGER:
        return this.#integer(index);
      case sqlite.FLOAT:
        return this.#module._sqlite3_column_double(this.#handle, index);
      case sqlite.TEXT:
        return this.#text(index);
      case sqlite.BLOB:
        return this.#blobView(index).slice();
      default:
        return null;
    }
  }

  text(index: number): string {
    this.#checkedType(index);
    return this.#text(index);
  }

  /**
   * Returns a view of a blob's bytes in SQLite's memory: valid until the next call, for code that copies them
   * elsewhere.
   */
  blobView(index: number): Uint8Array<ArrayBuffer> {
    this.#checkedType(index);
    return this.#blobView(index);
  }

  row(): Row {
    const row: Row = {};
    for (let index = 0; index < this.columns.length; index++) row[this.columns[index]!] = this.value(index);
    return row;
  }

  #text(index: number): string {
    const pointer = this.#module._sqlite3_column_text(this.#handle, index);
    const length = this.#module._sqlite3_column_bytes(this.#handle, index);
    return decoder.decode(this.#module.HEAPU8.subarray(pointer, pointer + length));
  }

  #blobView(index: number): Uint8Array<ArrayBuffer> {
    const pointer = this.#module._sqlite3_column_blob(this.#handle, index);
    const length = this.#module._sqlite3_column_bytes(this.#handle, index);
    return this.#module.HEAPU8.subarray(pointer, pointer + length);
  }

  /** Returns the type of a value, after checking it against what its column may hold. */
  #checkedType(index: number): number {
    const type = this.#module._sqlite3_column_type(this.#handle, index);
    const rule = this.#rules[index];
    if (rule !== undefined && !this.#isAllowed(index, type, rule)) {
      const got = `${typeName(type)} of ${this.#module._sqlite3_column_bytes(this.#handle, index)} bytes`;
      this.#owner.failRow(`expected ${this.columns[index]} to be ${allowed(rule)}, got ${got}`);
    }
    return type;
  }

  #isAllowed(index: number, type: number, rule: ColumnRule): boolean {
    const { type: expected, isNullable, min, max, unit = 1 } = rule;
    if (type === sqlite.INTEGER) {
      if (expected !== "integer") return false;
      const value = this.#integer(index);
      return value >= min && value <= max;
    }
    if (type !== sqlite.TEXT && type !== sqlite.BLOB) return type !== sqlite.FLOAT && isNullable;
    if (expected !== (type === sqlite.TEXT ? "text" : "blob")) return false;
    const length = this.#module._sqlite3_column_bytes(this.#handle, index);
    return length >= min && length <= max && length % unit === 0;
  }

  #integer(index: number): number | bigint {
    const low = this.#module._sqlite3_column_int64(this.#handle, index);
    const high = this.#module.getTempRet0();
    const value = high * TWO_32 + (low >>> 0);
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low >>> 0);
  }

  /** Binds one value. Its bytes, if any, go to `free`. Returns their number. */
  #bindOne(parameter: number, value: Bindable, free: number): number {
    const module = this.#module;
    const handle = this.#handle;
    let code: number;
    let used = 0;
    if (value === null) {
      code = module._sqlite3_bind_null(handle, parameter);
    } else if (typeof value === "number") {
      code = this.#bindNumber(parameter, value);
    } else if (typeof value === "string") {
      used = encoder.encodeInto(value, module.HEAPU8.subarray(free, this.#buffer + this.#capacity)).written;
      code = module._sqlite3_bind_text(handle, parameter, free, used, 0);
    } else if (value instanceof Uint8Array) {
      used = value.byteLength;
      module.HEAPU8.set(value, free);
      code = module._sqlite3_bind_blob(handle, parameter, free, used, 0);
    } else if (typeof value === "bigint") {
      if (value < INT64_MIN || value > INT64_MAX) throw unbindable("an integer of 64 bits", value);
      const low = Number(BigInt.asIntN(32, value));
      code = module._sqlite3_bind_int64(handle, parameter, low, Number(value >> 32n));
    } else if (typeof value === "boolean") {
      code = module._sqlite3_bind_int64(handle, parameter, value ? 1 : 0, 0);
    } else {
      throw unbindable("null, a boolean, number, bigint, string or Uint8Array", value);
    }
    if (code !== sqlite.OK) this.#owner.fail(code);
    return used;
  }

  #bindNumber(parameter: number, value: number): number {
    // SQLite would store NaN as NULL; −0 stays a double, since integers have no sign of zero.
    if (Number.isNaN(value)) throw unbindable("a number", value);
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      return this.#module._sqlite3_bind_int64(
        this.#handle,
        parameter,
        value | 0,
        Math.floor(value / TWO_32) | 0,
      );
    }
    return this.#module._sqlite3_bind_double(this.#handle, parameter, value);
  }

  /** Makes the buffer large enough for all values at once, so that no pointer into it moves during binding. */
  #reserve(values: readonly Bindable[]): void {
    // At least one byte: a null pointer would bind an empty string or blob as NULL.
    let needed = 1;
    for (const value of values) {
      if (typeof value === "string") needed += value.length * 3;
      else if (value instanceof Uint8Array) needed += value.byteLength;
    }
    if (needed <= this.#capacity) return;
    this.#freeBuffer();
    this.#buffer = this.#module._malloc(needed);
    if (this.#buffer === 0) this.#owner.fail(sqlite.NOMEM);
    this.#capacity = needed;
  }

  #freeBuffer(): void {
    if (this.#buffer !== 0) this.#module._free(this.#buffer);
    this.#buffer = 0;
    this.#capacity = 0;
  }
}

function unbindable(expected: string, got: unknown): SelfsameError {
  return new SelfsameError("BAD_ARGUMENT", `expected ${expected} to bind, got ${String(got)}`);
}
