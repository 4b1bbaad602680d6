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
import { canonDigest } from "./canon.ts";
import type { LibraryParts } from "./library.ts";

/** Another process that writes without pause could keep a search waiting; after this many tries it says so. */
const TRIES_MAX = 8;

type Answered = Omit<SearchAnswer, "timings" | "explanation">;

/** Searches of one library: parses, embeds, ranks on one state of the database, and keeps answers for a while. */
export class Searcher {
  readonly #parts: LibraryParts;
  readonly #cache = new AnswerCache<{ readonly answered: Answered; readonly ranking: Ranking }>();

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** @param from where the page begins, for `rerun`; a cursor says so otherwise */
  async search(query: string, given: SearchParameters, from?: number): Promise<SearchAnswer> {
    if (typeof query !== "string") {
      throw new SelfsameError("BAD_ARGUMENT", `expected the query to be a string, got ${typeof query}`);
    }
    const started = performance.now();
    const { engine, database, ingest, semantic } = this.#parts;
    const p = resolveParameters(engine, given);
    const text = canonicalText(engine, query).slice(0, -1); // without the line feed at its end
    const parsed = parseQuery(engine, text);
    const { vector, warnings } = await this.#embed(parsed, p);
    const embedded = performance.now();
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const root = this.#root();
      const index = await semantic.current(root);
      const found = database.snapshot(() => {
        ingest.checkCanon();
        // Another process has written since: the index must catch up first. Its own root is asked too, as the library may
        // have been changed and changed back while the index was made.
        if (this.#root() !== root || semantic.root !== root) return null;
        const key = `${root} ${this.#metadataRoot()} ${parametersKey(p)} ${p.cursor} ${from} ${text}`;
        const known = this.#cache.get(key);
        if (known !== undefined) return known;
        const ground = { engine, database, index, answersByGraph: semantic.answersByGraph(index) };
        const ranking = rank(ground, parsed, vector, p);
        const made = { answered: this.#answer(text, ranking, p, root, warnings, from), ranking };
        if (warnings.length === 0) this.#cache.set(key, made);
        return made;
      });
      if (found === null) continue;
      const now = performance.now();
      return {
        ...found.answered,
        ...(p.explain ? { explanation: explain(found.ranking, p) } : {}),
        timings: { embedding: embedded - started, ranking: now - embedded, total: now - started },
      };
    }
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected a moment without a write, got ${TRIES_MAX} writes during one search`,
      "Search again",
    );
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
    return (await this.search(query, given, typeof from === "number" ? from : 0)).receipt;
  }

  /** The query's vector, or a warning: without one, words alone are searched. */
  async #embed(
    { semanticText }: ParsedQuery,
    { mode, lambda }: ResolvedParameters,
  ): Promise<{ vector: Int16Array | null; warnings: string[] }> {
    const needsVector = mode !== "lexical" || lambda !== null; // diversity too is by meaning
    if (!needsVector || semanticText === "") return { vector: null, warnings: [] };
    try {
      return { vector: await this.#parts.embedder.embed(semanticText), warnings: [] };
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
      const instead = {
        hybrid: "only words were searched",
        semantic: "nothing was searched",
        lexical: "results were not diversified",
      }[mode];
      return {
        vector: null,
        warnings: [`no embedding of the query, so ${instead} (${error.code}: ${error.message})`],
      };
    }
  }

  #answer(
    query: string,
    ranking: Ranking,
    p: ResolvedParameters,
    root: string,
    warnings: string[],
    given?: number,
  ): Answered {
    const { engine, database, canon } = this.#parts;
    const usesMetadata = p.filters?.usesMetadata === true;
    const metadataRoot = usesMetadata ? this.#metadataRoot() : null;
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

  #root(): string {
    return toHex(this.#parts.ingest.trees.text.root());
  }

  #metadataRoot(): string {
    return toHex(this.#parts.ingest.trees.metadata.root());
  }
}
