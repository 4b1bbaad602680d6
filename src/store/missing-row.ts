import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "./database.ts";

/** A row that another one names is not there: no write leaves a library so. */
export function missingRow(database: Database, what: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${database.name} to have ${what}, got none: the file is damaged`,
    "Restore a copy, or move the file away and index again",
  );
}
