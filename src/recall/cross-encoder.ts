import { Breather } from "../engine/breather.ts";
import type { CrossEncoder } from "../model/cross-encoder.ts";
import type { RecalledMemory } from "./response.ts";

/** The parts of a cross-encoder that a recall needs. */
export type PairScorer = Pick<CrossEncoder, "identity" | "score">;

/**
 * Ranks the first `pairs` memories again by the logit of the query with each text. Returns null if the deadline passed
 * meanwhile. SPEC §26.13
 */
export async function rankAgain(
  model: PairScorer,
  query: string,
  memories: readonly RecalledMemory[],
  pairs: number,
  isLate: () => boolean,
): Promise<RecalledMemory[] | null> {
  const breather = new Breather();
  const scored: { readonly memory: RecalledMemory; readonly logit: number; readonly place: number }[] = [];
  for (const [place, memory] of memories.slice(0, pairs).entries()) {
    if (isLate()) return null;
    const logit = model.score(query, memory.text);
    scored.push({ memory, logit, place });
    await breather.due();
  }
  scored.sort((a, b) => b.logit - a.logit || a.place - b.place);
  const again = scored.map(({ memory, logit }) => ({
    ...memory,
    cross_encoder: logit,
    reasons: [...memory.reasons, `cross_encoder=${logit < 0 ? "" : "+"}${logit.toFixed(3)}`],
  }));
  return [...again, ...memories.slice(pairs)];
}
