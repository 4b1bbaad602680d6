import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
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
  passingDocuments,
  type Restrictions,
} from "./candidates.ts";
import { type Place, placesOfIds } from "./chunk-places.ts";
import { dotProduct, reaches } from "./closeness.ts";
import { diversify } from "./diversify.ts";
import { foldDuplicates } from "./fold-duplicates.ts";
import { type Fused, fuse, groupRanks } from "./fuse.ts";
import { type LexicalHit, lexicalChannel, lexicalQuestion } from "./lexical.ts";
import type { ResolvedParameters } from "./parameters.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { inResultOrder, type Placed } from "./result-order.ts";
import { ownTerms } from "./sparse-query.ts";
import { type Correction, spell } from "./spelling.ts";

/** The input of the pipeline: one state of the library. */
export interface SearchGround {
  readonly engine: Engine;
  readonly database: Database;
  /** In step with the database; null if no vectors are needed. */
  readonly index: SegmentedIndex | null;
  /** The sparse vectors, in step with the database, and the query's own tokens; null if that channel is not searched. */
  readonly sparse: { readonly index: SparseSearch; readonly tokens: readonly string[] } | null;
  /** Runs the work and records how long it took. The time decides nothing. */
  readonly timed: <T>(stage: RankingStage, work: () => T) => T;
}

/** The steps of a ranking that are timed. */
export type RankingStage = "semantic" | "lexical" | "sparse" | "fusion" | "diversity";

export interface SemanticHit {
  readonly id: string;
  readonly dot: number;
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
 * Runs the pipeline: candidates → channels → fusion → order → filter → folding → diversity. Everything here is a function of the
 * set of documents, the canon, the query and the parameters. SPEC §20
 */
export function rank(
  ground: SearchGround,
  asked: ParsedQuery,
  vector: Int16Array | null,
  p: ResolvedParameters,
): Ranking {
  const { engine, database } = ground;
  const isPre = p.filters !== null && p.filterMode === "pre";
  const hasCandidates = isPre && fillCandidates(database, p.filters!);
  const { terms, corrections } =
    p.spelling && (p.mode !== "semantic" || p.explain)
      ? spell(database, asked.terms, asked.phrases)
      : { terms: asked.terms, corrections: [] };
  const query = { ...asked, terms };
  const {
    hits: lexical,
    match,
    items,
  } = p.mode === "semantic"
    ? {
        hits: [],
        ...(p.explain ? lexicalQuestion(query) : { match: null, items: [] }),
      }
    : ground.timed("lexical", () =>
        lexicalChannel(database, query, p.lexicalK, hasCandidates, p.bm25Scoring),
      );
  const usesVector = p.mode !== "lexical" && vector !== null;
  const restrictions = restrict(ground, query, p, hasCandidates, usesVector);
  const nearest = usesVector
    ? ground.timed("semantic", () => semanticChannel(ground, vector, p, restrictions))
    : [];
  const semantic = similarEnough(nearest, lexical, p.minSimilarity);
  const sparse =
    ground.sparse === null ? null : ground.timed("sparse", () => sparseChannel(ground, p, restrictions));
  const lists = [
    { ids: semantic.map(({ id }) => id), weight: p.semanticWeight },
    { ids: lexical.map(({ chunkId }) => chunkId), weight: p.lexicalWeight },
    ...(sparse === null ? [] : [{ ids: sparse.map(({ id }) => id), weight: p.sparseWeight }]),
  ];
  let results = ground.timed("fusion", () => {
    const chunks = placeChunks(ground, lists, lexical, p);
    return p.groupBy === "path" ? groupByPath(engine, lists, chunks, p) : chunks;
  });
  if (p.filters !== null && p.filterMode === "post") {
    const passing = new Set(passingDocuments(database, p.filters).map(toHex));
    results = results.filter(({ documentId }) => passing.has(documentId));
  }
  if (p.nearDuplicates > 0)
    results = foldDuplicates(database, results, p.nearDuplicates).map(({ kept, duplicates }) => ({
      ...kept,
      duplicates,
    }));
  const { lambda } = p;
  if (lambda !== null && vector !== null)
    results = ground.timed("diversity", () => unlikeEachOther(ground, results, vector, lambda));
  const dots = vector === null ? new Map() : dotsOf(ground, results, semantic, vector);
  return { semantic, lexical, sparse, match, items, corrections, results, dots };
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
function dotsOf(
  { index }: SearchGround,
  results: readonly Ranked[],
  semantic: readonly SemanticHit[],
  vector: Int16Array,
): Map<string, number> {
  const dots = new Map(semantic.map(({ id, dot }) => [id, dot]));
  for (const { chunkId } of results) {
    if (dots.has(chunkId)) continue;
    const own = index?.vector(fromHex(chunkId));
    if (own) dots.set(chunkId, dotProduct(own, vector));
  }
  return dots;
}

/** Fills the tables of the chunks that vectors may find, where they are needed. SPEC §20.4 */
function restrict(
  { database, sparse }: SearchGround,
  query: ParsedQuery,
  p: ResolvedParameters,
  hasCandidates: boolean,
  usesVector: boolean,
): Restrictions {
  const isNeeded = usesVector || sparse !== null;
  const hasExcluded = isNeeded && fillExcluded(database, query.excluded) > 0;
  const hasPhrases = isNeeded && p.bindPhrases && query.phrases.length > 0;
  if (hasPhrases) fillPhrased(database, query.phrases);
  return { hasCandidates, hasPhrases, hasExcluded };
}

/** Returns whether only some chunks may be found; excluded ones alone are few. */
function isPart({ hasCandidates, hasPhrases }: Restrictions): boolean {
  return hasCandidates || hasPhrases;
}

/** The semantic channel: chunks ordered by (dot descending, id). SPEC §20.4 */
function semanticChannel(
  { database, index }: SearchGround,
  vector: Int16Array,
  p: ResolvedParameters,
  restrictions: Restrictions,
): SemanticHit[] {
  if (index === null || index.size === 0) return [];
  const k = p.semanticK;
  const byGraph = index.answersByGraph && !p.exact && (p.filters === null || p.filterMode === "post");
  const hits = isPart(restrictions)
    ? index.exact(vector, { k, candidates: candidateChunks(database, restrictions) })
    : restrictions.hasExcluded
      ? notExcluded(
          database,
          k,
          ({ id }: Hit) => id,
          (asked) => index.exact(vector, { k: asked }),
        )
      : byGraph
        ? index.search(vector, { k, ef: p.ef })
        : index.exact(vector, { k });
  return hits.map(({ id, dot }) => ({ id: toHex(id), dot }));
}

/** The sparse channel: chunks ordered by (score descending, id). SPEC §24.2 */
function sparseChannel(
  { database, sparse }: SearchGround,
  p: ResolvedParameters,
  restrictions: Restrictions,
): readonly SparseHit[] {
  const { index, tokens } = sparse!;
  const query = p.sparse ?? ownTerms(tokens, index);
  const k = p.sparseK;
  if (isPart(restrictions)) return index.search(query, k, candidateChunks(database, restrictions));
  if (!restrictions.hasExcluded) return index.search(query, k);
  return notExcluded(
    database,
    k,
    ({ id }: SparseHit) => fromHex(id),
    (asked) => index.search(query, asked),
  );
}

/** Returns the first k hits that are not excluded. It fetches more and more hits until k are left. */
function notExcluded<H>(
  database: Database,
  k: number,
  idOf: (hit: H) => Uint8Array,
  find: (asked: number) => H[],
): H[] {
  for (let asked = 2 * k; ; asked *= 4) {
    const hits = find(asked);
    const excluded = excludedAmong(database, hits.map(idOf));
    const kept = hits.filter((hit) => !excluded.has(toHex(idOf(hit))));
    if (kept.length >= k || hits.length < asked) return kept.slice(0, k);
  }
}

type Lists = readonly { readonly ids: readonly string[]; readonly weight: number }[];

/** Returns all ids of the lists, fused and in order. */
function placeChunks(
  { database, engine }: SearchGround,
  lists: Lists,
  known: readonly Place[],
  p: ResolvedParameters,
): Ranked[] {
  const places = new Map(known.map((place) => [place.chunkId, place]));
  const others = lists.flatMap(({ ids }) => ids.filter((id) => !places.has(id)));
  for (const place of placesOfIds(database, others)) places.set(place.chunkId, place);
  const placed = fuse(engine, lists, p.rrfK).map(({ id, score, ranks, channels }) => {
    const place = places.get(id);
    if (place === undefined) throw missingRow(database, `the chunk ${id}`);
    const { chunk, chunkId, documentId, path, sequence } = place;
    return { chunk, chunkId, documentId, path, sequence, score, ranks, channels };
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
function unlikeEachOther(
  { engine, index }: SearchGround,
  results: readonly Ranked[],
  vector: Int16Array,
  lambda: number,
): Ranked[] {
  const none = new Int16Array(vector.length);
  const vectors = results.map(({ chunkId }) => index?.vector(fromHex(chunkId)) ?? none);
  return diversify(engine, vectors, vector, lambda / 1000, results.length).map((i) => results[i]!);
}
