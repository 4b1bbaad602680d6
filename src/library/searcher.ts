import { blake3, toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors.ts";
import { explain, resultsOf, type SearchAnswer, type SearchTimings, scoreBits } from "../search/answer.ts";
import { RankingCache } from "../search/cache.ts";
import { makeCursor, readCursor } from "../search/cursor.ts";
import {
  canonicalParameters,
  parametersKey,
  type ResolvedParameters,
  resolveParameters,
  type SearchParameters,
} from "../search/parameters.ts";
import { type ParsedQuery, parseQuery } from "../search/parse.ts";
import { makeReceipt, type Receipt } from "../search/receipt.ts";
import { type Ranking, rank } from "../search/search.ts";
import { canonicalText, utf8 } from "../text/canonical.ts";
import type { VectorIndex } from "../vectors/vector-index.ts";
import { canonDigest } from "./canon.ts";
import type { LibraryParts } from "./library.ts";

/** Another process that writes without pause could keep a search waiting; after this many tries it says so. */
const TRIES_MAX = 8;

type Answered = Omit<SearchAnswer, "timings" | "explanation">;

/** A question, read. */
interface Asked {
  /** Canonical. */
  readonly text: string;
  readonly p: ResolvedParameters;
  readonly key: string;
  readonly from: number | undefined;
}

/** A ranking, with the state of the library that it is of. */
interface RankedState {
  readonly ranking: Ranking;
  readonly state: State;
  readonly warnings: readonly string[];
}

interface Found {
  readonly ranked: RankedState;
  readonly answered: Answered;
  readonly channels: ChannelTimings;
}

type ChannelTimings = Pick<SearchTimings, "semantic" | "lexical">;

interface State {
  readonly root: string;
  readonly metadataRoot: string;
}

interface Embedded {
  /** null where none is wanted, or none can be had: then a warning says why. */
  readonly vector: Int16Array | null;
  readonly warnings: readonly string[];
}

/** Searches of one library: parses, embeds, ranks on one state of the database, and keeps rankings for a while. */
export class Searcher {
  readonly #parts: LibraryParts;
  readonly #cache = new RankingCache<RankedState>();

  /** The digest of it, which stays. */
  readonly #canon: string;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
    this.#canon = canonDigest(parts.engine, parts.canon);
  }

  /** @param from where the page begins, for `rerun`; a cursor says so otherwise */
  async search(query: string, given: SearchParameters, from?: number): Promise<SearchAnswer> {
    if (typeof query !== "string") {
      throw new SelfsameError("BAD_ARGUMENT", `expected the query to be a string, got ${typeof query}`);
    }
    const started = performance.now();
    const { engine } = this.#parts;
    const p = resolveParameters(engine, given);
    const text = canonicalText(engine, query).replace(/\n$/, "");
    const key = parametersKey(p);
    const asked = { text, p, key, from };
    // As JSON, in which no value can be taken for another part of the key. Pages of one list share its ranking.
    const question = JSON.stringify([key, p.explain, text]);
    let embedding = 0;
    let found = this.#known(question, asked);
    if (found === null) {
      const parsed = parseQuery(engine, text);
      const began = performance.now();
      const embedded = await this.#embed(parsed, p);
      embedding = performance.now() - began;
      found = await this.#find(asked, parsed, embedded);
      // A warning is not remembered: its reason may pass.
      if (found.ranked.warnings.length === 0) this.#cache.set(question, found.ranked);
    }
    const total = performance.now() - started;
    return {
      ...found.answered,
      ...(p.explain ? { explanation: explain(found.ranked.ranking, p) } : {}),
      timings: { embedding, ...found.channels, ranking: total - embedding, total },
    };
  }

  /** The answer from a ranking that was made before, if the library is what it was. */
  #known(question: string, asked: Asked): Found | null {
    const ranked = this.#cache.get(question);
    if (ranked === undefined) return null;
    return this.#parts.database.snapshot(() => {
      const { root, metadataRoot } = this.#state();
      if (root !== ranked.state.root || metadataRoot !== ranked.state.metadataRoot) return null;
      this.#parts.ingest.checkCanon();
      return { ranked, answered: this.#answer(asked, ranked), channels: { semantic: 0, lexical: 0 } };
    });
  }

  /** Ranks and answers on one state of the database, for which the vectors are ready. */
  async #find(asked: Asked, parsed: ParsedQuery, { vector, warnings }: Embedded): Promise<Found> {
    const { engine, database, ingest, semantic } = this.#parts;
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const { root, found } = database.snapshot(() => {
        const state = this.#state();
        const index = vector === null ? null : semantic.ready(state.root);
        if (vector !== null && index === null) return { root: state.root, found: null };
        ingest.checkCanon();
        const answersByGraph = index !== null && semantic.answersByGraph(index);
        const totalChunks = ingest.chunkCount(state.root);
        const channels = { semantic: 0, lexical: 0 };
        const timed = <T>(channel: keyof ChannelTimings, work: () => T): T => {
          const began = performance.now();
          const result = work();
          channels[channel] = performance.now() - began;
          return result;
        };
        const ground = { engine, database, index, answersByGraph, totalChunks, timed };
        const ranking = rank(ground, parsed, vector, asked.p);
        const all = [...warnings, ...(index === null ? [] : this.#missingVectors(index, totalChunks))];
        const ranked = { ranking, state, warnings: all };
        return { root: state.root, found: { ranked, answered: this.#answer(asked, ranked), channels } };
      });
      if (found !== null) return found;
      await semantic.current(root);
    }
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected a moment without a write, got ${TRIES_MAX} writes during one search`,
      "Search again",
    );
  }

  #missingVectors(index: VectorIndex, totalChunks: number): string[] {
    if (index.size > 0 || totalChunks === 0) return [];
    return ["no chunk has a vector, so nothing was found by meaning (selfsame index --force makes them)"];
  }

  /** Makes the search of a receipt again. */
  async rerun({ query, parameters }: Receipt): Promise<Receipt> {
    const { from, lambda, support, semanticWeight, lexicalWeight, filters, groupBy, ...rest } = parameters;
    const given = {
      ...rest,
      weights: { semantic: semanticWeight, lexical: lexicalWeight },
      lexicalSupport: typeof support === "number" ? support / 1000 : support,
      ...(filters === null ? {} : { filters }),
      ...(groupBy === null ? {} : { groupBy }),
      ...(typeof lambda === "number" ? { diversify: { lambda: lambda / 1000 } } : {}),
    } as SearchParameters;
    if (from !== undefined && !(Number.isInteger(from) && (from as number) > 0)) {
      throw new SelfsameError(
        "BAD_RECEIPT",
        `expected parameters.from to be a whole number above 0, got ${JSON.stringify(from)}`,
      );
    }
    return (await this.search(query, given, typeof from === "number" ? from : 0)).receipt;
  }

  /** The query's vector, or a warning: without one, words alone are searched. */
  async #embed({ semanticText }: ParsedQuery, { mode, lambda }: ResolvedParameters): Promise<Embedded> {
    const isWanted = mode !== "lexical" || lambda !== null; // diversity is measured against the query's vector
    if (!isWanted || semanticText === "") return { vector: null, warnings: [] };
    return this.#parts.database.idle(() => this.#tryToEmbed(semanticText, mode));
  }

  async #tryToEmbed(text: string, mode: ResolvedParameters["mode"]): Promise<Embedded> {
    try {
      return { vector: await this.#parts.embedder.embed(text), warnings: [] };
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      const instead = {
        hybrid: "only words were searched",
        semantic: "nothing was searched",
        lexical: "results were not diversified",
      }[mode];
      const warning = `no embedding of the query, so ${instead} (${error.code}: ${error.message})`;
      return { vector: null, warnings: [warning] };
    }
  }

  /** Dresses the page that is asked for. */
  #answer({ text, p, key, from: given }: Asked, { ranking, state, warnings }: RankedState): Answered {
    const { engine, database } = this.#parts;
    const { root } = state;
    const metadataRoot = p.filters?.usesMetadata === true ? state.metadataRoot : null;
    const digest = this.#canon;
    // Where something could not be done the list is another, and pages of both would overlap.
    const kind = warnings.length === 0 ? key : `${key} in part`;
    const binding = toHex(blake3(engine, utf8([digest, root, metadataRoot ?? "", kind, text].join("\n"))));
    const from = given ?? (p.cursor === null ? 0 : readCursor(p.cursor, binding));
    const to = from + (p.pageSize ?? p.topK);
    const page = ranking.results.slice(from, to);
    return {
      query: text,
      mode: p.mode,
      results: resultsOf(database, ranking, page, p.mode),
      nextCursor: p.pageSize !== null && to < ranking.results.length ? makeCursor(to, binding) : null,
      warnings: [...warnings],
      receipt: makeReceipt(engine, {
        canon: digest,
        root,
        metadataRoot,
        query: text,
        parameters: { ...canonicalParameters(p), ...(from === 0 ? {} : { from }) },
        results: page.map((ranked) => ({ id: ranked.chunkId, score: scoreBits(ranking, ranked, p.mode) })),
      }),
    };
  }

  /** What answers depend on beside the question. */
  #state(): State {
    const { text, metadata } = this.#parts.ingest.trees;
    return { root: toHex(text.root()), metadataRoot: toHex(metadata.root()) };
  }
}
