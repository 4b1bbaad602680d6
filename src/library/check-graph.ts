import { vectorOf } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import { loadEngine } from "../engine/load.ts";
import { threads } from "../engine/threads.ts";
import { counted } from "../errors/counted.ts";
import { INDEX_AGAIN } from "../store/missing-row.ts";
import { eachVector } from "../store/vector-rows.ts";
import { VectorIndex } from "../vectors/vector-index.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { keptGraph } from "./kept-graph.ts";
import type { LibraryParts } from "./library-parts.ts";
import { THREADS_FROM } from "./semantic-index.ts";

/** Compares the stored graph with one that is built again from the vectors: equal to the last edge. SPEC §10.6 */
export async function checkGraph(parts: LibraryParts, signal: AbortSignal | undefined): Promise<Finding> {
  const { database, state, dim, load } = parts;
  const [{ engine: forKept }, { engine: forNew }] = await Promise.all([loadEngine(load), loadEngine(load)]);
  const rebuilt = VectorIndex.create(forNew, { dim, graph: false });
  // Both are read from one state of the library, even if something is written while the graph is built.
  const { pieces, kept, root } = database.snapshot(() => {
    eachVector(database, state.vectorOwner, (id, vector) => rebuilt.add(id.slice(), vectorOf(vector)));
    return {
      pieces: database.get<{ count: number }>("SELECT count(piece) AS count FROM graph")!.count,
      kept: keptGraph(database, forKept, dim),
      root: state.root(),
    };
  });
  try {
    if (pieces === 0) return ok("graph", `none is stored: ${noneKept(state.canon.index, rebuilt.distinct)}`);
    if (kept === null)
      return warning("graph", "the stored graph is damaged", "No action needed: the next search rebuilds it");
    if (kept.root !== root)
      return ok("graph", "the stored graph belongs to an earlier root; the next search updates it");
    const isLarge = load.source === undefined && threads.count > 1 && rebuilt.distinct >= THREADS_FROM;
    await rebuilt.buildGraph({ ...(signal ? { signal } : {}), workers: isLarge ? threads.count : 0 });
    const [expected, got] = [toHex(rebuilt.digest()), toHex(kept.index.digest())];
    if (expected !== got)
      return problem("graph", `expected ${expected} from the vectors, got ${got}`, INDEX_AGAIN);
    return ok(
      "graph",
      `${got.slice(0, 16)}…, equal to the graph rebuilt from ${counted(rebuilt.distinct, "vector")}`,
    );
  } finally {
    kept?.index.close();
    rebuilt.close();
  }
}

function noneKept(index: string, distinct: number): string {
  return index === "hnsw"
    ? "the first search builds it"
    : `${counted(distinct, "vector")} ${distinct === 1 ? "is" : "are"} few enough for exact search`;
}
