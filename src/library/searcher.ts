import { blake3, toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors.ts";
import { explain, resultsOf, type SearchAnswer, scoreBits } from "../search/answer.ts";
import { AnswerCache } from "../search/cache.ts";
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

interface Found {
  readonly answered: Answered;
  readonly ranking: Ranking;
}

interface State {
  readonly root: string;
  readonly metadataRoot: string;
}

interface Embedded {
  /** null where none is wanted, or none can be had: then a warning says why. */
  readonly vector: Int16Array | null;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** Searches of one library: parses, embeds, ranks on one state of the database, and keeps answers for a while. */
export class Searcher {
  readonly #parts: LibraryParts;
  readonly #cache = new AnswerCache<Found>();

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** @param from where the page begins, for `rerun`; a cursor says so otherwise */
  async search(query: string, given: SearchParameters, from?: number): Promise<SearchAnswer> {
    if (typeof query !== "string") {
      throw new SelfsameError("BAD_ARGUMENT", `expected the query to be a string, got ${typeof query}`);
    }
    const started = performance.now();
    const { engine, database } = this.#parts;
    const p = resolveParameters(engine, given);
    const text = canonicalText(engine, query).replace(/\n$/, "");
    let embedded: Embedded | null = null;
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const state = database.snapshot(() => this.#state());
      // As JSON: no value can be taken for another part of the key.
      const key = JSON.stringify([
        state.root,
        state.metadataRoot,
        parametersKey(p),
        p.cursor,
        p.explain,
        from,
        text,
      ]);
      let found = this.#cache.get(key);
      if (found === undefined) {
        const parsed = parseQuery(engine, text);
        embedded ??= await this.#embed(parsed, p);
        found = await this.#rank(parsed, text, embedded, p, state, from);
        if (found === undefined) continue; // someone has written since
        if (found.answered.warnings.length === 0) this.#cache.set(key, found);
      }
      const total = performance.now() - started;
      const embedding = embedded?.milliseconds ?? 0;
      return {
        ...structuredClone(found.answered), // what a caller does to it must not be in the next answer
        ...(p.explain ? { explanation: explain(found.ranking, p) } : {}),
        timings: { embedding, ranking: total - embedding, total },
      };
    }
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected a moment without a write, got ${TRIES_MAX} writes during one search`,
      "Search again",
    );
  }

  /** Ranks on one state of the database; undefined if that is no longer the given one. */
  async #rank(
    parsed: ParsedQuery,
    text: string,
    { vector, warnings }: Embedded,
    p: ResolvedParameters,
    state: State,
    from: number | undefined,
  ): Promise<Found | undefined> {
    const { engine, database, ingest, semantic } = this.#parts;
    const index = vector === null ? null : await semantic.current(state.root);
    return database.snapshot(() => {
      const { root, metadataRoot } = this.#state();
      if (root !== state.root || metadataRoot !== state.metadataRoot) return undefined;
      // Its own root is asked too: the library may have been changed, and changed back, while the index was made.
      if (index !== null && semantic.root !== root) return undefined;
      ingest.checkCanon();
      const answersByGraph = index !== null && semantic.answersByGraph(index);
      const ranking = rank({ engine, database, index, answersByGraph }, parsed, vector, p);
      const all = [...warnings, ...(index === null ? [] : this.#missingVectors(index))];
      return { answered: this.#answer(text, ranking, p, state, all, from), ranking };
    });
  }

  #missingVectors(index: VectorIndex): string[] {
    if (index.size > 0 || this.#parts.database.get("SELECT 1 AS there FROM chunks") === undefined) return [];
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
    const started = performance.now();
    const spent = () => performance.now() - started;
    const isWanted = mode !== "lexical" || lambda !== null; // diversity is measured against the query's vector
    if (!isWanted || semanticText === "") return { vector: null, warnings: [], milliseconds: 0 };
    try {
      const vector = await this.#parts.embedder.embed(semanticText);
      return { vector, warnings: [], milliseconds: spent() };
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      const instead = {
        hybrid: "only words were searched",
        semantic: "nothing was searched",
        lexical: "results were not diversified",
      }[mode];
      const warning = `no embedding of the query, so ${instead} (${error.code}: ${error.message})`;
      return { vector: null, warnings: [warning], milliseconds: spent() };
    }
  }

  #answer(
    query: string,
    ranking: Ranking,
    p: ResolvedParameters,
    state: State,
    warnings: string[],
    given?: number,
  ): Answered {
    const { engine, database, canon } = this.#parts;
    const { root } = state;
    const metadataRoot = p.filters?.usesMetadata === true ? state.metadataRoot : null;
    const digest = canonDigest(engine, canon);
    const binding = toHex(
      blake3(engine, utf8([digest, root, metadataRoot ?? "", parametersKey(p), query].join("\n"))),
    );
    const from = given ?? (p.cursor === null ? 0 : readCursor(p.cursor, binding));
    const to = from + (p.pageSize ?? p.topK);
    const page = ranking.results.slice(from, to);
    return {
      query,
      mode: p.mode,
      results: resultsOf(database, ranking, page, p.mode),
      nextCursor: p.pageSize !== null && to < ranking.results.length ? makeCursor(to, binding) : null,
      warnings,
      receipt: makeReceipt(engine, {
        canon: digest,
        root,
        metadataRoot,
        query,
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
