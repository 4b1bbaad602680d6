import { Owners } from "./owners.ts";
import { Segment } from "./segment.ts";
import type { VectorIndex } from "./vector-index.ts";

/** If more than a twentieth of the vectors changed, rebuilding a graph is cheaper than updating it. */
export const REBUILD_SHARE = 20;

/** A segment that is joined with others, and its index in this thread. */
interface Part {
  readonly segment: Segment;
  readonly index: VectorIndex;
}

/**
 * Joins segments into one. An earlier graph of the prefix is brought up to date, if that is cheaper than a new one.
 * SPEC §10.10
 *
 * @param onceOf returns the earlier graph, or null
 */
export function mergeSegments(
  prefix: string,
  parts: readonly Part[],
  onceOf: () => VectorIndex | null,
  newIndex: () => VectorIndex,
): Segment {
  if (parts.length === 1) return Segment.of(prefix, parts[0]!.index, parts[0]!.segment.owners);
  const owners = new Owners();
  for (const { segment } of parts) segment.owners.each((documentId, id) => owners.note(documentId, id));
  const index = broughtUp(onceOf(), parts) ?? newIndex();
  for (const { segment, index: own } of parts) {
    segment.owners.each((_, id) => {
      const vector = index.has(id) ? undefined : own.vector(id);
      if (vector !== undefined) index.add(id, vector);
    });
    segment.close();
  }
  return Segment.of(prefix, index, owners);
}

/** Returns an earlier graph without what is gone since; null if there is none, or too much has changed. */
function broughtUp(once: VectorIndex | null, parts: readonly Part[]): VectorIndex | null {
  if (once === null) return null;
  const size = parts.reduce((sum, { segment }) => sum + segment.size, 0);
  const gone = once.ids().filter((id) => {
    const vector = parts.map(({ index }) => index.vector(id)).find((found) => found !== undefined);
    return vector === undefined || !isSameVector(vector, once.vector(id)!);
  });
  const missing = size - (once.size - gone.length);
  if ((gone.length + missing) * REBUILD_SHARE > size) {
    once.close();
    return null;
  }
  for (const id of gone) once.remove(id);
  return once;
}

function isSameVector(a: Int16Array, b: Int16Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
