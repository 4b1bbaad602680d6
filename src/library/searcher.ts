import { blake3, toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import {
  explain,
  isNothingClose,
  resultsOf,
  type SearchAnswer,
  type SearchTimings,
  scoreBits,
  scoreKind,
} from "../search/answer.ts";
import { RankingCache } from "../search/cache.ts";
import { compareReceipts, type ReceiptDifference } from "../search/compare-receipts.ts";
import { makeCursor, readCursor } from "../search/cursor.ts";
import {
  parametersKey,
  type ResolvedParameters,
  resolveParameters,
  withoutSparse,
} from "../search/parameters.ts";
import { canonicalQuery, type ParsedQuery, parseCanonicalQuery } from "../search/parse-query.ts";
import { generatedFeatures, withFeatures } from "../search/query-features.ts";
import { checkReceipt, makeReceipt, parseReceipt, type Receipt } from "../search/receipt.ts";
import { doneMode, readReceiptParameters, receiptParameters } from "../search/receipt-parameters.ts";
import { type Ranking, type RankingStage, rank } from "../search/search.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import { utf8 } from "../text/canonical.ts";
import type { SegmentedIndex } from "../vectors/segmented-index.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { Roots } from "./library-state.ts";

/** Another process that writes without pause could keep a search waiting. After this many tries, the search fails. */
const TRIES_MAX = 8;

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

/** A step of a search, for traces. Steps do not overlap, and `start` counts from the start of the search, in ms. */
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

type Answered = Omit<SearchAnswer, "timings" | "explanation">;

/** A parsed query. */
interface Asked {
  /** The text in canonical form. */
  readonly text: string;
  readonly p: ResolvedParameters;
  readonly key: string;
  /** Where the page starts; null if a cursor decides that. */
  readonly from: number | null;
  /** Nothing is searched, for example because the receipt says that nothing was. */
  readonly isNone: boolean;
}

/** A ranking, with the state of the library that it belongs to. */
interface RankedState {
  readonly ranking: Ranking;
  readonly state: Roots;
  readonly warnings: readonly string[];
  /** Whether everything requested could be done; warnings say what could not. */
  readonly isWhole: boolean;
}

interface Found {
  readonly ranked: RankedState;
  readonly answered: Answered;
  readonly channels: ChannelTimings;
}

type ChannelTimings = Pick<SearchTimings, "semantic" | "lexical" | "sparse">;

interface Embedded {
  /** null if no vector is needed, or if none is available: then a warning says why. */
  readonly vector: Int16Array | null;
  readonly warnings: readonly string[];
}

/** The query's own tokens, none if it came with terms; null if the sparse channel is not searched. */
interface Tokens {
  readonly tokens: readonly string[] | null;
  readonly warnings: readonly string[];
}

/** Returns what is done without a vector of the query. SPEC §20.7 */
function instead({ mode, sparseWeight }: ResolvedParameters): string {
  if (mode === "semantic") return "nothing was searched";
  if (mode === "lexical") return "results were not diversified";
  return sparseWeight > 0 ? "only words and sparse vectors were searched" : "only words were searched";
}

/** The warning of a library of external vectors: it cannot embed a query itself. SPEC §23.4 */
const withoutVector = (done: string) =>
  `no vector of the query, so ${done} (give the parameter vector, or a featureGenerator to open())`;

const NOT_EMBEDDED: Embedded = { vector: null, warnings: [] };

type StageListener = (name: SearchStage["name"], began: number) => void;

/**
 * Runs the searches of one library: parses, embeds, ranks on one state of the database, and caches rankings for a
 * while.
 */
export class Searcher {
  readonly #parts: LibraryParts;
  readonly #cache = new RankingCache<RankedState>();

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** Reads all parameters before it waits for anything: the caller may change them meanwhile. */
  async search(query: string, given: SearchParameters, hooks: SearchHooks = {}): Promise<SearchAnswer> {
    if (typeof query !== "string") {
      throw new SelfsameError("BAD_ARGUMENT", `expected the query to be a string, got ${typeof query}`);
    }
    const started = performance.now();
    const p = await this.#completed(query, resolveParameters(this.#parts.engine, given));
    const asked = { ...this.#read(query, p), from: null, isNone: false };
    const stage: StageListener = (name, began) =>
      hooks.onStage?.({ name, start: began - started, duration: performance.now() - began });
    stage("validate", started);
    // As JSON, so that no value can be mistaken for another part of the key. Pages of one list share its ranking.
    const question = JSON.stringify([asked.key, p.explain, asked.text]);
    const known = this.#known(question, asked);
    // A cursor continues the whole list, of which this would be another.
    if (known === null && hooks.onPartial !== undefined && p.mode === "hybrid" && p.cursor === null) {
      const parsed = parseCanonicalQuery(asked.text);
      const { p: done, ...tokens } = await this.#tokens(parsed, p);
      const partly = {
        vector: null,
        warnings: [`the vectors were not searched in time, so ${instead(done)}`],
      };
      const found = await this.#find({ ...asked, p: done }, parsed, partly, tokens, () => undefined);
      hooks.onPartial(this.#dressed(found, p, 0, started));
    }
    const { found, embedding } =
      known === null ? await this.#ask(asked, stage) : { found: known, embedding: 0 };
    // An answer with a warning is not cached: its reason may pass.
    if (known === null && found.ranked.warnings.length === 0) this.#cache.set(question, found.ranked);
    return this.#dressed(found, p, embedding, started);
  }

  #dressed(found: Found, p: ResolvedParameters, embedding: number, started: number): SearchAnswer {
    const total = performance.now() - started;
    return {
      ...found.answered,
      ...(p.explain ? { explanation: explain(found.ranked.ranking, p) } : {}),
      timings: { embedding, ...found.channels, ranking: total - embedding, total },
    };
  }

  /** Re-runs the search of a receipt, even if its answer is cached: a cached answer proves nothing. */
  async verify(receipt: string | Receipt): Promise<ReceiptVerdict> {
    const { engine } = this.#parts;
    const expected =
      typeof receipt === "string" ? parseReceipt(engine, receipt) : checkReceipt(engine, receipt);
    const { p, from, isNone } = readReceiptParameters(engine, expected.parameters);
    this.#checkDim(p);
    const asked = { ...this.#read(expected.query, p), from, isNone };
    const { found } = await this.#ask(asked, () => undefined);
    const { receipt: actual, warnings } = found.answered;
    const differences = compareReceipts(expected, actual);
    return { isSame: differences.length === 0, differences, actual, warnings };
  }

  /** Returns the parameters with what the application's generator gives, for a search where there is no generator. */
  async withFeatures(query: string, given: SearchParameters): Promise<SearchParameters> {
    const { engine, featureGenerator } = this.#parts;
    if (featureGenerator === null || typeof query !== "string") return given;
    const { semanticText } = parseCanonicalQuery(canonicalQuery(engine, query));
    const p = resolveParameters(engine, given);
    return { ...given, ...(await generatedFeatures(featureGenerator, semanticText, p)) };
  }

  /** Returns the parameters with the vectors that the application computes for this query. */
  async #completed(query: string, given: ResolvedParameters): Promise<ResolvedParameters> {
    const { engine, featureGenerator } = this.#parts;
    if (featureGenerator === null && given.vector === null) return given;
    const { semanticText } = parseCanonicalQuery(canonicalQuery(engine, query));
    const p = await withFeatures(engine, featureGenerator, semanticText, given);
    this.#checkDim(p);
    return p;
  }

  #checkDim({ vector }: ResolvedParameters): void {
    const { dim } = this.#parts.semantic;
    if (vector === null || vector.length === dim) return;
    throw new SelfsameError(
      "BAD_VECTOR",
      `expected a vector of ${dim} numbers, as the library's are, got ${vector.length}`,
      "Compute it with the model that the library's vectors come from",
    );
  }

  #read(query: string, p: ResolvedParameters): Pick<Asked, "text" | "p" | "key"> {
    return { text: canonicalQuery(this.#parts.engine, query).replace(/\n$/, ""), p, key: parametersKey(p) };
  }

  /** Embeds, ranks and answers. */
  async #ask(
    asked: Asked,
    stage: StageListener,
  ): Promise<{ readonly found: Found; readonly embedding: number }> {
    const parsed = parseCanonicalQuery(asked.text);
    const { p, ...tokens } = await this.#tokens(parsed, asked.p);
    const began = performance.now();
    const embedded = asked.isNone ? NOT_EMBEDDED : await this.#embed(parsed, p);
    const embedding = performance.now() - began;
    if (embedded !== NOT_EMBEDDED) stage("embed", began);
    return { found: await this.#find({ ...asked, p }, parsed, embedded, tokens, stage), embedding };
  }

  /** Returns the answer from a cached ranking, if the library is unchanged. */
  #known(question: string, asked: Asked): Found | null {
    const ranked = this.#cache.get(question);
    if (ranked === undefined) return null;
    const { database, state } = this.#parts;
    return database.snapshot(() => {
      const { root, metadataRoot } = state.roots();
      if (root !== ranked.state.root || metadataRoot !== ranked.state.metadataRoot) return null;
      state.checkCanon();
      return {
        ranked,
        answered: this.#answer(asked, ranked),
        channels: { semantic: 0, lexical: 0, sparse: 0 },
      };
    });
  }

  /** Ranks and answers on one state of the database, for which the vectors are ready. */
  async #find(
    asked: Asked,
    parsed: ParsedQuery,
    { vector, warnings }: Embedded,
    { tokens, warnings: sparseWarnings }: Tokens,
    stage: StageListener,
  ): Promise<Found> {
    const { engine, database, state, semantic, sparse: vectors } = this.#parts;
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const { root, found } = database.snapshot(() => {
        const roots = state.roots();
        const index = vector === null ? null : semantic.ready(roots.root);
        const bySparse = tokens === null ? null : vectors.ready(roots.root);
        const isReady = (vector === null || index !== null) && (tokens === null || bySparse !== null);
        if (!isReady) return { root: roots.root, found: null };
        state.checkCanon();
        const totalChunks = state.chunkCount(roots.root);
        const channels = { semantic: 0, lexical: 0, sparse: 0 };
        const timed = <T>(step: RankingStage, work: () => T): T => {
          const began = performance.now();
          const result = work();
          if (step === "semantic" || step === "lexical" || step === "sparse")
            channels[step] = performance.now() - began;
          stage(step, began);
          return result;
        };
        const sparse = bySparse === null ? null : { index: bySparse, tokens: tokens! };
        const ground = { engine, database, index, sparse, timed };
        const ranking = rank(ground, parsed, vector, asked.p);
        const all = [...warnings, ...(index === null ? [] : this.#missingVectors(index, totalChunks))];
        const ranked = {
          ranking,
          state: roots,
          warnings: [...all, ...sparseWarnings],
          isWhole: all.length === 0,
        };
        const began = performance.now();
        const answered = this.#answer(asked, ranked);
        stage("results", began);
        return { root: roots.root, found: { ranked, answered, channels } };
      });
      if (found !== null) return found;
      if (vector !== null) await semantic.current(root);
      if (tokens !== null) await vectors.current();
    }
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected no writes during one search, got ${TRIES_MAX}`,
      "Search again",
    );
  }

  #missingVectors(index: SegmentedIndex, totalChunks: number): string[] {
    if (index.size > 0 || totalChunks === 0) return [];
    return [
      "no chunk has a vector, so nothing was found by meaning (selfsame index --force computes vectors)",
    ];
  }

  /** Returns the query's vector, or a warning: without a vector, only words are searched. SPEC §20.7 */
  async #embed({ semanticText }: ParsedQuery, p: ResolvedParameters): Promise<Embedded> {
    const { mode, lambda, vector } = p;
    const isWanted = mode !== "lexical" || lambda !== null; // diversity is measured against the query's vector
    if (isWanted && vector !== null) return { vector, warnings: [] };
    if (!isWanted || semanticText === "") return NOT_EMBEDDED;
    const { database, state } = this.#parts;
    if (state.dimension !== null) return { vector: null, warnings: [withoutVector(instead(p))] };
    return database.idle(() => this.#tryToEmbed(semanticText, p));
  }

  /**
   * Returns the query's own tokens, for the sparse channel. Without the tokenizer, that channel is left out: the
   * parameters that are returned say so. SPEC §24.3
   */
  async #tokens(
    { semanticText }: ParsedQuery,
    p: ResolvedParameters,
  ): Promise<Tokens & { readonly p: ResolvedParameters }> {
    if (p.sparseWeight === 0) return { p, tokens: null, warnings: [] };
    if (p.sparse !== null || semanticText === "") return { p, tokens: [], warnings: [] };
    const { database, tokenizer: load, identity, state } = this.#parts;
    try {
      const tokenizer = await database.idle(() => load());
      const { ids } = tokenizer.tokenize(semanticText, identity.limit);
      const own = Array.from(ids.subarray(1, -1), (id) => tokenizer.tokens[id]!); // without [CLS] and [SEP]
      return { p, tokens: own, warnings: [] };
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      // Where the model makes the vectors, it is told as for them.
      if (error.code === "CANON_MISMATCH" && state.dimension === null) throw error;
      const warning = `the query has no terms and its own could not be found, so sparse vectors were not searched (${error.code}: ${error.message})`;
      return { p: withoutSparse(p), tokens: null, warnings: [warning] };
    }
  }

  async #tryToEmbed(text: string, p: ResolvedParameters): Promise<Embedded> {
    try {
      return { vector: await this.#parts.embedder.embed(text), warnings: [] };
    } catch (error) {
      // A model that was never named does not become available by itself: the user is told, whatever the mode.
      if (!(error instanceof SelfsameError) || error.code === "CANON_MISMATCH") throw error;
      const warning = `the query could not be embedded, so ${instead(p)} (${error.code}: ${error.message})`;
      return { vector: null, warnings: [warning] };
    }
  }

  /** Adds display fields to the requested page. */
  #answer(
    { text, p, key, from: given, isNone }: Asked,
    { ranking, state, warnings, ...ranked }: RankedState,
  ): Answered {
    const { engine, database, identity } = this.#parts;
    const { root } = state;
    // They are measured on the model's own vectors, and say nothing about others.
    const thresholds = this.#parts.state.dimension === null ? identity.closeness : undefined;
    const metadataRoot = p.filters?.usesMetadata === true ? state.metadataRoot : null;
    const digest = this.#parts.state.canonDigest;
    // If something could not be done, the list is a different one, and pages of the two would overlap.
    const kind = warnings.length === 0 ? key : `${key} in part`;
    const binding = toHex(blake3(engine, utf8([digest, root, metadataRoot ?? "", kind, text].join("\n"))));
    const from = given ?? (p.cursor === null ? 0 : readCursor(p.cursor, binding));
    const to = from + (p.pageSize ?? p.topK);
    const page = ranking.results.slice(from, to);
    const isWhole = ranked.isWhole && !isNone;
    const done = scoreKind(doneMode(p, isWhole), p.sparseWeight);
    return {
      query: text,
      mode: p.mode,
      results: resultsOf(database, ranking, page, scoreKind(p.mode, p.sparseWeight), thresholds),
      corrections: [...ranking.corrections],
      nothingClose: isNothingClose(ranking, thresholds),
      onlyStopWords: parseCanonicalQuery(text).isCommon,
      nextCursor: p.pageSize !== null && to < ranking.results.length ? makeCursor(to, binding) : null,
      warnings: [...warnings],
      receipt: makeReceipt(engine, {
        canon: digest,
        root,
        metadataRoot,
        query: text,
        parameters: receiptParameters(p, isWhole, from),
        results: page.map((ranked) => ({ id: ranked.chunkId, score: scoreBits(ranking, ranked, done) })),
      }),
    };
  }
}
