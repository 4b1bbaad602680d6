import type { Receipt } from "../search/receipt.ts";
import type { Features } from "./ranker.ts";

/** One memory that was recalled: a chunk of a document. */
export interface RecalledMemory {
  /** The document's path. */
  readonly doc_id: string;
  /** The chunk's id, in hexadecimal. */
  readonly chunk_id: string;
  /** The chunk's text. */
  readonly text: string;
  /** The line of the document at which the chunk starts, from 1. */
  readonly line: number;
  /** The sum of the contributions, a binary32. */
  readonly score: number;
  /** How likely the memory is a right one, 0 to 1. */
  readonly confidence: number;
  /** The store that ranked it best: `fts`, `vector`, `tfidf`, `kg`, or one of the application. */
  readonly source: string;
  /** What the ranker saw. */
  readonly features: Features;
  /** Weight times feature, unrounded: added in their order in binary32, they are the score. */
  readonly contributions: Features;
  /** The same for people, term by term. */
  readonly reasons: readonly string[];
  /** The chunks that are nearly the same and were folded into this one. */
  readonly duplicates: readonly string[];
  /** The logit of the cross-encoder, if it ranked this memory. */
  readonly cross_encoder?: number;
}

/** A stage of a recall: what it was given and what it gave. */
export interface RecallStage {
  /** Its name: `policy`, a store, `rank`, `fold`, `mmr`, `cross_encoder`. */
  readonly stage: string;
  /** How many candidates it gave. */
  readonly candidates: number;
}

/** How an answer came about. Nothing in it is measured, so it is the same everywhere. */
export interface RecallTrace {
  /** The last stage that was run; `final` unless a deadline cut some off. */
  readonly stage: string;
  /** The first three results with their reasons. */
  readonly top3: readonly {
    /** The document's path. */
    readonly doc_id: string;
    /** The chunk's id. */
    readonly chunk_id: string;
    /** Its score. */
    readonly score: number;
    /** Its reasons. */
    readonly reasons: readonly string[];
  }[];
  /** The stages in order. */
  readonly stages: readonly RecallStage[];
  /** The counts of work that the budget stands for. */
  readonly budget: {
    /** After clamping. */
    readonly time_budget_ms: number;
    /** After clamping. */
    readonly top_k: number;
    /** Candidates from each store. */
    readonly candidates: number;
    /** Links followed from documents that the query names. */
    readonly hops: number;
    /** Pairs for the cross-encoder. */
    readonly pairs: number;
  };
  /** What was outside of its range: `top_k: 500 → 100`. */
  readonly clamped: readonly string[];
  /** What was not done, and why. */
  readonly left_out: readonly string[];
}

/** The answer of a recall: the RETRIEVAL_RESPONSE of the recall contract. SPEC §26.12 */
export interface RecallResponse {
  /** The memories, best first. */
  readonly results: readonly RecalledMemory[];
  /** How long it took. Measured, and no part of the receipt. */
  readonly used_time_ms: number;
  /** How the answer came about. */
  readonly trace: RecallTrace;
  /** The moment that ages were counted from, in milliseconds since 1970. */
  readonly now: number;
  /** Where that moment came from: the request, or this device's clock. */
  readonly now_source: "request" | "clock";
  /** The receipt, with which any device can check this answer; null without `now`, and if a deadline cut stages off. */
  readonly receipt: Receipt | null;
  /** What could not be done, and what was done instead. */
  readonly warnings: readonly string[];
}
