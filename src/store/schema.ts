import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "./database.ts";
import { APPLICATION_ID } from "./sealed-database.ts";

/**
 * Settings of a connection.
 * - The journal is deleted at each commit and its folder synced (EXTRA; with FULL a loss of power undoes the last
 *   commit, which the power-loss test shows): there is nothing next to the file between transactions, and keeping
 *   the journal (truncate, persist) measured no faster.
 * - 64 MB of pages let a batch of some ten thousand chunks stay in memory until it is committed.
 * - Foreign keys are declared, and checked by checkIntegrity; chunks.ts explains why not at each change.
 * - cell_size_check finds some damage when a page is read, before it does harm.
 * - secure_delete overwrites deleted data with zeros. FTS5 keeps removed words in its segments until they are
 *   merged; compact.ts takes care of these.
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
PRAGMA secure_delete = on;
`;

/**
 * The tables. Text is UTF-8 and is ordered by its bytes. Rowids (chunk, embedding) depend on history: they join tables
 * and never leave the store, and no result may depend on them.
 *
 *   documents ─ texts, files              one row each per document
 *       ├────── links                    what a document says of itself and others
 *       └────── chunks ─ search (FTS5)    (documentId, sequence) is unique
 *                 ├───── signatures       one row per chunk
 *                 ├───── lengths          one row per 2,000 chunks
 *                 ├───── embeddings       by textHash: once per text and model, whatever holds the text
 *                 │        └ unverified     of vectors that came with a pack
 *                 ├───── outsideChunks ─ outsideVectors, sparseVectors (sparseTerms)    of chunks made elsewhere
 *                 └───── unranked         stored, but in no index
 *   remotes ─ nodes                      what this library and another one had in common
 *
 * SQLite stores these statements in the file as they are written here, including comments. A file with any other
 * statement is refused: a view or a trigger in a file from somebody else could run forever or give false rows.
 * SPEC §14.5
 */
const OBJECTS: readonly string[] = [
  // The definition of the library: the parts of its canon, its parameters.
  `CREATE TABLE meta (
  key TEXT NOT NULL PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE documents (
  documentId BLOB NOT NULL PRIMARY KEY CHECK (length(documentId) = 16),
  path TEXT NOT NULL UNIQUE,
  format TEXT NOT NULL,        -- markdown, code or plain
  textHash BLOB NOT NULL,
  textBytes INTEGER NOT NULL,  -- of the canonical text
  modifiedAt INTEGER,          -- milliseconds since 1970, as the user gave it
  mime TEXT,
  metadata TEXT,               -- JSON
  isOutside INTEGER NOT NULL DEFAULT 0 CHECK (isOutside IN (0, 1)) -- its chunks were given, not cut from its text
) STRICT, WITHOUT ROWID`,
  // Canonical texts are in a separate table, so that documents are listed without reading them.
  `CREATE TABLE texts (
  documentId BLOB NOT NULL PRIMARY KEY REFERENCES documents,
  text TEXT NOT NULL
) STRICT`,
  // What this device last saw of the file behind a document, so that an unchanged file need not be read. Never part of
  // a root.
  `CREATE TABLE files (
  documentId BLOB NOT NULL PRIMARY KEY REFERENCES documents,
  size INTEGER NOT NULL,
  changedNs INTEGER NOT NULL,    -- the later of the times of its modification and of its last change of any kind
  scannedNs INTEGER NOT NULL,
  givenMetadata TEXT NOT NULL    -- what the run gave all its files, as canonical JSON, and the extractor, if any
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE chunks (
  chunk INTEGER PRIMARY KEY,      -- for FTS5, which knows its rows by integers
  chunkId BLOB NOT NULL UNIQUE CHECK (length(chunkId) = 16),
  documentId BLOB NOT NULL REFERENCES documents,
  sequence INTEGER NOT NULL,
  startByte INTEGER NOT NULL,     -- in the document's canonical text
  endByte INTEGER NOT NULL,
  line INTEGER NOT NULL,          -- that it starts in, from 1
  page INTEGER NOT NULL,          -- from 1; form feeds separate pages
  tokens INTEGER NOT NULL,
  textHash BLOB NOT NULL,
  headings TEXT NOT NULL,         -- JSON, outermost first
  searchHeadings TEXT NOT NULL,   -- as they are indexed
  text TEXT NOT NULL,
  searchText TEXT,                -- as it is indexed; NULL if that is the text itself
  UNIQUE (documentId, sequence)
) STRICT`,
  `CREATE INDEX chunksByTextHash ON chunks (textHash)`,
  // What is computed of a chunk's terms. A narrow table: a search reads many of these rows and few texts.
  `CREATE TABLE signatures (
  chunk INTEGER PRIMARY KEY REFERENCES chunks,
  simHash BLOB NOT NULL,          -- of the text's terms
  termNorm INTEGER NOT NULL       -- the squared length of the vector of term weights, bits of a binary32
) STRICT`,
  // The graph of documents: names, tags and links, as each document states them.
  `CREATE TABLE links (
  documentId BLOB NOT NULL REFERENCES documents,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (documentId, kind, target)
) STRICT, WITHOUT ROWID`,
  `CREATE INDEX linksByTarget ON links (target, kind)`,
  // What people accepted and rejected, one row per event. Never part of a root.
  `CREATE TABLE feedback (
  event BLOB NOT NULL PRIMARY KEY,  -- the digest of what was said
  said TEXT NOT NULL                -- canonical JSON
) STRICT, WITHOUT ROWID`,
  // What came with a chunk that was made elsewhere.
  `CREATE TABLE outsideChunks (
  chunk INTEGER PRIMARY KEY REFERENCES chunks,
  digest BLOB NOT NULL,           -- of its id, text, vector and sparse weights
  fields TEXT NOT NULL,           -- JSON: every other field
  bm25Terms TEXT                  -- JSON: terms and weights, as given; not used for ranking
) STRICT`,
  // The dense vectors that came with chunks: equal texts may have different ones.
  `CREATE TABLE outsideVectors (
  chunk INTEGER PRIMARY KEY REFERENCES chunks,
  vector BLOB NOT NULL            -- i16, little-endian
) STRICT`,
  // The sparse vectors that came with chunks. Their terms are numbered in the order in which they were first seen.
  `CREATE TABLE sparseTerms (
  sparseTerm INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE
) STRICT`,
  `CREATE TABLE sparseVectors (
  chunk INTEGER PRIMARY KEY REFERENCES chunks,
  entries BLOB NOT NULL           -- (sparseTerm, weight) as u32, little-endian; each term once
) STRICT`,
  // Chunks that no channel ranks: near-duplicates of others.
  `CREATE TABLE unranked (
  chunk INTEGER PRIMARY KEY REFERENCES chunks
) STRICT`,
  // The index stores no text but reads this view; chunks.ts keeps it in sync. A table without content
  // (contentless_delete) or without detail would make bm25 depend on history.
  `CREATE VIEW indexed (chunk, text, headings) AS
  SELECT chunk, coalesce(searchText, text), searchHeadings FROM chunks
  WHERE chunk NOT IN (SELECT chunk FROM unranked)`,
  `CREATE VIRTUAL TABLE search USING fts5 (
  text, headings,
  content = 'indexed', content_rowid = 'chunk',
  tokenize = 'porter unicode61 remove_diacritics 2'
)`,
  // The number of tokens of each chunk, in blocks of neighbouring rowids; lengths.ts keeps them.
  `CREATE TABLE lengths (
  block INTEGER PRIMARY KEY,
  lengths BLOB NOT NULL           -- u16, little-endian; 0: see search_docsize
) STRICT`,
  // The words of chunks as they are written, for queries that misspell them. A function of the set of chunks. SPEC §15.9
  `CREATE TABLE words (
  word TEXT NOT NULL PRIMARY KEY,
  chunks INTEGER NOT NULL         -- how many have it
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE embeddings (
  embedding INTEGER PRIMARY KEY,
  textHash BLOB NOT NULL,
  model BLOB NOT NULL,            -- its digest
  vector BLOB NOT NULL,           -- i16, little-endian
  UNIQUE (textHash, model)
) STRICT`,
  // Texts whose vectors came with a pack and were not computed here yet. Never part of a root.
  `CREATE TABLE unverified (
  textHash BLOB NOT NULL PRIMARY KEY,
  pack BLOB NOT NULL              -- its digest; zeros if one of its vectors was wrong
) STRICT, WITHOUT ROWID`,
  // The bytes of a pack that is being imported and can be read only once.
  `CREATE TABLE spooled (
  spool INTEGER NOT NULL,         -- an import; it starts with the time
  piece INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (spool, piece)
) STRICT`,
  // The nodes of the Merkle trees by prefix of the ids below them, in hex; '' is the root. SPEC §13.1
  `CREATE TABLE nodes (
  tree TEXT NOT NULL,
  prefix TEXT NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (tree, prefix)
) STRICT, WITHOUT ROWID`,
  // The libraries that this one pulled from. What both held then are two more trees of `nodes`. Never part of a root.
  `CREATE TABLE remotes (
  remote INTEGER PRIMARY KEY,
  remoteName TEXT NOT NULL UNIQUE,
  pulledAt INTEGER NOT NULL       -- counts the pulls: the least one is forgotten first
) STRICT`,
  // How the vectors were divided when graphs were last stored: segments, by bit prefix of document ids, and forks, with
  // the least number of distinct vectors below them. It can always be derived again. SPEC §10.10
  `CREATE TABLE segments (
  segment TEXT NOT NULL PRIMARY KEY,
  bound INTEGER                   -- NULL for a segment
) STRICT, WITHOUT ROWID`,
  // Graphs of segments, in pieces, with the digest of the documents that they were built from. They can always be
  // rebuilt. Beside those of the segments there are earlier ones of forks, which save a build if segments are merged.
  `CREATE TABLE graph (
  segment TEXT NOT NULL,
  piece INTEGER NOT NULL,
  subtree BLOB NOT NULL,
  ids INTEGER NOT NULL,
  vectors INTEGER NOT NULL,
  totalBytes INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (segment, piece)
) STRICT`,
];

/** The tables that SQLite and FTS5 create by themselves, with their statements. */
const DERIVED: readonly (readonly [name: string, sql: string | null])[] = [
  ["search_data", "CREATE TABLE 'search_data'(id INTEGER PRIMARY KEY, block BLOB)"],
  ["search_idx", "CREATE TABLE 'search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID"],
  ["search_docsize", "CREATE TABLE 'search_docsize'(id INTEGER PRIMARY KEY, sz BLOB)"],
  ["search_config", "CREATE TABLE 'search_config'(k PRIMARY KEY, v) WITHOUT ROWID"],
  ["sqlite_autoindex_documents_2", null],
  ["sqlite_autoindex_texts_1", null],
  ["sqlite_autoindex_chunks_1", null],
  ["sqlite_autoindex_chunks_2", null],
  ["sqlite_autoindex_sparseTerms_1", null],
  ["sqlite_autoindex_embeddings_1", null],
  ["sqlite_autoindex_spooled_1", null],
  ["sqlite_autoindex_remotes_1", null],
  ["sqlite_autoindex_graph_1", null],
];

/**
 * The version that this code reads and writes. A change of the tables, or of what older files would mean (how texts
 * are cut, for example), is a new version: then an old file is called old, not damaged. A test holds the tables to it.
 */
export const SCHEMA_VERSION = 4;

/**
 * Prepares a connection for the library's tables: configures it, refuses files that are not exactly a library of this
 * version, and creates the tables in an empty file, all or nothing. A refused file is not written to.
 */
export function prepareSchema(database: Database): void {
  database.exec(CONNECTION);
  if (isLibrary(database)) return;
  database.transaction(() => {
    // Another process may have been faster.
    if (isLibrary(database)) return;
    for (const statement of OBJECTS) database.exec(statement);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

/**
 * Prepares a connection for a file that must be a library already. Nothing is written.
 *
 * @throws {SelfsameError} DATABASE_FOREIGN and others for anything else
 */
export function adoptSchema(database: Database): void {
  database.exec(CONNECTION);
  if (!isLibrary(database)) throw damaged(database, "an empty file");
}

/** Returns false if the file is empty; throws if it is not a library of this version. */
function isLibrary(database: Database): boolean {
  // In a transaction that may write, SQLite has already given an empty file its first page.
  const empty = database.inTransaction ? 1 : 0;
  const { version, id, pages } = database.get<{ version: number; id: number; pages: number }>(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS id,
            (SELECT page_count FROM pragma_page_count) AS pages`,
  )!;
  if (pages <= empty && version === 0 && id === 0) return false;
  if (id !== APPLICATION_ID || version < 1) {
    throw new SelfsameError(
      "DATABASE_FOREIGN",
      `expected ${database.name} to be a Selfsame library or empty, got another program's database`,
      "Give another file name",
    );
  }
  if (version < SCHEMA_VERSION) {
    throw new SelfsameError(
      "DATABASE_TOO_OLD",
      `expected ${database.name} to have version ${SCHEMA_VERSION}, got ${version}, that of an earlier Selfsame`,
      "Move the file away and add the documents again: selfsame index <paths…>",
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new SelfsameError(
      "DATABASE_TOO_NEW",
      `expected ${database.name} to have version ${SCHEMA_VERSION}, got ${version}`,
      "Install a newer Selfsame",
    );
  }
  checkObjects(database);
  return true;
}

const EXPECTED = new Map([
  ...OBJECTS.map((sql) => [/^CREATE (?:VIRTUAL )?\w+ (\w+)/.exec(sql)![1]!, sql] as const),
  ...DERIVED,
]);

/** Throws unless the file has exactly the known tables, indexes and views, with exactly their statements. */
function checkObjects(database: Database): void {
  const missing = new Map(EXPECTED);
  // One more than there are: a file with a million is refused just as fast.
  const sql = `SELECT name, sql FROM sqlite_schema LIMIT ${EXPECTED.size + 1}`;
  database.each(sql, [], (row) => {
    const [name, statement] = [row.value(0), row.value(1)];
    if (typeof name === "string" && missing.get(name) === statement && missing.delete(name)) return;
    throw damaged(database, `something other than a library's tables: ${describe(name)}`);
  });
  const [lacking] = missing.keys();
  if (lacking !== undefined) throw damaged(database, `no ${lacking}`);
}

function describe(name: unknown): string {
  return typeof name === "string" ? JSON.stringify(name.slice(0, 100)) : typeof name;
}

/**
 * Checks the whole file: SQLite's own structures, the references between tables, the index against the texts.
 *
 * @throws {SelfsameError} DATABASE_CORRUPT with the first problem found. Nothing is written.
 */
export function checkIntegrity(database: Database): void {
  checkStructure(database);
  checkWordIndex(database);
}

/** Checks SQLite's own structures, which reads every page, and the references between tables. */
export function checkStructure(database: Database): void {
  const problem = database.get<{ integrity_check: string }>("PRAGMA integrity_check(1)")!.integrity_check;
  // SQLite puts a heading line before its list, even of one entry.
  if (problem !== "ok") throw damaged(database, problem.replace(/^\*\*\*.*\*\*\*\n/, ""));
  const orphan = database.get<{ table: string; parent: string }>("PRAGMA foreign_key_check");
  if (orphan !== undefined) throw damaged(database, `a row of ${orphan.table} without its ${orphan.parent}`);
}

/** Checks the index against the texts. */
export function checkWordIndex(database: Database): void {
  // rank = 1 compares with the external content as well.
  database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)");
}

function damaged(database: Database, problem: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${database.name} to be intact, got: ${problem}`,
    "Restore a backup, or move the file away and index again",
  );
}
