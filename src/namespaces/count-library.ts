import { openDatabase } from "../store/open-database.ts";
import { prepareSchema } from "../store/schema.ts";

/** The counts of a library. */
export interface Counts {
  readonly ntotal: number;
  readonly documents: number;
}

const COUNTS = `SELECT (SELECT count(chunkId) FROM chunks) AS ntotal,
                       (SELECT count(documentId) FROM documents) AS documents`;

/** Counts through a separate connection, without a model and without an engine. */
export async function countLibrary(path: string, timeoutMs: number | undefined): Promise<Counts> {
  const database = await openDatabase(path, timeoutMs === undefined ? {} : { timeoutMs });
  try {
    prepareSchema(database);
    return database.get<Counts>(COUNTS)!;
  } finally {
    database.close();
  }
}
