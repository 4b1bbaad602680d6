import { fromHex, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import type { SegmentedIndex } from "../vectors/segmented-index.ts";
import type { SparseHit, SparseSearch } from "../vectors/sparse-index.ts";
import type { Hit } from "../vectors/vector-index.ts";
import {
  candidateChunks,
  excludedAmong,
  fillCandidates,
  fillExcluded,
  fillPhrased,
  passingAmong,
  type Restrictions,
} from "./candidates.ts";
import { type Content, contentsOf } from "./chunk-contents.ts";
import { type Place, placesOfIds } from "./chunk-places.ts";
import { dotProduct } from "./closeness.ts";
import type { WholeWords } from "./counted-scores.ts";
import type { CompiledFilters } from "./filters.ts";
import { simHashesOf } from "./fold-duplicates.ts";
import type {
  ChannelLists,
  ChunkName,
  ListsQuestion,
  NearestQuestion,
  SearchGround,
  SemanticHit,
  SparseQuestion,
  Stopwatch,
} from "./ground.ts";
import { lexicalChannel } from "./lexical.ts";
import { type NearWords, wordsNear, wordsOccur } from "./near-words.ts";
import { ownTerms } from "./sparse-query.ts";

/** What a library is searched with. */
export interface LocalParts {
  readonly database: Database;
  /** In step with the database; null if no vectors are needed. */
  readonly index: SegmentedIndex | null;
  /** The sparse vectors, in step with the database; null if that channel is not searched. */
  readonly sparse: SparseSearch | null;
}

/** What all parts of a library know together, for a search of one of them. SPEC §29.5, §29.6 */
export interface WholeCounts {
  readonly words: WholeWords;
  /** The number of chunks that the query excludes. */
  readonly excluded: number;
  readonly sparse: Pick<SparseSearch, "size" | "having">;
  /** The number of segments. SPEC §10.11 */
  readonly segments: number;
}

/** One library, which answers at once. Everything happens in one snapshot of its database. */
export class LocalGround implements SearchGround {
  readonly #database: Database;
  readonly #index: SegmentedIndex | null;
  readonly #sparse: SparseSearch | null;
  readonly #stopwatch: Stopwatch;
  readonly #whole: WholeCounts | null;

  /** @param whole null if the library is no part of another */
  constructor(
    { database, index, sparse }: LocalParts,
    stopwatch: Stopwatch,
    whole: WholeCounts | null = null,
  ) {
    this.#database = database;
    this.#index = index;
    this.#sparse = sparse;
    this.#stopwatch = stopwatch;
    this.#whole = whole;
  }

  occurring(words: readonly string[]): boolean[] {
    return wordsOccur(this.#database, words);
  }

  nearWords(words: readonly string[]): NearWords[] {
    return wordsNear(this.#database, words);
  }

  lists(question: ListsQuestion): ChannelLists {
    const { query, filters, lexical, semantic, sparse } = question;
    const hasCandidates = filters !== null && fillCandidates(this.#database, filters);
    const byWords = lexical && this.#timed("lexical", () => this.#lexical(query, lexical, hasCandidates));
    const restrictions = this.#restrict(question, hasCandidates);
    const near = semantic && this.#timed("semantic", () => this.#semantic(semantic, restrictions));
    const bySparse = sparse && this.#timed("sparse", () => this.#sparseList(sparse, restrictions));
    return { lexical: byWords ?? [], semantic: near ?? [], sparse: bySparse ?? [] };
  }

  places(chunkIds: readonly string[]): Place[] {
    const places = placesOfIds(this.#database, chunkIds);
    if (places.length === chunkIds.length) return places;
    const found = new Set(places.map(({ chunkId }) => chunkId));
    const missing = chunkIds.find((id) => !found.has(id));
    if (missing === undefined) return places; // an id stood there twice
    throw missingRow(this.#database, `the chunk ${missing}`);
  }

  passing(documentIds: readonly string[], filters: CompiledFilters): Set<string> {
    return passingAmong(this.#database, documentIds, filters);
  }

  simHashes(chunks: readonly ChunkName[]): Map<string, Uint8Array> {
    return simHashesOf(this.#database, idsOf(chunks));
  }

  vectors(chunks: readonly ChunkName[]): Map<string, Int16Array> {
    const vectors = this.#index?.vectors(chunks.map(({ chunkId }) => fromHex(chunkId))) ?? [];
    return new Map(
      chunks.flatMap(({ chunkId }, i) => (vectors[i] === undefined ? [] : [[chunkId, vectors[i]] as const])),
    );
  }

  dots(chunks: readonly ChunkName[], vector: Int16Array): Map<string, number> {
    const vectors = this.vectors(chunks);
    return new Map(Array.from(vectors, ([id, own]) => [id, dotProduct(own, vector)]));
  }

  contents(chunks: readonly ChunkName[]): Map<string, Content> {
    return contentsOf(this.#database, idsOf(chunks));
  }

  #timed<T>(channel: "lexical" | "semantic" | "sparse", work: () => T): T {
    const stop = this.#stopwatch(channel);
    const result = work();
    stop();
    return result;
  }

  #lexical(
    query: ListsQuestion["query"],
    { k, scoring }: NonNullable<ListsQuestion["lexical"]>,
    hasCandidates: boolean,
  ) {
    return lexicalChannel(this.#database, query, k, hasCandidates, scoring, this.#whole?.words);
  }

  /** Fills the tables of the chunks that vectors may find, where they are needed. SPEC §20.4 */
  #restrict(question: ListsQuestion, hasCandidates: boolean): Restrictions {
    const { query, bindsPhrases, semantic, sparse } = question;
    const isNeeded = semantic !== null || sparse !== null;
    const own = isNeeded ? fillExcluded(this.#database, query.excluded) : 0;
    const hasPhrases = isNeeded && bindsPhrases && query.phrases.length > 0;
    if (hasPhrases) fillPhrased(this.#database, query.phrases);
    // Where a part excludes nothing and another one does, both are scanned, as the whole is.
    return { hasCandidates, hasPhrases, hasExcluded: isNeeded && (this.#whole?.excluded ?? own) > 0 };
  }

  /** The semantic channel: chunks ordered by (dot descending, id). SPEC §20.4 */
  #semantic(
    { vector, k, ef, allowsGraph }: NearestQuestion,
    restrictions: Restrictions,
  ): readonly SemanticHit[] {
    const index = this.#index;
    if (index === null || index.size === 0) return [];
    const hits = isPart(restrictions)
      ? index.exact(vector, { k, candidates: candidateChunks(this.#database, restrictions) })
      : restrictions.hasExcluded
        ? this.#notExcluded(
            k,
            ({ id }: Hit) => id,
            (asked) => index.exact(vector, { k: asked }),
          )
        : allowsGraph && index.answersByGraph
          ? index.search(vector, { k, ef, segments: this.#whole?.segments })
          : index.exact(vector, { k });
    return hits.map(({ id, dot }) => ({ id: toHex(id), dot }));
  }

  /** The sparse channel: chunks ordered by (score descending, id). SPEC §24.2 */
  #sparseList({ terms, tokens, k }: SparseQuestion, restrictions: Restrictions): readonly SparseHit[] {
    const index = this.#sparse;
    if (index === null) return [];
    const query = terms ?? ownTerms(tokens, this.#whole?.sparse ?? index);
    if (isPart(restrictions)) return index.search(query, k, candidateChunks(this.#database, restrictions));
    if (!restrictions.hasExcluded) return index.search(query, k);
    return this.#notExcluded(
      k,
      ({ id }: SparseHit) => fromHex(id),
      (asked) => index.search(query, asked),
    );
  }

  /** Returns the first k hits that are not excluded. It fetches more and more hits until k are left. */
  #notExcluded<H>(k: number, idOf: (hit: H) => Uint8Array, find: (asked: number) => H[]): H[] {
    for (let asked = 2 * k; ; asked *= 4) {
      const hits = find(asked);
      const excluded = excludedAmong(this.#database, hits.map(idOf));
      const kept = hits.filter((hit) => !excluded.has(toHex(idOf(hit))));
      if (kept.length >= k || hits.length < asked) return kept.slice(0, k);
    }
  }
}

function idsOf(chunks: readonly ChunkName[]): string[] {
  return chunks.map(({ chunkId }) => chunkId);
}

/** Returns whether only some chunks may be found; excluded ones alone are few. */
function isPart({ hasCandidates, hasPhrases }: Restrictions): boolean {
  return hasCandidates || hasPhrases;
}
