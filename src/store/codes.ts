// The numbers of SQLite's C interface that the store uses, under their C names without the SQLITE_ prefix.
// https://www.sqlite.org/rescode.html and https://www.sqlite.org/c3ref/constlist.html

// Primary result codes: the low byte of every extended code.
export const OK = 0;
export const BUSY = 5;
export const LOCKED = 6;
export const NOMEM = 7;
export const READONLY = 8;
export const INTERRUPT = 9;
export const IOERR = 10;
export const CORRUPT = 11;
export const FULL = 13;
export const CANTOPEN = 14;
export const TOOBIG = 18;
export const CONSTRAINT = 19;
export const NOTADB = 26;
export const ROW = 100;
export const DONE = 101;

// Extended result codes.
export const IOERR_READ = 266;
export const IOERR_SHORT_READ = 522;
export const READONLY_CANTLOCK = 520;
export const READONLY_DBMOVED = 1032;
export const IOERR_WRITE = 778;
export const IOERR_FSYNC = 1034;
export const IOERR_DIR_FSYNC = 1290;
export const IOERR_TRUNCATE = 1546;
export const IOERR_FSTAT = 1802;
export const IOERR_UNLOCK = 2058;
export const IOERR_DELETE = 2570;
export const IOERR_ACCESS = 3338;
export const IOERR_LOCK = 3850;
export const IOERR_DELETE_NOENT = 5898;

// Flags of sqlite3_open_v2 and xOpen.
export const OPEN_READONLY = 0x1;
export const OPEN_READWRITE = 0x2;
export const OPEN_CREATE = 0x4;
export const OPEN_DELETEONCLOSE = 0x8;
export const OPEN_EXCLUSIVE = 0x10;
export const OPEN_MAIN_DB = 0x100;
export const OPEN_MAIN_JOURNAL = 0x800;

// xAccess, xSync, xDeviceCharacteristics.
export const ACCESS_EXISTS = 0;
export const SYNC_DATAONLY = 0x10;
export const IOCAP_UNDELETABLE_WHEN_OPEN = 0x800;
export const IOCAP_POWERSAFE_OVERWRITE = 0x1000;

// Lock levels of xLock and xUnlock. https://www.sqlite.org/lockingv3.html
export const LOCK_NONE = 0;
export const LOCK_SHARED = 1;
export const LOCK_RESERVED = 2;
export const LOCK_PENDING = 3;
export const LOCK_EXCLUSIVE = 4;

// SQLite's own lock bytes, taken by native SQLite too. They lie in a page that SQLite never uses.
//
//   0x40000000  0x40000001  0x40000002 … 0x400001ff
//   PENDING     RESERVED    SHARED, 510 bytes
//
// https://www.sqlite.org/src/file?name=src/os.h
export const PENDING_BYTE = 0x4000_0000;
export const RESERVED_BYTE = PENDING_BYTE + 1;
export const SHARED_FIRST = PENDING_BYTE + 2;
export const SHARED_SIZE = 510;

// Two more bytes of that page, which are ours: connections queue there. See lock-bytes.node.ts.
export const READER_QUEUE_BYTE = SHARED_FIRST + SHARED_SIZE;
export const WRITER_QUEUE_BYTE = READER_QUEUE_BYTE + 1;

// Fundamental datatypes.
export const INTEGER = 1;
export const FLOAT = 2;
export const TEXT = 3;
export const BLOB = 4;

/** sqlite3_file_control: how many bytes at the end of each page SQLite leaves to the VFS, in a new database. */
export const FCNTL_RESERVE_BYTES = 38;

/** sqlite3_prepare_v3: the statement will be kept and used many times. */
export const PREPARE_PERSISTENT = 1;

/** sqlite3_limit: the maximum number of bytes of a single value, or of a row. */
export const LIMIT_LENGTH = 0;
