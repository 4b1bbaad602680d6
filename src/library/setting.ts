/** Single values of a library, by name: the table `meta`. */
import type { Database } from "../store/database.ts";

/** Returns the value of a setting; null if it is not set. */
export function readSetting(database: Database, key: string): string | null {
  return database.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", [key])?.value ?? null;
}

/** Sets a value, in place of the one before. */
export function writeSetting(database: Database, key: string, value: string): void {
  const sql =
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
  database.run(sql, [key, value]);
}

/** Removes a setting, if it is set. */
export function removeSetting(database: Database, key: string): void {
  database.run("DELETE FROM meta WHERE key = ?", [key]);
}
