import type { CanonicalFilters, Filters } from "../search/filters.ts";
import type { Affect } from "./features.ts";
import type { FeatureName } from "./ranker.ts";

/** What an application asks a library to recall: the RETRIEVAL_REQUEST of the recall contract. SPEC §26.1 */
export interface RecallRequest {
  /** The question, in the words and signs of a search. */
  readonly query_text: string;
  /** Who asks, where, with what budget, and what may be seen. */
  readonly ctx?: RecallContext;
}

/** The context of a recall. Every field may be left out. SPEC §26.1 */
export interface RecallContext {
  /** Who asks. Documents with `readers` must name this person or one of the roles. */
  readonly person_id?: string;
  /** The namespace. If it is given, it must be the library's own. */
  readonly space_id?: string;
  /** A document in focus, by its path or its id. */
  readonly focus_event_id?: string;
  /** Texts that a workspace shows at this moment, at most 16. */
  readonly workspace?: readonly string[];
  /** How much work is done, by a fixed table: 5 to 1,000, default 40. */
  readonly time_budget_ms?: number;
  /** How many results: 1 to 100, default 12. */
  readonly top_k?: number;
  /** Whether a cross-encoder may rank the first results again, if there is one. */
  readonly allow_cross_encoder?: boolean;
  /** From 0, as different as possible, to 1, by relevance alone; default 0.35. */
  readonly mmr_lambda?: number;
  /** Results whose SimHash differs in at most this many bits of 64 are folded into the better one; default 3, 0 turns it off. */
  readonly near_duplicates?: number;
  /** The most memories of one document, 1 to 100; default: as many as there are. */
  readonly per_document?: number;
  /** Which documents may be seen, and which are wanted. */
  readonly filters?: RecallFilters;
  /** The moment of asking, in milliseconds since 1970. Only with it, an answer can have a receipt. */
  readonly now?: number;
  /** How the person feels, for documents that state an affect. */
  readonly affect?: Affect;
  /** What the person has in mind: labels such as goals and beliefs, at most 64. */
  readonly tom?: readonly string[];
  /** Other weights than those of the table, by feature. */
  readonly weights?: Readonly<Partial<Record<FeatureName, number>>>;
  /** Other constants of the confidence. */
  readonly calibration?: Calibration;
  /** The stores to ask; default: all that there are. */
  readonly stores?: readonly string[];
  /** Whether what was learned from feedback changes the weights; default false. */
  readonly use_feedback?: boolean;
  /** A hard limit of the time. A stage that would start later is left out, and then there is no receipt. */
  readonly deadline_ms?: number;
}

/** Which documents a recall may see. Everything that is given must hold. SPEC §26.5 */
export interface RecallFilters extends Filters {
  /** Whether shared documents may be seen; default true. */
  readonly allow_shared?: boolean;
  /** The highest band that may be seen; default GREEN. */
  readonly max_band?: Band;
  /** The roles of the person, which `readers` may name. */
  readonly roles?: readonly string[];
}

/** How sensitive a document is, the most open band first. */
export const BANDS = ["GREEN", "AMBER", "RED", "BLACK"] as const;
/** A band of documents. */
export type Band = (typeof BANDS)[number];

/** The constants of Platt scaling: confidence = 1 / (1 + e^(slope · score + offset)). SPEC §26.10 */
export interface Calibration {
  /** Below 0, so that a higher score is a higher confidence. */
  readonly slope: number;
  /** At score 0. */
  readonly offset: number;
}

/** A request that was checked, with nothing left open, in the order in which a receipt lists it. */
export interface ResolvedRecall {
  readonly person_id: string | null;
  readonly focus_event_id: string | null;
  readonly workspace: readonly string[];
  readonly time_budget_ms: number;
  readonly top_k: number;
  /** λ in thousandths. */
  readonly mmr_lambda: number;
  readonly near_duplicates: number;
  /** null: no limit. */
  readonly per_document: number | null;
  readonly filters: ResolvedFilters;
  /** null if the clock was read. */
  readonly now: number | null;
  readonly affect: Affect | null;
  readonly tom: readonly string[];
  readonly weights: Readonly<Record<FeatureName, number>>;
  readonly calibration: Calibration;
  /** null: all that there are. */
  readonly stores: readonly string[] | null;
  readonly allow_cross_encoder: boolean;
  readonly use_feedback: boolean;
  readonly deadline_ms: number | null;
  /** What was clamped, for the trace: `top_k: 500 → 100`. */
  readonly clamped: readonly string[];
}

/** The part of the filters that is policy, and the rest in the canonical form of a search. */
export interface ResolvedFilters {
  readonly allow_shared: boolean;
  readonly max_band: Band;
  readonly roles: readonly string[];
  readonly others: CanonicalFilters;
}
