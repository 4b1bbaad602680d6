import type { Engine } from "../engine/engine.ts";
import type { ParsedQuery } from "../search/parse-query.ts";
import type { Database } from "../store/database.ts";
import type { SegmentedIndex } from "../vectors/segmented-index.ts";
import type { Work } from "./budget.ts";
import type { Permitted } from "./permitted.ts";
import type { Features } from "./ranker.ts";
import type { ResolvedRecall } from "./request.ts";
import type { StoreCandidate } from "./stores.ts";
import type { TermNorms } from "./word-store.ts";

/** One state of a library, and what may be seen of it. */
export interface RecallGround {
  readonly engine: Engine;
  readonly database: Database;
  /** In step with the database; null if no vectors are used. */
  readonly index: SegmentedIndex | null;
  readonly permitted: Permitted;
  readonly norms: TermNorms;
  /** Whether a hard limit of the time has passed. */
  isLate(): boolean;
}

/** A question, with everything that had to be waited for. */
export interface RecallQuestion {
  readonly parsed: ParsedQuery;
  /** The query's vector; null if there is none, or no vectors are used. */
  readonly vector: Int16Array | null;
  /** The vectors of the workspace's texts. */
  readonly workspace: readonly Int16Array[];
  readonly p: ResolvedRecall;
  readonly now: number;
  readonly work: Work;
  readonly weights: Features;
  /** The stores that are asked, in the order of fusion. */
  readonly stores: readonly string[];
  /** What the application's stores answered, by name. */
  readonly outside: ReadonlyMap<string, readonly StoreCandidate[]>;
}
