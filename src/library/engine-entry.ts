/**
 * The parts below a library, usable separately: the engine, the tokenizer, the model and the vector index.
 *
 * @example
 * import { loadEngine, loadModel, VectorIndex } from "selfsame/engine";
 *
 * const { model } = await loadModel();
 * const { vector, digest } = model.embed("The quick brown fox");
 * const { engine } = await loadEngine();
 * const index = VectorIndex.create(engine, { dim: model.dim });
 *
 * @module engine
 */

export type { Build, Engine } from "../engine/engine.ts";
export type { EngineExports } from "../engine/exports.generated.ts";
export {
  type AcceptedBuild,
  type Attempt,
  BUILDS,
  describeAttempt,
  type EngineReport,
  type LoadedEngine,
  type LoadOptions,
  loadEngine,
  type UnusableBuild,
  type WrongBuild,
} from "../engine/load.ts";
export type { EngineFile, EngineSource } from "../engine/module.ts";
export type { PinnedFile } from "../engine/pinned-file.ts";
export type { ProbeFailure } from "../engine/probe.ts";
export type { CrossEncoder, CrossEncoderIdentity, PairTokens } from "../model/cross-encoder.ts";
export {
  DEFAULT_MODEL,
  type LoadedCrossEncoder,
  type LoadedModel,
  type LoadedTokenizer,
  loadCrossEncoder,
  loadModel,
  loadTokenizer,
  type ModelOptions,
} from "../model/load.ts";
export type { ModelManifest } from "../model/manifest.ts";
export type { Embedding, Model, ModelFiles } from "../model/model.ts";
export { type EmbedManyOptions, EmbedPool, type PoolOptions } from "../model/pool.ts";
export type { Tokenizer, Tokens } from "../text/tokenizer.ts";
export type { BuildOptions } from "../vectors/build-graph.ts";
export { givenVector } from "../vectors/given-vector.ts";
export {
  type ExactOptions,
  type Hit,
  type IndexOptions,
  type SearchOptions,
  VectorIndex,
} from "../vectors/vector-index.ts";
