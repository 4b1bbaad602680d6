import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "./database.ts";

/** In SQLite's header, so that a library is told from other databases: "Self". https://www.sqlite.org/magic.html */
const APPLICATION_ID = 0x53656c66;

/**
 * Settings of a connection.
 * - The journal is deleted at each commit and its folder synced (EXTRA; with FULL a loss of power undoes the last
 *   commit, which the power-loss test shows): nothing lies beside the file between transactions, and keeping the
 *   journal (truncate, persist) measured no faster.
 * - 64 MB of pages let a batch of some ten thousand chunks stay in memory until it is committed.
 * - Foreign keys are declared, and looked at by checkIntegrity; why not at each change, see chunks.ts.
 * - cell_size_check finds some damage when a page is read, before it does harm.
 */
const CONNECTION = `
PRAGMA page_size = 4096;
PRAGMA journal_mode = delete;
PRAGMA synchronous = extra;
PRAGMA temp_store = memory;
PRAGMA cache_size = -65536;
PRAGMA foreign_keys = off;
PRAGMA cell_size_check = on;
PRAGMA trusted_schema = off;
`;

/**
 * Version 1. Text is UTF-8 and its order is that of its bytes. Rowids (chunk, embedding) are history: they join
 * tables and never leave the store, and no result may depend on them.
 *
 *   documents ─ texts, files              one row each per document
 *       └────── chunks ─ search (FTS5)    (documentId, sequence) is unique
 *                 └───── embeddings       by textHash: once per text and model, whatever holds the text
 */
const VERSION_1 = `
-- What the library is: the parts of its canon, its parameters.
CREATE TABLE meta (
  key TEXT NOT NULL PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  documentId BLOB NOT NULL PRIMARY KEY CHECK (length(documentId) = 16),
  path TEXT NOT NULL UNIQUE,
  textHash BLOB NOT NULL,
  textBytes INTEGER NOT NULL,  -- of the canonical text
  modifiedAt INTEGER,          -- milliseconds since 1970, as the user gave it
  mime TEXT,
  metadata TEXT                -- JSON
) STRICT, WITHOUT ROWID;

-- Canonical texts apart, so that documents are listed without reading them.
CREATE TABLE texts (
  documentId BLOB NOT NULL PRIMARY KEY REFERENCES documents,
  text TEXT NOT NULL
) STRICT;

-- What this device last saw of the file behind a document: lets an unchanged one go unread. Never part of a root.
CREATE TABLE files (
  documentId BLOB NOT NULL PRIMARY KEY REFERENCES documents,
  size INTEGER NOT NULL,
  changedNs INTEGER NOT NULL,    -- the later of the times of its modification and of its last change of any kind
  scannedNs INTEGER NOT NULL,
  givenMetadata TEXT NOT NULL    -- what the run gave all its files, as canonical JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks (
  chunk INTEGER PRIMARY KEY,      -- for FTS5, which knows its rows by integers
  chunkId BLOB NOT NULL UNIQUE CHECK (length(chunkId) = 16),
  documentId BLOB NOT NULL REFERENCES documents,
  sequence INTEGER NOT NULL,
  startByte INTEGER NOT NULL,     -- in the document's canonical text
  endByte INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  textHash BLOB NOT NULL,
  headings TEXT NOT NULL,         -- JSON, outermost first
  searchHeadings TEXT NOT NULL,   -- as they are indexed
  text TEXT NOT NULL,
  searchText TEXT,                -- as it is indexed; NULL if that is the text itself
  UNIQUE (documentId, sequence)
) STRICT;
CREATE INDEX chunksByTextHash ON chunks (textHash);

-- The index keeps no text of its own but reads this view; chunks.ts keeps it in step. A table without content
-- (contentless_delete) or without detail would make bm25 depend on history.
CREATE VIEW indexed (chunk, text, headings) AS
  SELECT chunk, coalesce(searchText, text), searchHeadings FROM chunks;
CREATE VIRTUAL TABLE search USING fts5 (
  text, headings,
  content = 'indexed', content_rowid = 'chunk',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE embeddings (
  embedding INTEGER PRIMARY KEY,
  textHash BLOB NOT NULL,
  model BLOB NOT NULL,            -- its digest
  vector BLOB NOT NULL,           -- i16, little-endian
  UNIQUE (textHash, model)
) STRICT;

-- The nodes of the Merkle trees by prefix of the ids below them, in hex; '' is the root. SPEC §13.1
CREATE TABLE nodes (
  tree TEXT NOT NULL,
  prefix TEXT NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (tree, prefix)
) STRICT, WITHOUT ROWID;

-- The graph of the vectors, in pieces, with the root that it was built from. It can always be built again.
CREATE TABLE graph (
  piece INTEGER PRIMARY KEY,
  root TEXT NOT NULL,
  totalBytes INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
`;

/** `MIGRATIONS[n]` brings version n to n + 1; 0 is an empty file. */
const MIGRATIONS: readonly string[] = [VERSION_1];

/** The version that this code reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Makes a connection ready for the library's tables: sets it up, tells foreign and newer files, makes the tables in
 * an empty file and brings old ones up to date, all or nothing. A file that is refused is not written to.
 */
export function prepareSchema(database: Database, migrations: readonly string[] = MIGRATIONS): void {
  database.exec(CONNECTION);
  if (versionOf(database, migrations.length) === migrations.length) return;
  database.transaction(() => {
    // Read again: another process may have been faster.
    for (let version = versionOf(database, migrations.length); version < migrations.length; version++) {
      database.exec(migrations[version]!);
      database.exec(`PRAGMA user_version = ${version + 1}`);
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

/** The schema version of the file, 0 if it is empty. */
function versionOf(database: Database, newest: number): number {
  const { version, id, objects } = database.get<{ version: number; id: number; objects: number }>(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS id,
            (SELECT count(*) FROM sqlite_schema) AS objects`,
  )!;
  if (objects === 0 && version === 0 && id === 0) return 0;
  if (id !== APPLICATION_ID || version < 1) {
    throw new SelfsameError(
      "DATABASE_FOREIGN",
      `expected ${database.name} to be a Selfsame library or empty, got another program's database`,
      "Give another file name",
    );
  }
  if (version <= newest) return version;
  throw new SelfsameError(
    "DATABASE_TOO_NEW",
    `expected ${database.name} to have schema version ${newest} or older, got ${version}`,
    "Install a newer Selfsame",
  );
}

/**
 * Looks the whole file over: SQLite's own structures, the ties between tables, the index against the texts.
 *
 * @throws {SelfsameError} DATABASE_CORRUPT with the first thing found. Nothing is written.
 */
export function checkIntegrity(database: Database): void {
  checkStructure(database);
  checkWordIndex(database);
}

/** SQLite's own structures, which reads every page, and the ties between tables. */
export function checkStructure(database: Database): void {
  const problem = database.get<{ integrity_check: string }>("PRAGMA integrity_check(1)")!.integrity_check;
  // SQLite heads its list, even of one, with a line of its own.
  if (problem !== "ok") throw damaged(database, problem.replace(/^\*\*\*.*\*\*\*\n/, ""));
  const orphan = database.get<{ table: string; parent: string }>("PRAGMA foreign_key_check");
  if (orphan !== undefined) throw damaged(database, `a row of ${orphan.table} without its ${orphan.parent}`);
}

/** The index against the texts. */
export function checkWordIndex(database: Database): void {
  // rank = 1 compares with the external content as well.
  database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)");
}

function damaged(database: Database, problem: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${database.name} to be whole, got: ${problem}`,
    "Restore a copy, or move the file away and index again",
  );
}
