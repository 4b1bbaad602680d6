import type { Hit } from "./vector-index.ts";

/** Orders hits by dot descending, then id ascending. SPEC §10.2 */
export function compareHits(a: Hit, b: Hit): number {
  if (a.dot !== b.dot) return b.dot - a.dot;
  for (let i = 0; i < a.id.length; i++) if (a.id[i] !== b.id[i]) return a.id[i]! - b.id[i]!;
  return 0;
}
