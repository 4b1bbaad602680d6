// Data made elsewhere: sparse search. `npm run bench -- outside`.
import { sparseTable } from "./outside/sparse.ts";
import type { Table } from "./run.ts";

export async function bench(): Promise<Table[]> {
  return [await sparseTable()];
}
