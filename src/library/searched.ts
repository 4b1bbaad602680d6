import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { ModelIdentity } from "../model/manifest.ts";
import type { SearchPipeline, Stopwatch } from "../search/ground.ts";
import { LocalGround, type LocalParts } from "../search/local-ground.ts";
import { runOn } from "../search/pipeline.ts";
import type { FeatureGenerator } from "../search/query-features.ts";
import type { RankedQuery } from "../search/search.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { Roots } from "./library-state.ts";
import { vectorsAside, vectorsEpoch } from "./vectors-epoch.ts";

/** Another process that writes without pause could keep a search waiting. After this many tries, the search fails. */
const TRIES_MAX = 8;

/** What is searched: a library, or all shards of one. */
export interface Searched {
  readonly engine: Engine;
  /** The identity of the model that it was made with. */
  readonly identity: ModelIdentity;
  readonly canonDigest: string;
  /** The length of vectors that come from outside; null if the model makes the vectors. */
  readonly dimension: number | null;
  /** What the application computes queries' vectors with; null if it registered nothing. */
  readonly featureGenerator: FeatureGenerator | null;
  /** Returns why vectors cannot be searched at the moment; null if they can. */
  vectorsAside?(): string | null;
  /** Computes the vector of a text. */
  embed(text: string): Promise<Int16Array>;
  /** Loads the tokenizer of the model. */
  tokenizer(): Promise<Tokenizer>;
  /**
   * Runs a pipeline on one state, for which everything that it needs is ready.
   *
   * @param query what the pipeline ranks; null if it only reads chunks
   */
  onOneState<T>(
    query: RankedQuery | null,
    stopwatch: Stopwatch,
    pipeline: (state: SearchedState) => SearchPipeline<T>,
  ): Promise<T>;
}

/** Which indexes in memory a search needs. */
export interface SearchNeeds {
  readonly vectors: boolean;
  readonly sparse: boolean;
}

/** A state that is searched. */
export interface SearchedState {
  readonly roots: Roots;
  /** Whether there are chunks and none has a vector; false if vectors are not needed. */
  readonly lacksVectors: boolean;
  /** How often vectors of unchanged documents were replaced. */
  readonly vectorsEpoch?: number;
}

/** Returns a library as what is searched. */
export function searchedLibrary(parts: LibraryParts): Searched {
  const { engine, identity, state, featureGenerator, database, embedder, tokenizer } = parts;
  return {
    ...{ engine, identity, featureGenerator, canonDigest: state.canonDigest, dimension: state.dimension },
    vectorsAside: () => vectorsAside(database),
    embed: (text) => database.idle(() => embedder.embed(text)),
    tokenizer: () => database.idle(() => tokenizer()),
    onOneState: (query, stopwatch, pipeline) => {
      const needs = { vectors: query?.vector != null, sparse: query?.tokens != null };
      return onReadyState(parts, needs, (local, roots) => {
        const { index } = local;
        const lacksVectors = index !== null && index.size === 0 && state.chunkCount(roots.root) > 0;
        const searched = { roots, lacksVectors, vectorsEpoch: vectorsEpoch(database) };
        return runOn(new LocalGround(local, stopwatch), pipeline(searched));
      });
    },
  };
}

/**
 * Works in one snapshot of the database, once the indexes in memory are of its state.
 *
 * @throws {SelfsameError} DATABASE_BUSY if others write all the time
 */
export async function onReadyState<T>(
  { database, state, semantic, sparse: sparseVectors }: LibraryParts,
  needs: SearchNeeds,
  work: (parts: LocalParts, roots: Roots) => T,
): Promise<T> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const done = database.snapshot(() => {
      const roots = state.roots();
      const index = needs.vectors ? semantic.ready(roots.root) : null;
      const sparse = needs.sparse ? sparseVectors.ready(roots.root) : null;
      const isReady = (!needs.vectors || index !== null) && (!needs.sparse || sparse !== null);
      if (!isReady) return { root: roots.root };
      state.checkCanon();
      return { result: work({ database, index, sparse }, roots) };
    });
    if ("result" in done) return done.result;
    if (needs.vectors) await semantic.current(done.root);
    if (needs.sparse) await sparseVectors.current();
  }
  throw new SelfsameError(
    "DATABASE_BUSY",
    `expected no writes during one search, got ${TRIES_MAX}`,
    "Search again",
  );
}
