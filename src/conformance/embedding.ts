import { expandHex, printHex } from "./hex.ts";
import { type Outcome, suiteOfFirst, Tally } from "./outcome.ts";

/** test-vectors/embedding.json */
export interface EmbeddingVectors {
  readonly cases: readonly EmbeddingCase[];
}

interface EmbeddingCase {
  readonly text: string;
  readonly embeddings: readonly Expected[];
}

interface Expected {
  readonly model: string;
  readonly tokens: number;
  readonly truncated: boolean;
  readonly digest: string;
  readonly vector: string;
}

/** The parts of a model that the check needs. */
export interface EmbeddingModel {
  embed(text: string): {
    readonly vector: Int16Array;
    readonly digest: string;
    readonly tokens: number;
    readonly truncated: boolean;
  };
}

/** Checks the first `count` texts with the model called `name`. SPEC §9.4 */
export function checkEmbedding(
  name: string,
  model: EmbeddingModel,
  vectors: EmbeddingVectors,
  count = Number.POSITIVE_INFINITY,
): Outcome {
  const tally = new Tally(suiteOfFirst(`embedding, ${name}`, count, vectors.cases.length));
  for (const { text, embeddings } of vectors.cases.slice(0, count)) {
    const expected = embeddings.find((one) => one.model === name);
    if (expected === undefined) continue;
    const got = model.embed(text);
    tally.record(JSON.stringify(text.slice(0, 60)), [
      ["tokens", `${expected.tokens}`, `${got.tokens}`],
      ["truncated", `${expected.truncated}`, `${got.truncated}`],
      ["vector", expandHex(expected.vector), printHex(got.vector, 4)],
      ["digest", expected.digest, got.digest],
    ]);
  }
  return tally.outcome();
}
