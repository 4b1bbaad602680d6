/** Single values of a library, by name: the table `meta`. */
import type { Database } from "../store/database.ts";
import { damagedRow } from "../store/failure.ts";

/**
 * Returns the text of a setting; null if it is not set.
 *
 * @param what the value is, for the error about a file in which it is not text
 */
export function readSetting(database: Database, key: string, what: string): string | null {
  const value = settingOf(database, key);
  if (value === null || typeof value === "string") return value;
  throw damagedRow(database.name, `${what} that is not text`);
}

/** Returns the count of a setting; 0 if it is not set. */
export function readCount(database: Database, key: string, what: string): number {
  const value = settingOf(database, key) ?? 0;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw damagedRow(database.name, `${what} that is not a count`);
}

/** Sets a value, replacing the previous one. */
export function writeSetting(database: Database, key: string, value: string | number): void {
  const sql =
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
  database.run(sql, [key, value]);
}

/** Removes a value. */
export function deleteSetting(database: Database, key: string): void {
  database.run("DELETE FROM meta WHERE key = ?", [key]);
}

function settingOf(database: Database, key: string): unknown {
  return database.get<{ value: unknown }>("SELECT value FROM meta WHERE key = ?", [key])?.value ?? null;
}
