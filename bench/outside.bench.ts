// Data made elsewhere: ingest, sparse search. `npm run bench -- outside`.
import { ingestTable } from "./outside/ingest.ts";
import { sparseTable } from "./outside/sparse.ts";
import type { Table } from "./run.ts";

export async function bench(): Promise<Table[]> {
  return [await ingestTable(), await sparseTable()];
}
