import { objectArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { CrossEncoderIdentity } from "../model/cross-encoder.ts";
import { workOf } from "../recall/budget.ts";
import { confidenceOf } from "../recall/calibration.ts";
import { type CheckedRequest, checkRequest } from "../recall/check-request.ts";
import { type PairScorer, rankAgain } from "../recall/cross-encoder.ts";
import type { RecallQuestion } from "../recall/ground.ts";
import { type Permitted, permittedDocuments } from "../recall/permitted.ts";
import { isSharedSpace } from "../recall/policy.ts";
import { type Features, reasonsOf } from "../recall/ranker.ts";
import { type RankedMemory, type RecallRanking, recall } from "../recall/recall.ts";
import { recallParameters, requestOfReceipt } from "../recall/receipt-parameters.ts";
import type { RecallRequest } from "../recall/request.ts";
import type { RecalledMemory, RecallResponse } from "../recall/response.ts";
import {
  BUILT_IN_STORES,
  checkCandidates,
  checkStore,
  type RecallStore,
  type StoreCandidate,
} from "../recall/stores.ts";
import type { TermNorms } from "../recall/word-store.ts";
import { compareReceipts } from "../search/compare-receipts.ts";
import { binary32Bits } from "../search/fuse.ts";
import { canonicalQuery, parseCanonicalQuery } from "../search/parse-query.ts";
import { makeReceipt, type Receipt } from "../search/receipt.ts";
import type { FeedbackLog } from "./feedback-log.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { Roots } from "./library-state.ts";
import { memoryTexts } from "./memory-texts.ts";
import type { ReceiptVerdict } from "./searcher.ts";
import { vectorsAside } from "./vectors-epoch.ts";

/** Another process that writes without pause could keep a recall waiting. After this many tries, it fails. */
const TRIES_MAX = 8;
/** The permitted documents of this many readers are kept while the library is unchanged. */
const READERS_KEPT = 8;

/** What had to be waited for before the ranking. */
interface Prepared {
  readonly query: string;
  readonly question: Omit<RecallQuestion, "weights">;
  readonly warnings: string[];
}

interface Found {
  readonly ranking: RecallRanking;
  readonly roots: Roots;
  readonly weights: Features;
  readonly results: readonly RecalledMemory[];
}

/** Runs the recalls of one library: embeds, asks stores, ranks on one state of the database, and makes receipts. SPEC §26.12 */
export class Recaller {
  readonly #parts: LibraryParts;
  readonly #feedback: FeedbackLog;
  readonly #stores = new Map<string, RecallStore>();
  readonly #permitted = new Map<string, Permitted>();
  #norms: { readonly written: string; readonly norms: TermNorms } = { written: "", norms: new Map() };
  #crossEncoder: PairScorer | null = null;

  constructor(parts: LibraryParts, feedback: FeedbackLog) {
    this.#parts = parts;
    this.#feedback = feedback;
  }

  /** Adds a store of the application, or replaces the one of that name. */
  register(store: RecallStore): void {
    this.#stores.set(store.name, checkStore(store));
  }

  /** Sets the model that may rank the first results again; null: that of the option of `open`. */
  useCrossEncoder(model: PairScorer | null): void {
    this.#crossEncoder = model === null ? null : objectArgument("model", model, ["score"]);
  }

  /** Reads the whole request before it waits for anything: the caller may change it meanwhile. */
  async recall(request: RecallRequest): Promise<RecallResponse> {
    const started = performance.now();
    return this.#answer(checkRequest(this.#parts.engine, request), started);
  }

  /** Re-runs the recall of a receipt, with the stores and weights that it names. */
  async verify(expected: Receipt): Promise<ReceiptVerdict> {
    const checked = checkRequest(this.#parts.engine, requestOfReceipt(expected));
    const { receipt, warnings } = await this.#answer(checked, performance.now());
    if (receipt === null)
      throw new SelfsameError("BAD_RECEIPT", "expected parameters.now to be a time, got none", "", {
        details: { field: "parameters.now" },
      });
    const differences = compareReceipts(expected, receipt);
    return { isSame: differences.length === 0, differences, actual: receipt, warnings };
  }

  async #answer(checked: CheckedRequest, started: number): Promise<RecallResponse> {
    const { engine, state } = this.#parts;
    const { p } = checked;
    this.#checkSpace(checked.space);
    const now = p.now ?? Date.now();
    const deadline = p.deadline_ms === null ? null : started + p.deadline_ms;
    const isLate = () => deadline !== null && performance.now() > deadline;
    const { query, question, warnings } = await this.#prepare(checked, now);
    const found = await this.#find(checked, question, isLate);
    warnings.push(...found.ranking.warnings);
    const leftOut = [...found.ranking.leftOut];
    const { results, model } = await this.#rankAgain(question, found.results, isLate, warnings, leftOut);
    const stages = [
      { stage: "policy", candidates: found.ranking.seen },
      ...found.ranking.stages,
      ...(model === null
        ? []
        : [{ stage: "cross_encoder", candidates: Math.min(question.work.pairs, results.length) }]),
    ];
    const isCut = leftOut.some((each) => each.endsWith("the deadline had passed"));
    const parameters = () => recallParameters(p, now, question.stores, found.weights, model);
    return {
      results,
      used_time_ms: Math.max(0, performance.now() - started),
      trace: {
        stage: isCut ? stages.at(-1)!.stage : "final",
        top3: results
          .slice(0, 3)
          .map(({ doc_id, chunk_id, score, reasons }) => ({ doc_id, chunk_id, score, reasons })),
        stages,
        budget: {
          time_budget_ms: p.time_budget_ms,
          top_k: p.top_k,
          candidates: question.work.perResult * p.top_k,
          hops: question.work.hops,
          pairs: question.work.pairs,
        },
        clamped: p.clamped,
        left_out: leftOut,
      },
      now,
      now_source: p.now === null ? "clock" : "request",
      receipt:
        p.now === null || isCut
          ? null
          : makeReceipt(engine, {
              canon: state.canonDigest,
              ...found.roots,
              query,
              parameters: parameters(),
              results: results.map(({ chunk_id, score }) => ({
                id: chunk_id,
                score: binary32Bits(score).toString(16).padStart(8, "0"),
              })),
            }),
      warnings,
    };
  }

  /** Results are of one space alone. */
  #checkSpace(space: string | null): void {
    const { namespace } = this.#parts.state.canon;
    if (space === null || space === namespace) return;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ctx.space_id to be this library's namespace ${JSON.stringify(namespace)}, got ${JSON.stringify(space)}`,
      "Ask the library of that space, or leave space_id out",
      { details: { argument: "ctx.space_id", expected: namespace, got: space } },
    );
  }

  /** Embeds the query and the workspace, and asks the application's stores. */
  async #prepare({ query: text, p }: CheckedRequest, now: number): Promise<Prepared> {
    const { engine, state } = this.#parts;
    const query = canonicalQuery(engine, text).replace(/\n$/, "");
    const parsed = parseCanonicalQuery(query);
    const work = workOf(p.time_budget_ms);
    const warnings: string[] = [];
    let stores = this.#storesOf(p.stores);
    const { namespace } = state.canon;
    if (!p.filters.allow_shared && isSharedSpace(namespace))
      warnings.push(
        `the space ${namespace} is shared and allow_shared is false, so only documents of other spaces are seen`,
      );
    const embedded = stores.includes("vector")
      ? await this.#embed([parsed.semanticText, ...p.workspace], warnings)
      : null;
    if (embedded === null) stores = stores.filter((store) => store !== "vector");
    const outside = new Map<string, readonly StoreCandidate[]>();
    const k = work.perResult * p.top_k;
    for (const store of stores) {
      const asked = this.#stores.get(store);
      if (asked === undefined) continue;
      const found = await asked.search({ query_text: query, k, person_id: p.person_id, space_id: namespace });
      outside.set(store, checkCandidates(store, found, k));
    }
    const [vector = null, ...shown] = embedded ?? [];
    const workspace = shown.filter((each) => each !== null);
    return { query, question: { parsed, vector, workspace, p, now, work, stores, outside }, warnings };
  }

  /** The stores that are asked, in the order of fusion. */
  #storesOf(wanted: readonly string[] | null): string[] {
    const own = [...this.#stores.keys()].sort();
    const all: string[] = [...BUILT_IN_STORES, ...own];
    const unknown = wanted?.find((store) => !all.includes(store));
    if (unknown !== undefined)
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected ctx.stores among ${all.join(", ")}, got ${JSON.stringify(unknown)}`,
        "Register the store with library.registerStore()",
        { details: { argument: "ctx.stores", got: unknown } },
      );
    return wanted === null ? all : all.filter((store) => wanted.includes(store));
  }

  /** Returns vectors, null for a text without words; null for all, with a warning, if the device cannot embed. */
  async #embed(texts: readonly string[], warnings: string[]): Promise<(Int16Array | null)[] | null> {
    const { database, embedder } = this.#parts;
    const aside = vectorsAside(database);
    if (aside !== null) {
      warnings.push(`${aside}, so vectors were not used`);
      return null;
    }
    try {
      const vectors: (Int16Array | null)[] = [];
      for (const text of texts)
        vectors.push(text.trim() === "" ? null : await database.idle(() => embedder.embed(text)));
      return vectors;
    } catch (error) {
      if (!(error instanceof SelfsameError) || error.code === "CANON_MISMATCH") throw error;
      warnings.push(`no embedding of the query, so vectors were not used (${error.code}: ${error.message})`);
      return null;
    }
  }

  /** Ranks on one state of the database, for which the vectors are ready. */
  async #find(
    checked: CheckedRequest,
    prepared: Omit<RecallQuestion, "weights">,
    isLate: () => boolean,
  ): Promise<Found> {
    const { engine, database, state, semantic } = this.#parts;
    const usesVectors = prepared.stores.includes("vector");
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const { root, found } = database.snapshot(() => {
        const roots = state.roots();
        const index = usesVectors ? semantic.ready(roots.root) : null;
        if (usesVectors && index === null) return { root: roots.root, found: null };
        state.checkCanon();
        const written = this.#written(roots);
        if (this.#norms.written !== written) this.#norms = { written, norms: new Map() };
        const weights = checked.p.use_feedback
          ? this.#feedback.weights(checked.p.weights)
          : checked.p.weights;
        const permitted = this.#permittedOf(checked, written);
        const ground = { engine, database, index, permitted, norms: this.#norms.norms, isLate };
        const ranking = recall(ground, { ...prepared, weights });
        const results = this.#memories(ranking.results, weights, checked);
        return { root: roots.root, found: { ranking, roots, weights, results } };
      });
      if (found !== null) return found;
      await semantic.current(root);
    }
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected a moment without a write, got ${TRIES_MAX} writes during one recall`,
      "Ask again",
    );
  }

  /**
   * Names what is in the tables now, row by row, for what is kept by rowid: after documents were removed and added again,
   * the roots are the same and the rowids are others.
   */
  #written({ root, metadataRoot }: Roots): string {
    const { database } = this.#parts;
    const others = database.get("PRAGMA data_version");
    const own = database.get("SELECT total_changes() AS changes, max(chunk) AS last FROM chunks");
    return JSON.stringify([root, metadataRoot, others, own]);
  }

  /** The permitted documents, kept while neither the library nor the reader changes. */
  #permittedOf({ p, filters }: CheckedRequest, written: string): Permitted {
    const { database, state } = this.#parts;
    const reader = { person: p.person_id, filters: p.filters, space: state.canon.namespace };
    const key = JSON.stringify([written, p.person_id, p.filters]);
    const permitted =
      this.#permitted.get(key) ?? withKeptLengths(permittedDocuments(database, reader, filters));
    this.#permitted.delete(key);
    this.#permitted.set(key, permitted);
    if (this.#permitted.size > READERS_KEPT) this.#permitted.delete(this.#permitted.keys().next().value!);
    return permitted;
  }

  /** Adds texts, confidence and reasons. */
  #memories(ranked: readonly RankedMemory[], weights: Features, { p }: CheckedRequest): RecalledMemory[] {
    const { engine, database } = this.#parts;
    const texts = memoryTexts(database, ranked);
    return ranked.map((each) => {
      const confidence = confidenceOf(engine, each.score, p.calibration);
      return {
        doc_id: each.path,
        chunk_id: each.chunkId,
        ...texts.get(each.chunkId)!,
        score: each.score,
        confidence,
        source: each.source,
        features: each.features,
        contributions: each.contributions,
        reasons: reasonsOf(each.contributions, weights, confidence),
        duplicates: each.duplicates,
      };
    });
  }

  /** Ranks the first results again with the cross-encoder, if it is wanted and there is one. SPEC §26.13 */
  async #rankAgain(
    { parsed, p, work }: Omit<RecallQuestion, "weights">,
    results: readonly RecalledMemory[],
    isLate: () => boolean,
    warnings: string[],
    leftOut: string[],
  ): Promise<{ readonly results: readonly RecalledMemory[]; readonly model: CrossEncoderIdentity | null }> {
    const unchanged = { results, model: null };
    if (!p.allow_cross_encoder) return unchanged;
    if (work.pairs === 0) {
      leftOut.push("cross_encoder: time_budget_ms leaves no pairs for it");
      return unchanged;
    }
    if (isLate()) {
      leftOut.push("cross_encoder: the deadline had passed");
      return unchanged;
    }
    return this.#parts.database.idle(async () => {
      const model = await this.#crossEncoderOf(warnings);
      if (model === null) return unchanged;
      const again = await rankAgain(model, parsed.semanticText, results, work.pairs, isLate);
      if (again !== null) return { results: again, model: model.identity };
      leftOut.push("cross_encoder: the deadline had passed");
      return unchanged;
    });
  }

  /** The cross-encoder; null with a warning if there is none, or if it cannot be loaded. */
  async #crossEncoderOf(warnings: string[]): Promise<PairScorer | null> {
    if (this.#crossEncoder !== null) return this.#crossEncoder;
    const { crossEncoder } = this.#parts;
    if (crossEncoder === null) {
      warnings.push(
        "allow_cross_encoder is set and there is no cross-encoder, so results were not ranked again (the option crossEncoder of open(), --cross-encoder)",
      );
      return null;
    }
    try {
      return await crossEncoder.get();
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      warnings.push(
        `the cross-encoder could not be loaded, so results were not ranked again (${error.code}: ${error.message})`,
      );
      return null;
    }
  }

  /** The ids of the chunks of an answer with their features, for feedback. */
  async featuresOf(
    request: RecallRequest,
  ): Promise<{ readonly query: string; readonly results: readonly RecalledMemory[] }> {
    const checked = checkRequest(this.#parts.engine, request);
    this.#checkSpace(checked.space);
    const { query, question } = await this.#prepare(checked, checked.p.now ?? Date.now());
    const { results } = await this.#find(checked, question, () => false);
    return { query, results };
  }
}

/** Looks up the length of each chunk once: every query asks for those of all chunks that match. */
function withKeptLengths(permitted: Permitted): Permitted {
  const { counted } = permitted;
  const lengths = new Map<number, number>();
  const tokensOf = (chunk: number): number => {
    let length = lengths.get(chunk);
    if (length === undefined) {
      length = counted.tokensOf(chunk);
      lengths.set(chunk, length);
    }
    return length;
  };
  return {
    ...permitted,
    counted: { totals: counted.totals, has: (chunk) => counted.has(chunk), tokensOf },
  };
}
