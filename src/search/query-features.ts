import type { Engine } from "../engine/engine.ts";
import { isPlainObject } from "../errors/plain-object.ts";
import { givenVector } from "../vectors/given-vector.ts";
import { refusal } from "./check-parameter.ts";
import type { ResolvedParameters } from "./parameters.ts";
import type { QueryVector, SparseVector } from "./search-parameters.ts";
import { checkSparse } from "./sparse-query.ts";

/** What an application computes of a query with models of its own. */
export interface QueryFeatures {
  /** The query's vector, of the library's dimension. */
  readonly vector?: QueryVector;
  /** The query's terms and weights for the sparse channel. */
  readonly sparse?: SparseVector;
}

/**
 * A function that computes a query's vectors, where the library's own model does not: `featureGenerator` of `open`. It is
 * called with the query as it is embedded, without quotation marks and excluded words. SPEC §24.3
 */
export type FeatureGenerator = (query: string) => QueryFeatures | Promise<QueryFeatures>;

/**
 * Returns the parameters with what the application's generator adds to them. What it gives counts as given, so that
 * receipts hold it, and any device can check them without the generator. SPEC §20.4
 */
export async function withFeatures(
  engine: Engine,
  generator: FeatureGenerator | null,
  text: string,
  p: ResolvedParameters,
): Promise<ResolvedParameters> {
  const { vector, sparse } = await generatedFeatures(generator, text, p);
  return {
    ...p,
    ...(vector === undefined ? {} : { vector: givenVector(engine, vector, vector.length) }),
    ...(sparse === undefined ? {} : { sparse: checkSparse("the feature generator's sparse", sparse) }),
  };
}

/** Returns what a search lacks and the application's generator gives. */
export async function generatedFeatures(
  generator: FeatureGenerator | null,
  text: string,
  p: ResolvedParameters,
): Promise<QueryFeatures> {
  const lacksVector = p.vector === null && (p.mode !== "lexical" || p.lambda !== null);
  const lacksSparse = p.sparse === null && p.sparseWeight > 0;
  if (generator === null || text === "" || !(lacksVector || lacksSparse)) return {};
  const features: unknown = await generator(text);
  if (!isPlainObject(features)) throw refusal("the feature generator's result", "a plain object", features);
  const { vector, sparse } = features as QueryFeatures;
  return {
    ...(lacksVector && vector !== undefined ? { vector } : {}),
    ...(lacksSparse && sparse !== undefined ? { sparse } : {}),
  };
}
