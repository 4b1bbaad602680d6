import { vectorOf } from "../../engine/byte-order.ts";
import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { loadEngine } from "../../engine/load.ts";
import { setRanked } from "../../store/chunks.ts";
import type { Database } from "../../store/database.ts";
import { SCALE } from "../../vectors/vector.ts";
import { VectorIndex } from "../../vectors/vector-index.ts";
import type { LibraryParts } from "../library-parts.ts";

const PAGE = 256;

/**
 * Tells near-duplicates among chunks that are given in the order of their ids: those whose cosine with an earlier one
 * that was kept is larger than the threshold. So the result is a function of the set. SPEC §23.6
 */
export class NearDuplicates {
  readonly #kept: VectorIndex;
  readonly #thousandths: number;

  /** @param engine one that holds no index */
  constructor(engine: Engine, dim: number, thousandths: number) {
    this.#kept = VectorIndex.create(engine, { dim, graph: false });
    this.#thousandths = thousandths;
  }

  /** Returns whether the chunk is a near-duplicate; otherwise it is kept. */
  has(id: Uint8Array, vector: Int16Array): boolean {
    const [nearest] = this.#kept.exact(vector, { k: 1 });
    // dot / SCALE > thousandths / 1000, in integers below 2⁵³
    if (nearest !== undefined && nearest.dot * 1000 > this.#thousandths * SCALE) return true;
    this.#kept.add(id, vector);
    return false;
  }

  close(): void {
    this.#kept.close();
  }
}

/** Finds the near-duplicates of a library, and yields now and then. Returns their rows. */
function* duplicateSteps(
  engine: Engine,
  database: Database,
  dim: number,
  thousandths: number,
): Generator<void, Set<number>> {
  const found = new NearDuplicates(engine, dim, thousandths);
  const duplicates = new Set<number>();
  try {
    for (let after: Uint8Array = new Uint8Array(0); ; ) {
      const rows = database.all<{ chunk: number; chunkId: Uint8Array; vector: Uint8Array }>(
        `SELECT chunk, chunkId, vector FROM chunks JOIN outsideVectors USING (chunk)
         WHERE chunkId > ? ORDER BY chunkId LIMIT ${PAGE}`,
        [after],
      );
      for (const { chunk, chunkId, vector } of rows) {
        if (found.has(chunkId, vectorOf(vector))) duplicates.add(chunk);
        after = chunkId;
      }
      if (rows.length < PAGE) return duplicates;
      yield;
    }
  } finally {
    found.close();
  }
}

/** Takes these chunks, and no others, out of the ranking, in the open transaction. Returns how many changed. */
export function setDuplicates(database: Database, duplicates: ReadonlySet<number>): number {
  const before = new Set(
    database.all<{ chunk: number }>("SELECT chunk FROM unranked ORDER BY chunk").map(({ chunk }) => chunk),
  );
  const back = [...before].filter((chunk) => !duplicates.has(chunk));
  const out = [...duplicates].filter((chunk) => !before.has(chunk));
  for (const chunk of back) setRanked(database, chunk, true);
  for (const chunk of out) setRanked(database, chunk, false);
  return back.length + out.length;
}

/** Returns the UUIDs of the chunks that are not ranked, in hexadecimal, ascending. */
export function duplicatesOf(database: Database): string[] {
  return database
    .all<{ chunkId: Uint8Array }>("SELECT chunkId FROM unranked JOIN chunks USING (chunk) ORDER BY chunkId")
    .map(({ chunkId }) => toHex(chunkId));
}

/** Returns the steps that find near-duplicates; null if the library does not look for them. */
export async function duplicateFinder({
  database,
  state,
  load,
}: Pick<LibraryParts, "database" | "state" | "load">): Promise<
  (() => ReturnType<typeof duplicateSteps>) | null
> {
  const { dedupe, dimension } = state;
  if (dedupe === null || dimension === null) return null;
  const { engine } = await loadEngine(load);
  return () => duplicateSteps(engine, database, dimension, dedupe);
}
