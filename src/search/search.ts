import type { Engine } from "../engine/engine.ts";
import type { SparseHit } from "../vectors/sparse-index.ts";
import type { Place } from "./chunk-places.ts";
import { reaches } from "./closeness.ts";
import { diversify } from "./diversify.ts";
import { foldDuplicates } from "./fold-duplicates.ts";
import { type Fused, fuse, groupRanks } from "./fuse.ts";
import { ask, type ListsQuestion, type SearchPipeline, type SemanticHit, type Stopwatch } from "./ground.ts";
import { type LexicalHit, type LexicalQuestion, lexicalQuestion } from "./lexical.ts";
import type { ResolvedParameters } from "./parameters.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { inResultOrder, type Placed } from "./result-order.ts";
import { type Correction, spell } from "./spelling.ts";

/** What is searched for. */
export interface RankedQuery {
  readonly parsed: ParsedQuery;
  /** The query's vector; null if it has none, or none is needed. */
  readonly vector: Int16Array | null;
  /** The query's own tokens, none if it came with terms; null if the sparse channel is not searched. */
  readonly tokens: readonly string[] | null;
  readonly p: ResolvedParameters;
}

/** A result before display fields are added. */
export interface Ranked extends Placed, Place, Omit<Fused, "id" | "score" | "channels"> {
  /** The ids of results that were folded into this one; absent if nothing was to be folded. */
  readonly duplicates?: readonly string[];
}

/** Everything that a search computed, in order. */
export interface Ranking {
  readonly semantic: readonly SemanticHit[];
  readonly lexical: readonly LexicalHit[];
  /** null if the sparse channel was not searched. */
  readonly sparse: readonly SparseHit[] | null;
  /** The MATCH expression; null if the lexical channel was not requested, or the query has no words. */
  readonly match: string | null;
  /** The phrases and terms in the expression. */
  readonly items: readonly string[];
  /** The words that were replaced. */
  readonly corrections: readonly Correction[];
  /** The whole fused list, filtered, folded, then diversified; pages are slices of it. */
  readonly results: readonly Ranked[];
  /** The dot products of the query and each result that has a vector; empty if the query has none. SPEC §16.5 */
  readonly dots: ReadonlyMap<string, number>;
}

/**
 * The pipeline: spelling → channels → fusion → order → filter → folding → diversity. Everything here is a function of the
 * set of documents, the canon, the query and the parameters. SPEC §20
 */
export function* rank(
  engine: Engine,
  { parsed, vector, tokens, p }: RankedQuery,
  stopwatch: Stopwatch,
): SearchPipeline<Ranking> {
  const { terms, corrections } =
    p.spelling && (p.mode !== "semantic" || p.explain)
      ? yield* spell(parsed.terms, parsed.phrases, listsQuestion({ parsed, vector, tokens, p }))
      : { terms: parsed.terms, corrections: [] };
  const query = { ...parsed, terms };
  const isLexical = p.mode !== "semantic";
  const { match, items }: LexicalQuestion =
    isLexical || p.explain ? lexicalQuestion(query) : { match: null, items: [] };
  const lists = yield* ask("lists", listsQuestion({ parsed: query, vector, tokens, p }));
  const { lexical } = lists;
  const semantic = similarEnough(lists.semantic, lexical, p.minSimilarity);
  const sparse = tokens === null ? null : lists.sparse;
  const channels = [
    { ids: semantic.map(({ id }) => id), weight: p.semanticWeight },
    { ids: lexical.map(({ chunkId }) => chunkId), weight: p.lexicalWeight },
    ...(sparse === null ? [] : [{ ids: sparse.map(({ id }) => id), weight: p.sparseWeight }]),
  ];
  const stop = stopwatch("fusion");
  const chunks = yield* placeChunks(engine, channels, lexical, p);
  let results = p.groupBy === "path" ? groupByPath(engine, channels, chunks, p) : chunks;
  stop();
  if (p.filters !== null && p.filterMode === "post") {
    const documents = [...new Set(results.map(({ documentId }) => documentId))];
    const passing = yield* ask("passing", documents, p.filters);
    results = results.filter(({ documentId }) => passing.has(documentId));
  }
  if (p.nearDuplicates > 0) {
    const hashes = yield* ask("simHashes", results);
    results = foldDuplicates(results, hashes, p.nearDuplicates).map(({ kept, duplicates }) => ({
      ...kept,
      duplicates,
    }));
  }
  if (p.lambda !== null && vector !== null) {
    const stopDiversity = stopwatch("diversity");
    results = yield* unlikeEachOther(engine, results, vector, p.lambda);
    stopDiversity();
  }
  const dots = vector === null ? new Map() : yield* dotsOf(results, semantic, vector);
  return { semantic, lexical, sparse, match, items, corrections, results, dots };
}

/** Returns what the channels are asked that the parameters name. SPEC §20.3, §20.4, §24.2 */
function listsQuestion({ parsed, vector, tokens, p }: RankedQuery): ListsQuestion {
  const isPre = p.filters !== null && p.filterMode === "pre";
  const { phrases, terms, excluded } = parsed;
  return {
    query: { phrases, terms, excluded },
    bindsPhrases: p.bindPhrases,
    filters: isPre ? p.filters : null,
    lexical: p.mode === "semantic" ? null : { k: p.lexicalK, scoring: p.bm25Scoring },
    semantic:
      p.mode === "lexical" || vector === null
        ? null
        : { vector, k: p.semanticK, ef: p.ef, allowsGraph: !p.exact && !isPre },
    sparse: tokens === null ? null : { terms: p.sparse, tokens, k: p.sparseK },
  };
}

/** Leaves out hits that are less similar than the minimum, unless words found them, too. SPEC §16.5 */
function similarEnough(
  hits: readonly SemanticHit[],
  lexical: readonly LexicalHit[],
  minSimilarity: number | null,
): readonly SemanticHit[] {
  if (minSimilarity === null) return hits;
  const found = new Set(lexical.map(({ chunkId }) => chunkId));
  return hits.filter(({ id, dot }) => reaches(dot, minSimilarity) || found.has(id));
}

/** Results that only words found have a dot product as well. */
function* dotsOf(
  results: readonly Ranked[],
  semantic: readonly SemanticHit[],
  vector: Int16Array,
): SearchPipeline<Map<string, number>> {
  const dots = new Map(semantic.map(({ id, dot }) => [id, dot]));
  const others = results.filter(({ chunkId }) => !dots.has(chunkId));
  if (others.length === 0) return dots;
  for (const [id, dot] of yield* ask("dots", others, vector)) dots.set(id, dot);
  return dots;
}

type Lists = readonly { readonly ids: readonly string[]; readonly weight: number }[];

/** Returns all ids of the lists, fused and in order. */
function* placeChunks(
  engine: Engine,
  lists: Lists,
  known: readonly Place[],
  p: ResolvedParameters,
): SearchPipeline<Ranked[]> {
  const places = new Map(known.map((place) => [place.chunkId, place]));
  const others = new Set(lists.flatMap(({ ids }) => ids.filter((id) => !places.has(id))));
  if (others.size > 0)
    for (const place of yield* ask("places", [...others])) places.set(place.chunkId, place);
  const placed = fuse(engine, lists, p.rrfK).map(({ id, score, ranks, channels }) => {
    const { chunkId, documentId, path, sequence } = places.get(id)!;
    return { chunkId, documentId, path, sequence, score, ranks, channels };
  });
  return inResultOrder(placed, isSingle(lists), p.preferCoverage);
}

/**
 * Fuses documents by the ranks of their best chunks. Each document is represented by the chunk that came first.
 * SPEC §16.1
 */
function groupByPath(
  engine: Engine,
  lists: Lists,
  chunks: readonly Ranked[],
  p: ResolvedParameters,
): Ranked[] {
  const documentOf = new Map(chunks.map(({ chunkId, documentId }) => [chunkId, documentId]));
  const first = new Map<string, Ranked>();
  for (const chunk of chunks) if (!first.has(chunk.documentId)) first.set(chunk.documentId, chunk);
  const grouped = lists.map(({ ids, weight }) => ({
    ids: groupRanks(ids, (id) => documentOf.get(id)!),
    weight,
  }));
  const placed = fuse(engine, grouped, p.rrfK).map(({ id, ...fused }) => ({ ...first.get(id)!, ...fused }));
  return inResultOrder(placed, isSingle(lists), p.preferCoverage);
}

function isSingle(lists: Lists): boolean {
  return lists.filter(({ ids }) => ids.length > 0).length <= 1;
}

/** SPEC §16.3 */
function* unlikeEachOther(
  engine: Engine,
  results: readonly Ranked[],
  vector: Int16Array,
  lambda: number,
): SearchPipeline<Ranked[]> {
  const known = yield* ask("vectors", results);
  const none = new Int16Array(vector.length);
  const vectors = results.map(({ chunkId }) => known.get(chunkId) ?? none);
  return diversify(engine, vectors, vector, lambda / 1000, results.length).map((i) => results[i]!);
}
