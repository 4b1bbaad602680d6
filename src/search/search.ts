import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import type { Hit, VectorIndex } from "../vectors/vector-index.ts";
import {
  candidateChunks,
  excludedAmong,
  fillCandidates,
  fillExcluded,
  passingDocuments,
} from "./candidates.ts";
import { diversify } from "./diversify.ts";
import { type Fused, fuse, groupRanks } from "./fuse.ts";
import { type LexicalHit, lexicalChannel, lexicalQuestion } from "./lexical.ts";
import { inResultOrder, type Placed } from "./order.ts";
import type { ResolvedParameters } from "./parameters.ts";
import type { ParsedQuery } from "./parse.ts";
import { type Place, placesOfIds } from "./places.ts";

/** What the pipeline works on: one state of the library. */
export interface SearchGround {
  readonly engine: Engine;
  readonly database: Database;
  /** In step with the database; null where nothing asks for vectors. */
  readonly index: VectorIndex | null;
  readonly answersByGraph: boolean;
  readonly totalChunks: number;
  /** Does the work and notes how long it took, which decides nothing. */
  readonly timed: <T>(channel: "semantic" | "lexical", work: () => T) => T;
}

export interface SemanticHit {
  readonly id: string;
  readonly dot: number;
}

/** A result before it is dressed for people. */
export interface Ranked extends Placed, Place, Omit<Fused, "id" | "score" | "channels"> {}

/** All that a search found out, in order. */
export interface Ranking {
  readonly semantic: readonly SemanticHit[];
  readonly lexical: readonly LexicalHit[];
  /** The MATCH expression; null where words were not asked for, or the query has none. */
  readonly match: string | null;
  /** The phrases and terms in it. */
  readonly items: readonly string[];
  /** The whole fused list, filtered, then diversified; pages walk it. */
  readonly results: readonly Ranked[];
}

/**
 * The pipeline: candidates → channels → fusion → order → filter → diversity. Everything here is a function of the set of
 * documents, the canon, the query and the parameters. SPEC §20
 */
export function rank(
  ground: SearchGround,
  query: ParsedQuery,
  vector: Int16Array | null,
  p: ResolvedParameters,
): Ranking {
  const { engine, database, totalChunks } = ground;
  const isPre = p.filters !== null && p.filterMode === "pre";
  const hasCandidates = isPre && fillCandidates(database, p.filters!);
  const {
    hits: lexical,
    match,
    items,
  } = p.mode === "semantic"
    ? {
        hits: [],
        ...(p.explain ? lexicalQuestion(database, query, totalChunks) : { match: null, items: [] }),
      }
    : ground.timed("lexical", () => lexicalChannel(database, query, p.lexicalK, hasCandidates, totalChunks));
  const semantic =
    p.mode === "lexical" || vector === null
      ? []
      : ground.timed("semantic", () => semanticChannel(ground, query, vector, p, hasCandidates));
  const lists = [
    { ids: semantic.map(({ id }) => id), weight: p.semanticWeight },
    { ids: lexical.map(({ chunkId }) => chunkId), weight: p.lexicalWeight },
  ];
  let results = placeChunks(ground, lists, lexical, p);
  if (p.groupBy === "path") results = groupByPath(engine, lists, results, p);
  if (p.filters !== null && p.filterMode === "post") {
    const passing = new Set(passingDocuments(database, p.filters).map(toHex));
    results = results.filter(({ documentId }) => passing.has(documentId));
  }
  if (p.lambda !== null && vector !== null) results = unlikeEachOther(ground, results, vector, p.lambda);
  return { semantic, lexical, match, items, results };
}

/** The channel of meaning: chunks by (dot descending, id). SPEC §20.4 */
function semanticChannel(
  { database, index, answersByGraph }: SearchGround,
  query: ParsedQuery,
  vector: Int16Array,
  p: ResolvedParameters,
  hasCandidates: boolean,
): SemanticHit[] {
  if (index === null || index.size === 0) return [];
  const hasExcluded = fillExcluded(database, query.excluded) > 0;
  const k = p.semanticK;
  const byGraph = answersByGraph && !p.exact && (p.filters === null || p.filterMode === "post");
  const hits = hasCandidates
    ? index.exact(vector, { k, candidates: candidateChunks(database, hasExcluded) })
    : hasExcluded
      ? exactNotExcluded(database, index, vector, k)
      : byGraph
        ? index.search(vector, { k, ef: p.ef })
        : index.exact(vector, { k });
  return hits.map(({ id, dot }) => ({ id: toHex(id), dot }));
}

/** The first k hits of those that are not excluded: of more and more hits, until so many are left. */
function exactNotExcluded(database: Database, index: VectorIndex, vector: Int16Array, k: number): Hit[] {
  for (let asked = 2 * k; ; asked *= 4) {
    const hits = index.exact(vector, { k: asked });
    const excluded = excludedAmong(
      database,
      hits.map(({ id }) => id),
    );
    const kept = hits.filter(({ id }) => !excluded.has(toHex(id)));
    if (kept.length >= k || hits.length < asked) return kept.slice(0, k);
  }
}

type Lists = readonly { readonly ids: readonly string[]; readonly weight: number }[];

/** All ids of the lists, fused and in order. */
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

/** Documents fused by their best chunks' ranks; each stands for itself with the chunk that was first. SPEC §16.1 */
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
