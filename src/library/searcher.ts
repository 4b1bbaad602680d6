import { SelfsameError } from "../errors/selfsame-error.ts";
import { explain, type SearchAnswer, type SearchTimings } from "../search/answer.ts";
import { RankingCache } from "../search/cache.ts";
import { compareReceipts, type ReceiptDifference } from "../search/compare-receipts.ts";
import type { RankingStage, Stopwatch } from "../search/ground.ts";
import { parametersKey, type ResolvedParameters, resolveParameters } from "../search/parameters.ts";
import { canonicalQuery, type ParsedQuery, parseCanonicalQuery } from "../search/parse-query.ts";
import { generatedFeatures, withFeatures } from "../search/query-features.ts";
import { checkReceipt, parseReceipt, type Receipt } from "../search/receipt.ts";
import { readReceiptParameters } from "../search/receipt-parameters.ts";
import { rank } from "../search/search.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import { type AnsweredPage, type Asked, answerPage, type RankedState } from "./answer-page.ts";
import {
  doneInstead,
  NO_VECTOR,
  type QueryTokens,
  type QueryVector,
  queryTokens,
  queryVector,
} from "./query-vectors.ts";
import type { Searched } from "./searched.ts";

/** Whether a library's answer matches a receipt. */
export interface ReceiptVerdict {
  /** Same canon, same documents, same results with the same score bits. */
  readonly isSame: boolean;
  /** How the answers differ, causes before effects; empty if they are the same. */
  readonly differences: readonly ReceiptDifference[];
  /** This library's answer. */
  readonly actual: Receipt;
  /**
   * What it could not do and did instead, for example without the model's weights; empty if it did what the receipt
   * says.
   */
  readonly warnings: readonly string[];
}

/**
 * A step of a search, for traces. Steps do not overlap, except for the channels of a cluster, which are asked together.
 * `start` counts from the start of the search, in ms.
 */
export interface SearchStage {
  /** What was done. */
  readonly name: "validate" | "embed" | RankingStage | "results";
  /** When it began, in milliseconds since the start of the search. */
  readonly start: number;
  /** How long it took, in milliseconds. */
  readonly duration: number;
}

/** Called while a search runs. Nothing here changes its answer. */
export interface SearchHooks {
  /** Called with each step that was done. An answer from the cache has few. */
  readonly onStage?: (stage: SearchStage) => void;
  /**
   * Called with what the words alone find, before the query is embedded and the vectors are searched. It costs a second
   * search by words. Not called if only one channel is asked for.
   */
  readonly onPartial?: (answer: SearchAnswer) => void;
}

interface Found {
  readonly ranked: RankedState;
  readonly answered: AnsweredPage;
  readonly channels: ChannelTimings;
}

type ChannelTimings = Pick<SearchTimings, "semantic" | "lexical" | "sparse">;

type StageListener = (name: SearchStage["name"], began: number) => void;

const NO_LISTENER: StageListener = () => undefined;
const NO_STOPWATCH: Stopwatch = () => () => undefined;

const NO_VECTORS =
  "no chunk has a vector, so nothing was found by meaning (selfsame index --force computes vectors)";

/** Runs searches: parses, embeds, ranks on one state of what is searched, and caches rankings for a while. */
export class Searcher {
  readonly #searched: Searched;
  readonly #cache = new RankingCache<RankedState>();

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** Reads all parameters before it waits for anything: the caller may change them meanwhile. */
  async search(query: string, given: SearchParameters, hooks: SearchHooks = {}): Promise<SearchAnswer> {
    if (typeof query !== "string") {
      throw new SelfsameError("BAD_ARGUMENT", `expected the query to be a string, got ${typeof query}`);
    }
    const started = performance.now();
    const p = await this.#completed(query, resolveParameters(this.#searched.engine, given));
    const asked = { ...this.#read(query, p), from: null, isNone: false };
    const stage: StageListener = (name, began) =>
      hooks.onStage?.({ name, start: began - started, duration: performance.now() - began });
    stage("validate", started);
    // As JSON, so that no value can be mistaken for another part of the key. Pages of one list share its ranking.
    const question = JSON.stringify([asked.key, p.explain, asked.text]);
    const known = await this.#known(question, asked);
    // A cursor continues the whole list, of which this would be another.
    if (known === null && hooks.onPartial !== undefined && p.mode === "hybrid" && p.cursor === null)
      hooks.onPartial(withTimings(await this.#findByWords(asked), p, 0, started));
    const { found, embedding } =
      known === null ? await this.#ask(asked, stage) : { found: known, embedding: 0 };
    // An answer with a warning is not cached: its reason may pass.
    if (known === null && found.ranked.warnings.length === 0) this.#cache.set(question, found.ranked);
    return withTimings(found, p, embedding, started);
  }

  /** Re-runs the search of a receipt, even if its answer is cached: a cached answer proves nothing. */
  async verify(receipt: string | Receipt): Promise<ReceiptVerdict> {
    const { engine } = this.#searched;
    const expected =
      typeof receipt === "string" ? parseReceipt(engine, receipt) : checkReceipt(engine, receipt);
    const { p, from, isNone } = readReceiptParameters(engine, expected.parameters);
    this.#checkDim(p);
    const asked = { ...this.#read(expected.query, p), from, isNone };
    const { found } = await this.#ask(asked, NO_LISTENER);
    const { receipt: actual, warnings } = found.answered;
    const differences = compareReceipts(expected, actual);
    return { isSame: differences.length === 0, differences, actual, warnings };
  }

  /** Returns the parameters with what the application's generator gives, for a search where there is no generator. */
  async withFeatures(query: string, given: SearchParameters): Promise<SearchParameters> {
    const { engine, featureGenerator } = this.#searched;
    if (featureGenerator === null || typeof query !== "string") return given;
    const { semanticText } = parseCanonicalQuery(canonicalQuery(engine, query));
    const p = resolveParameters(engine, given);
    return { ...given, ...(await generatedFeatures(featureGenerator, semanticText, p)) };
  }

  /** Returns the parameters with the vectors that the application computes for this query. */
  async #completed(query: string, given: ResolvedParameters): Promise<ResolvedParameters> {
    const { engine, featureGenerator } = this.#searched;
    if (featureGenerator === null && given.vector === null) return given;
    const { semanticText } = parseCanonicalQuery(canonicalQuery(engine, query));
    const p = await withFeatures(engine, featureGenerator, semanticText, given);
    this.#checkDim(p);
    return p;
  }

  #checkDim({ vector }: ResolvedParameters): void {
    const dim = this.#searched.dimension ?? this.#searched.identity.hidden;
    if (vector === null || vector.length === dim) return;
    throw new SelfsameError(
      "BAD_VECTOR",
      `expected a vector of ${dim} numbers, as the library's are, got ${vector.length}`,
      "Compute it with the model that the library's vectors come from",
    );
  }

  #read(query: string, p: ResolvedParameters): Pick<Asked, "text" | "p" | "key"> {
    const text = canonicalQuery(this.#searched.engine, query).replace(/\n$/, "");
    return { text, p, key: parametersKey(p) };
  }

  /** Embeds, ranks and answers. */
  async #ask(
    asked: Asked,
    stage: StageListener,
  ): Promise<{ readonly found: Found; readonly embedding: number }> {
    const parsed = parseCanonicalQuery(asked.text);
    const { p, ...tokens } = await queryTokens(this.#searched, parsed, asked.p);
    const began = performance.now();
    const embedded = asked.isNone ? NO_VECTOR : await queryVector(this.#searched, parsed, p);
    const embedding = performance.now() - began;
    if (embedded !== NO_VECTOR) stage("embed", began);
    return { found: await this.#find({ ...asked, p }, parsed, embedded, tokens, stage), embedding };
  }

  /** Ranks and answers without a vector, for those who do not want to wait for one. */
  async #findByWords(asked: Asked): Promise<Found> {
    const parsed = parseCanonicalQuery(asked.text);
    const { p, ...tokens } = await queryTokens(this.#searched, parsed, asked.p);
    const warning = `the vectors were not searched in time, so ${doneInstead(p)}`;
    return this.#find({ ...asked, p }, parsed, { vector: null, warnings: [warning] }, tokens, NO_LISTENER);
  }

  /** Returns the answer from a cached ranking, if the library is unchanged. */
  async #known(question: string, asked: Asked): Promise<Found | null> {
    const ranked = this.#cache.get(question);
    if (ranked === undefined) return null;
    const searched = this.#searched;
    return searched.onOneState(null, NO_STOPWATCH, function* ({ roots, vectorsEpoch }) {
      const { state } = ranked;
      if (roots.root !== state.root || roots.metadataRoot !== state.metadataRoot) return null;
      if (vectorsEpoch !== ranked.vectorsEpoch) return null;
      const answered = yield* answerPage(searched, asked, ranked);
      return { ranked, answered, channels: { semantic: 0, lexical: 0, sparse: 0 } };
    });
  }

  /** Ranks and answers on one state, for which the vectors are ready. */
  async #find(
    asked: Asked,
    parsed: ParsedQuery,
    { vector, warnings }: QueryVector,
    { tokens, warnings: sparseWarnings }: QueryTokens,
    stage: StageListener,
  ): Promise<Found> {
    const searched = this.#searched;
    const channels = { semantic: 0, lexical: 0, sparse: 0 };
    const stopwatch: Stopwatch = (step) => {
      const began = performance.now();
      return () => {
        if (step === "semantic" || step === "lexical" || step === "sparse")
          channels[step] = performance.now() - began;
        stage(step, began);
      };
    };
    const query = { parsed, vector, tokens, p: asked.p };
    return searched.onOneState(query, stopwatch, function* ({ roots, lacksVectors, vectorsEpoch }) {
      const ranking = yield* rank(searched.engine, query, stopwatch);
      const unable = [...warnings, ...(lacksVectors ? [NO_VECTORS] : [])];
      const ranked = {
        ranking,
        state: roots,
        vectorsEpoch,
        warnings: [...unable, ...sparseWarnings],
        isWhole: unable.length === 0,
      };
      const began = performance.now();
      const answered = yield* answerPage(searched, asked, ranked);
      stage("results", began);
      return { ranked, answered, channels };
    });
  }
}

/** Returns the answer with what is measured, and with how it was computed if that was asked for. */
function withTimings(
  { answered, ranked, channels }: Found,
  p: ResolvedParameters,
  embedding: number,
  started: number,
): SearchAnswer {
  const total = performance.now() - started;
  return {
    ...answered,
    ...(p.explain ? { explanation: explain(ranked.ranking, p) } : {}),
    timings: { embedding, ...channels, ranking: total - embedding, total },
  };
}
