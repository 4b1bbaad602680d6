import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { givenVector } from "../vectors/given-vector.ts";
import type { FeatureGenerator, QueryFeatures } from "./feature-generator.ts";

/** What a library of external vectors knows about a query's vector. */
export interface QueryVector {
  /** null if there is none: then a warning says why. */
  readonly vector: Int16Array | null;
  /** What the feature generator gave; null if it was not asked. */
  readonly features: QueryFeatures | null;
  readonly warnings: readonly string[];
}

/**
 * Asks the application for the vector of a query. Without one, the channel by meaning is left out. SPEC §23.4
 *
 * @param instead what is done without a vector, for the warning
 * @throws {SelfsameError} BAD_VECTOR if the application gives one of another length, or with numbers that are not finite
 */
export async function queryVector(
  engine: Engine,
  dimension: number,
  generator: FeatureGenerator | null,
  text: string,
  instead: string,
): Promise<QueryVector> {
  if (generator === null) {
    const warning = `no vector of the query, so ${instead} (give the parameter vector, or register a featureGenerator)`;
    return { vector: null, features: null, warnings: [warning] };
  }
  const features = await generated(generator, text);
  const { vector } = features;
  if (vector === undefined || vector === null)
    return { vector: null, features, warnings: [`the featureGenerator gave no vector, so ${instead}`] };
  return { vector: givenVector(engine, vector, dimension), features, warnings: [] };
}

async function generated(generator: FeatureGenerator, text: string): Promise<QueryFeatures> {
  try {
    return (await generator(text)) ?? {};
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : String(cause);
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected the featureGenerator to give the vectors of a query, got an error: ${got}`,
      "Correct the function that was given to open()",
      { cause },
    );
  }
}
