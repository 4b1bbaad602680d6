import { fromHex, toHex } from "../engine/digest.ts";
import { diversifyBy } from "../search/diversify.ts";
import { foldDuplicates, simHashesOf } from "../search/fold-duplicates.ts";
import { fuse } from "../search/fuse.ts";
import type { Database } from "../store/database.ts";
import type { SegmentedIndex } from "../vectors/segmented-index.ts";
import { SCALE } from "../vectors/vector.ts";
import type { Hit } from "../vectors/vector-index.ts";
import { type Candidate, Candidates, comparePlaces, firstByScore } from "./candidates.ts";
import {
  affectCompatibility,
  cosineFeature,
  focusFeature,
  lengthPenalty,
  mindAlignment,
  personalization,
  recency,
  sourcePrior,
} from "./features.ts";
import { type Focus, findFocus } from "./focus.ts";
import { graphStore, nearestChunks } from "./graph-store.ts";
import type { RecallGround, RecallQuestion } from "./ground.ts";
import type { Permitted } from "./permitted.ts";
import { type Features, scoreOf } from "./ranker.ts";
import type { RecallStage } from "./response.ts";
import { SOURCE_ORDER, type StoreCandidate } from "./stores.ts";
import { type WordAnswer, wordScores } from "./word-store.ts";

/** The constant of the fusion that gives the feature `rrf`. SPEC §26.7 */
const RRF_K = 60;

/** A candidate with its score. */
export interface RankedMemory extends Candidate {
  readonly source: string;
  readonly features: Features;
  readonly contributions: Features;
  readonly score: number;
  readonly duplicates: readonly string[];
}

export interface RecallRanking {
  /** How many chunks may be seen. */
  readonly seen: number;
  /** In their final order, at most `top_k`. */
  readonly results: readonly RankedMemory[];
  readonly stages: readonly RecallStage[];
  /** What was not done, and why. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Runs the pipeline: stores → fusion → features → ranker → folding → diversity. Everything here is a function of the
 * permitted documents, the canon and the question. SPEC §26
 */
export function recall(ground: RecallGround, question: RecallQuestion): RecallRanking {
  const { database, permitted } = ground;
  const { p } = question;
  const leftOut: string[] = [];
  const warnings: string[] = [];
  const stages: RecallStage[] = [];
  const candidates = new Candidates(database, permitted);
  const { lists, words } = askStores(ground, question, candidates, stages, leftOut);
  const focus = findFocus(ground, question);
  if (focus.warning !== null) warnings.push(focus.warning);
  const ranked = rankCandidates(ground, question, candidates, lists, words, focus);
  stages.push({ stage: "rank", candidates: ranked.length });
  const few = p.per_document === null ? ranked : fewOfEach(ranked, p.per_document);
  const distance = p.near_duplicates;
  const hashes =
    distance === 0
      ? new Map()
      : simHashesOf(
          database,
          few.map(({ chunkId }) => chunkId),
        );
  const folded = foldDuplicates(few, hashes, distance);
  stages.push({ stage: "fold", candidates: folded.length });
  const kept = folded.map(({ kept: each, duplicates }) => ({ ...each, duplicates }));
  const results = unlikeEachOther(ground, question, kept);
  stages.push({ stage: "mmr", candidates: results.length });
  return { seen: permitted.counted.totals.chunks, results, stages, leftOut, warnings };
}

type Lists = ReadonlyMap<string, readonly Candidate[]>;

const NO_WORDS: WordAnswer = { scores: new Map(), bm25Best: 0, excluded: new Set(), items: [] };

/** Asks each store for its candidates. SPEC §26.6 */
function askStores(
  ground: RecallGround,
  question: RecallQuestion,
  candidates: Candidates,
  stages: RecallStage[],
  leftOut: string[],
): { readonly lists: Lists; readonly words: WordAnswer } {
  const { engine, database, permitted, norms } = ground;
  const { parsed, stores, work, p } = question;
  const k = work.perResult * p.top_k;
  let words = NO_WORDS;
  // Words come first: what the query excludes, no store may return.
  if (ground.isLate()) leftOut.push("words: the deadline had passed");
  else words = wordScores(engine, database, parsed, permitted, norms);
  const near = nearOf(ground, question);
  const isSeen = ({ chunk }: Candidate) => !words.excluded.has(chunk);
  const ask = (store: string): readonly Candidate[] => {
    const byScore = (pick: "bm25" | "tfidf") =>
      firstByScore(
        candidates,
        Array.from(words.scores.values(), (each) => ({ chunk: each.chunk, score: each[pick] })).filter(
          ({ score }) => score > 0,
        ),
        k,
      );
    switch (store) {
      case "fts":
        return byScore("bm25");
      case "tfidf":
        return byScore("tfidf");
      case "vector":
        return near === null ? [] : vectorStore(near, permitted, candidates, isSeen, k);
      case "kg": {
        const ids = graphStore(database, parsed.semanticText, permitted, near, work.hops, k);
        return candidates.byIds(ids).filter(isSeen);
      }
      default:
        return outsideStore(database, question.outside.get(store) ?? [], candidates, near).filter(isSeen);
    }
  };
  const lists = new Map<string, readonly Candidate[]>();
  for (const store of stores) {
    if (ground.isLate()) {
      leftOut.push(`${store}: the deadline had passed`);
      continue;
    }
    const found = ask(store);
    lists.set(store, found);
    stages.push({ stage: store, candidates: found.length });
  }
  return { lists, words };
}

interface Near {
  readonly index: SegmentedIndex;
  readonly vector: Int16Array;
}

function nearOf({ index }: RecallGround, { vector, stores }: RecallQuestion): Near | null {
  return index === null || vector === null || !stores.includes("vector") ? null : { index, vector };
}

/**
 * The exact scan of the permitted chunks. The graph of a large library is not used: what it finds depends on all
 * vectors, also on those of forbidden documents. SPEC §26.6
 */
function vectorStore(
  { index, vector }: Near,
  { chunkIds }: Permitted,
  candidates: Candidates,
  isSeen: (candidate: Candidate) => boolean,
  k: number,
): Candidate[] {
  for (let asked = k; ; asked *= 4) {
    const hits: readonly Hit[] = index.exact(vector, {
      k: asked,
      ...(chunkIds === null ? {} : { candidates: chunkIds }),
    });
    const seen = candidates.byIds(hits.map(({ id }) => toHex(id))).filter(isSeen);
    if (seen.length >= k || hits.length < asked) return seen.slice(0, k);
  }
}

/** The candidates of an application's store. Of a document, the chunk nearest to the query is taken. SPEC §26.6 */
function outsideStore(
  database: Database,
  found: readonly StoreCandidate[],
  candidates: Candidates,
  near: Near | null,
): Candidate[] {
  const paths = found.flatMap((each) => ("doc_id" in each ? [each.doc_id] : []));
  const documents = paths.flatMap((path) => {
    const row = database.get<{ documentId: Uint8Array }>("SELECT documentId FROM documents WHERE path = ?", [
      path,
    ]);
    return row === undefined ? [] : [{ id: row.documentId, path }];
  });
  const nearest = nearestChunks(database, documents, near);
  const chunkOf = new Map(documents.map(({ id, path }) => [path, nearest.get(toHex(id))?.chunkId]));
  const ids = found.flatMap((each) =>
    "doc_id" in each ? (chunkOf.get(each.doc_id) ?? []) : [each.chunk_id],
  );
  return candidates.byIds([...new Set(ids)]);
}

/** Computes features and scores, and puts candidates into the ranker's order. SPEC §26.7, §26.8 */
function rankCandidates(
  ground: RecallGround,
  question: RecallQuestion,
  candidates: Candidates,
  lists: Lists,
  words: WordAnswer,
  focus: Focus,
): RankedMemory[] {
  const { engine } = ground;
  const { p, now, weights } = question;
  const fused = fuse(
    engine,
    Array.from(lists.values(), (list) => ({ ids: list.map(({ chunkId }) => chunkId), weight: 1 })),
    RRF_K,
  );
  const names = [...lists.keys()];
  const near = nearOf(ground, question);
  const vectors = near?.index.vectors(fused.map(({ id }) => fromHex(id)));
  const ranked = fused.map(({ id, score: rrf, ranks }, i) => {
    const candidate = candidates.byIds([id])[0]!;
    const { chunk, documentId, tokens, metadata, time } = candidate;
    const source = sourceOf(names, ranks);
    const own = vectors?.[i];
    const word = words.scores.get(chunk);
    const features: Features = {
      bm25: word === undefined ? 0 : Math.fround(word.bm25 / words.bm25Best),
      tfidf_cosine: word?.tfidf ?? 0,
      cosine: own === undefined ? 0 : cosineFeature(dot(own, near!.vector)),
      recency: recency(engine, now, time),
      personalization: personalization(metadata, p.person_id),
      affect_compat: affectCompatibility(metadata, p.affect),
      tom_alignment: mindAlignment(metadata, p.tom),
      focus: focusFeature(
        own === undefined ? [] : focus.vectors.map((each) => dot(own, each)),
        focus.linked.has(documentId),
      ),
      length_penalty: lengthPenalty(tokens),
      source_prior: sourcePrior(source),
      rrf,
    };
    return { ...candidate, source, features, ...scoreOf(features, weights), duplicates: [] };
  });
  return ranked.sort((a, b) => b.score - a.score || comparePlaces(a, b));
}

/** Returns the first `most` chunks of each document, in their order. SPEC §26.9 */
function fewOfEach(ranked: readonly RankedMemory[], most: number): RankedMemory[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ documentId }) => {
    const before = taken.get(documentId) ?? 0;
    taken.set(documentId, before + 1);
    return before < most;
  });
}

/** The store that ranked a chunk best. SPEC §26.7 */
function sourceOf(names: readonly string[], ranks: readonly (number | null)[]): string {
  const place = (store: string) => {
    const known = (SOURCE_ORDER as readonly string[]).indexOf(store);
    return known < 0 ? SOURCE_ORDER.length : known;
  };
  const found = names.flatMap((store, i) => (ranks[i] === null ? [] : [{ store, rank: ranks[i]! }]));
  return found.sort((a, b) => a.rank - b.rank || place(a.store) - place(b.store))[0]!.store;
}

/** Maximal marginal relevance with the ranker's score as relevance. SPEC §26.9 */
function unlikeEachOther(
  ground: RecallGround,
  question: RecallQuestion,
  ranked: readonly RankedMemory[],
): RankedMemory[] {
  const { p } = question;
  const best = ranked[0]?.score ?? 0;
  const near = nearOf(ground, question);
  if (near === null) return ranked.slice(0, p.top_k);
  const none = new Int16Array(near.vector.length);
  const ids = ranked.map(({ chunkId }) => fromHex(chunkId));
  const vectors = near.index.vectors(ids).map((vector) => vector ?? none);
  const relevance = Int32Array.from(ranked, ({ score }) => relevanceOf(score, best));
  return diversifyBy(ground.engine, vectors, relevance, p.mmr_lambda, p.top_k).map((i) => ranked[i]!);
}

/** A score as a share of the best one, on the scale of dot products: a whole number. SPEC §26.9 */
export function relevanceOf(score: number, best: number): number {
  if (!(best > 0)) return 0;
  return Math.max(-SCALE, Math.floor((score / best) * SCALE + 0.5)) + 0;
}

/** Exact: the squared norms of vectors are below 2³¹. */
function dot(a: Int16Array, b: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
