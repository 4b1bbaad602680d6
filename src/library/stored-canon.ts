import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { CANON_NAMES, type CanonParts, checkCanon } from "./canon.ts";

/** Puts a value under a key of the library's own table. */
export const PUT =
  "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/** The canon that a library was made with, null if it has none yet. */
export function recordedCanon(database: Database): CanonParts | null {
  const rows = database.all<{ key: string; value: string }>(
    "SELECT key, value FROM meta WHERE key LIKE 'canon.%'",
  );
  if (rows.length === 0) return null;
  const parts = new Map(rows.map(({ key, value }) => [key.slice("canon.".length), value]));
  return Object.fromEntries(
    CANON_NAMES.map((name) => [name, parts.get(name) ?? ""]),
  ) as unknown as CanonParts;
}

/** By what name the model of a library was asked for; null if it was given otherwise, or by an older version. */
export function recordedModel(database: Database): string | null {
  return database.get<{ value: string }>("SELECT value FROM meta WHERE key = 'model'")?.value ?? null;
}

/**
 * Records the canon, in the transaction that is open, and the name that finds its model again: a convenience of this
 * device, no part of the canon.
 */
export function recordCanon(database: Database, canon: CanonParts, model: string | null): void {
  if (model === null) database.run("DELETE FROM meta WHERE key = 'model'");
  else database.run(PUT, ["model", model]);
  for (const name of CANON_NAMES) database.run(PUT, [`canon.${name}`, canon[name]]);
}

/** Records the canon of a new library, unless another process was faster: then its canon must be the same. */
export function recordFirstCanon(database: Database, canon: CanonParts, model: string | null): void {
  database.transaction(() => {
    const recorded = recordedCanon(database);
    if (recorded === null) recordCanon(database, canon, model);
    else checkCanon(recorded, canon, database.name, recordedModel(database));
  });
}

/**
 * Throws if the library is no longer of the canon that it was opened with. Each transaction that writes asks first:
 * chunks of two canons in one library would be a library that no other device has.
 */
export function checkStillCanon(database: Database, canon: CanonParts): void {
  const recorded = recordedCanon(database);
  if (recorded !== null && CANON_NAMES.every((name) => recorded[name] === canon[name])) return;
  throw new SelfsameError(
    "CANON_MISMATCH",
    `expected ${database.name} to be as it was opened, got one that another process has made anew with another canon`,
    "Close it and open it again",
  );
}
