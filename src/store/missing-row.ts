import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "./database.ts";

/** The hint for content that is missing or wrong: all of it can be rebuilt from the texts. */
export const INDEX_AGAIN =
  "Run selfsame index --force; if the error persists, restore a backup, or move the file away and index again";

/** The hint for content that came from outside: only its files can make it again. */
export const INGEST_AGAIN = "Restore a copy, or ingest the files again into a new library";

/** The error for a missing row that another row refers to. No write leaves a library in such a state. */
export function missingRow(database: Database, what: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${database.name} to have ${what}, got none: the file is damaged`,
    INDEX_AGAIN,
  );
}
