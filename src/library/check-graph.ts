import { toHex } from "../engine/digest.ts";
import { threads } from "../engine/threads.ts";
import { counted } from "../errors/counted.ts";
import { INDEX_AGAIN } from "../store/missing-row.ts";
import { SegmentedIndex } from "../vectors/segmented-index.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { type KeptGraph, keptGraphs, keptShape, loadGraph } from "./kept-graph.ts";
import type { LibraryParts } from "./library-parts.ts";
import { eachVector } from "./segment-rows.ts";
import { THREADS_FROM } from "./semantic-index.ts";

/**
 * Compares every stored graph that is up to date with one that is built again from the vectors: equal to the last edge.
 * So are the segments. SPEC §10.6, §10.10
 */
export async function checkGraph(parts: LibraryParts, signal: AbortSignal | undefined): Promise<Finding> {
  const { database, state, engine, semantic } = parts;
  const { dim } = semantic;
  const rebuilt = new SegmentedIndex({
    ...{ dim, segment: Number(state.canon.segment), graphs: "none", engine: () => engine.another() },
  });
  // Everything is read from one state of the library, even if something is written while graphs are built.
  const { graphs, shape, current } = database.snapshot(() => {
    eachVector(database, state.vectorOwner, dim, "", (documentId, id, vector) =>
      rebuilt.add(documentId, id, vector),
    );
    const all = keptGraphs(database);
    return {
      graphs: all,
      shape: keptShape(database),
      current: all.filter(({ segment, subtree }) => state.subtree(segment) === subtree),
    };
  });
  const prefixes = rebuilt.segments.map(({ prefix }) => prefix);
  const vectors = rebuilt.segments.reduce((sum, { distinct }) => sum + distinct, 0);
  try {
    if (graphs.length === 0) return ok("graph", `none is stored: ${noneKept(state.canon.index, vectors)}`);
    const ofSegments = current.filter(({ segment }) => prefixes.includes(segment));
    const isWhole = ofSegments.length === prefixes.length;
    if (isWhole && [...(shape?.segments ?? [])].sort().join() !== prefixes.join())
      return problem(
        "graph",
        `expected ${counted(prefixes.length, "segment")} (${prefixes.join(", ")}), got others`,
        INDEX_AGAIN,
      );
    for (const kept of ofSegments) {
      const found = await compare(parts, rebuilt, kept, signal);
      if (found !== null) return found;
    }
    if (!isWhole)
      return ok(
        "graph",
        `${graphs.length - ofSegments.length} of the stored graphs belong to earlier documents; the next search updates them`,
      );
    const of = `${counted(prefixes.length, "segment")}, equal to those rebuilt from ${counted(vectors, "vector")}`;
    return ok("graph", `the graphs of ${of}`);
  } finally {
    rebuilt.close();
  }
}

/** Returns what is wrong with a stored graph, or null. */
async function compare(
  { database, engine, semantic, load }: LibraryParts,
  rebuilt: SegmentedIndex,
  kept: KeptGraph,
  signal: AbortSignal | undefined,
): Promise<Finding | null> {
  const stored = database.snapshot(() => loadGraph({ database, engine, dim: semantic.dim }, kept));
  if (stored === null)
    return warning("graph", "a stored graph is damaged", "No action needed: the next search rebuilds it");
  try {
    const index = rebuilt.here(rebuilt.segments.find(({ prefix }) => prefix === kept.segment)!);
    const isLarge = load.source === undefined && threads.count > 1 && index.distinct >= THREADS_FROM;
    await index.buildGraph({ ...(signal ? { signal } : {}), workers: isLarge ? threads.count : 0 });
    const [expected, got] = [toHex(index.digest()), toHex(stored.digest())];
    if (expected === got) return null;
    return problem("graph", `expected ${expected} from the vectors, got ${got}`, INDEX_AGAIN);
  } finally {
    stored.close();
  }
}

function noneKept(index: string, distinct: number): string {
  return index === "hnsw"
    ? "the first search builds it"
    : `${counted(distinct, "vector")} ${distinct === 1 ? "is" : "are"} few enough for exact search`;
}
