import { type ErrorCode, SelfsameError, type SelfsameErrorOptions } from "../errors/selfsame-error.ts";
import * as sqlite from "./codes.ts";

/** What else is known about a failed call: the file, the operating system's error, who holds the lock. */
export interface Circumstances {
  readonly name: string;
  readonly systemError?: Error | null;
  readonly holder?: Holder | null;
}

/** A process that holds a lock. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** False if it runs in another container or on another machine, where its pid is valid. */
  readonly isHere: boolean;
  /** The file that says so. */
  readonly file: string;
}

/** A lock file next to a database, and what became of it when the locks of dead processes were removed. */
export interface ClearedLock {
  readonly file: string;
  /** The owner; null if the file does not say. */
  readonly pid: number | null;
  readonly host: string | null;
  /** The time since the owner last showed that it is alive. */
  readonly silentMs: number;
  /** `held`: the owner runs. `recent`: it may run elsewhere. `stays`: it is dead, and the file cannot be removed. */
  readonly state: "removed" | "held" | "recent" | "stays";
}

/** A database that stayed locked for the whole timeout; `holderPid` is the process that held it, if known. */
export class DatabaseBusyError extends SelfsameError {
  readonly holderPid: number | null;

  constructor(message: string, hint: string, holderPid: number | null, options?: SelfsameErrorOptions) {
    super("DATABASE_BUSY", message, hint, options);
    this.holderPid = holderPid;
  }
}

const KINDS: { readonly [primary: number]: readonly [code: ErrorCode, hint: string] } = {
  [sqlite.FULL]: ["DISK_FULL", "Free some space. The last transaction was undone; earlier ones are kept"],
  [sqlite.CORRUPT]: ["DATABASE_CORRUPT", "Restore a backup, or move the file away and index again"],
  [sqlite.NOTADB]: [
    "DATABASE_CORRUPT",
    "Give another file name. Nothing was written to this one; if it was a library, restore a backup",
  ],
  [sqlite.READONLY]: ["DATABASE_READONLY", "Allow writing to the file and its folder"],
  [sqlite.IOERR]: ["DATABASE_IO", "Check the disk and the file's permissions, then try again"],
  [sqlite.CANTOPEN]: [
    "DATABASE_CANNOT_OPEN",
    "Check that the folder exists and that you may read and write there",
  ],
  [sqlite.NOMEM]: ["OUT_OF_MEMORY", "Use smaller documents, or fewer at a time"],
  [sqlite.TOOBIG]: ["BAD_ARGUMENT", "A single value may have at most 268,435,456 bytes"],
  [sqlite.INTERRUPT]: ["ABORTED", ""],
  [sqlite.CONSTRAINT]: ["DATABASE_CONSTRAINT", ""],
};

/** The codes that the VFS returns for its own errors. */
const TELLING: readonly number[] = [sqlite.CANTOPEN, sqlite.IOERR, sqlite.READONLY];

/** Returns the typed error for SQLite's extended result `code` and its `message`. */
export function failure(code: number, message: string, where: Circumstances): SelfsameError {
  const primary = code & 0xff;
  const cause = where.systemError ?? undefined;
  const told = `${message} (SQLite ${code}${cause === undefined ? "" : `, ${cause.message}`})`;
  const options = cause === undefined ? undefined : { cause };
  // Thrown by the VFS or the lock, with its own code and hint.
  if (TELLING.includes(primary) && cause instanceof SelfsameError) return cause;
  if (primary === sqlite.BUSY || primary === sqlite.LOCKED) return busy(told, where, options);
  if (primary === sqlite.FULL && cause?.name === "QuotaExceededError")
    return quotaExceeded(where.name, cause);
  const [kind, hint] = KINDS[primary] ?? ["DATABASE_FAILED", ""];
  if (primary === sqlite.NOTADB) {
    const reason = `expected ${where.name} to be a Selfsame library, got another kind of file: ${told}`;
    return new SelfsameError(kind, reason, hint, options);
  }
  const misplaced = primary === sqlite.CANTOPEN ? misplacedFile(where.name, cause) : null;
  if (misplaced !== null) return misplaced;
  return new SelfsameError(kind, `SQLite failed on ${where.name}: ${told}`, hint, options);
}

/**
 * Returns the error for a path at which no file can be, according to the operating system; null for any other reason.
 */
function misplacedFile(name: string, cause: Error | undefined): SelfsameError | null {
  const refused = (expected: string, hint: string) =>
    new SelfsameError("DATABASE_CANNOT_OPEN", `${expected} (${cause!.message})`, hint, { cause });
  switch ((cause as { code?: unknown } | undefined)?.code) {
    case "ENOENT":
      return refused(
        `expected a folder at ${name.replace(/[\\/][^\\/]*$/, "") || "/"} for the library, got none`,
        "Create the folder, or name a file in another one",
      );
    case "ENOTDIR":
      return refused(`expected ${name} to be in a folder, got a file in its path`, "Name a file in a folder");
    default:
      return null;
  }
}

/** A row holds a value that no library writes: the file is damaged or malicious. */
export function damagedRow(name: string, problem: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${name} to be a sound library, got: ${problem}`,
    "Restore a backup, or move the file away and index again",
  );
}

/** The browser's storage quota for the site is used up. */
export function quotaExceeded(name: string, cause: Error): SelfsameError {
  return new SelfsameError(
    "QUOTA_EXCEEDED",
    `expected storage for ${name}, got no more from the browser (${cause.message})`,
    "Free some space, or allow the site to keep its data. The last transaction was undone; earlier ones are kept",
    { cause },
  );
}

function busy(told: string, where: Circumstances, options: ErrorOptions | undefined): DatabaseBusyError {
  const holder = where.holder ?? null;
  return new DatabaseBusyError(
    `expected ${where.name} to become free in time, got: ${told}, held by ${holder === null ? "readers or another program" : described(holder)}`,
    holder === null ? "Try again, or wait longer" : wayOut(holder),
    holder?.pid ?? null,
    { ...options, details: holder === null ? {} : { lockFile: holder.file } },
  );
}

function described({ pid, host, isHere, file }: Holder): string {
  const place = isHere ? "" : ` in another container or on another machine (host ${host})`;
  return `process ${pid}${place}, as ${file} says`;
}

function wayOut({ pid, isHere }: Holder): string {
  return isHere
    ? `Wait for process ${pid} to finish, end it, or wait longer`
    : "Wait for it to finish, or wait longer. If it has ended: selfsame doctor --unlock";
}
