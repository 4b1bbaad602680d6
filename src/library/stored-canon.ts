import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { damagedRow } from "../store/failure.ts";
import { CANON_NAMES, type CanonParts, checkCanon, PLAIN } from "./canon.ts";
import { readSetting, writeSetting } from "./setting.ts";

const MODEL = "model";

/** Returns the canon that a library was made with; null if it has none yet. */
export function storedCanon(database: Database): CanonParts | null {
  const rows = database.all<{ key: string; value: string }>(
    "SELECT key, value FROM meta WHERE key LIKE 'canon.%'",
  );
  if (rows.length === 0) return null;
  if (rows.some(({ value }) => typeof value !== "string"))
    throw damagedRow(database.name, "a part of the canon that is not text");
  const parts = new Map(rows.map(({ key, value }) => [key.slice("canon.".length), value]));
  return Object.fromEntries(
    CANON_NAMES.map((name) => [name, parts.get(name) ?? PLAIN[name] ?? ""]),
  ) as unknown as CanonParts;
}

/**
 * Returns the name of the model that a library was made with. It is for display, never an address or a path to read.
 */
export function storedModel(database: Database): string | null {
  return readSetting(database, MODEL, "a name of a model");
}

/** Stores the canon, in the open transaction, and the name of its model, which is not part of the canon. */
export function storeCanon(database: Database, canon: CanonParts, model: string): void {
  writeSetting(database, MODEL, model);
  for (const name of CANON_NAMES) writeSetting(database, `canon.${name}`, canon[name]);
}

/** Stores the canon of a new library. If another process was faster, its canon must be the same. */
export function storeFirstCanon(database: Database, canon: CanonParts, model: string): void {
  database.transaction(() => {
    const stored = storedCanon(database);
    if (stored === null && database.get("SELECT 1 AS there FROM documents LIMIT 1") !== undefined)
      throw damagedRow(database.name, "documents, and no record of the canon that they were indexed with");
    if (stored === null) storeCanon(database, canon, model);
    else checkCanon(stored, canon, database.name, storedModel(database));
  });
}

/**
 * Throws if the library no longer has the canon that it was opened with. Every transaction that writes calls this
 * first: no other device could have a library with chunks of two canons.
 */
export function checkStoredCanon(database: Database, canon: CanonParts): void {
  const stored = storedCanon(database);
  if (stored !== null && CANON_NAMES.every((name) => stored[name] === canon[name])) return;
  throw new SelfsameError(
    "CANON_MISMATCH",
    `expected ${database.name} to have the canon that it was opened with, got a library that another process rebuilt with another canon`,
    "Close it and open it again",
  );
}
