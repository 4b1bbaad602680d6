// The whole public API. CLI and servers import this and nothing deeper.
export type { Build } from "./engine/engine.ts";
export {
  type Attempt,
  BUILDS,
  describeAttempt,
  type EngineReport,
  type LoadOptions,
  loadEngine,
} from "./engine/load.ts";
export type { EngineSource } from "./engine/module.ts";
export { type ErrorCode, SelfsameError } from "./errors.ts";
export type { DocumentInput } from "./ingest/documents.ts";
export type { SkippedFile } from "./ingest/walk.node.ts";
export type { AddFilesOptions, AddFilesReport } from "./library/add-files.ts";
export type { CanonParts, IndexKind } from "./library/canon.ts";
export type { CheckOptions, LibraryCheck } from "./library/check.ts";
export { checkDevice } from "./library/check-device.ts";
export { evaluateSearch, type JudgedUnit, type SearchEvaluation } from "./library/evaluate-search.ts";
export type { Finding, Verdict } from "./library/finding.ts";
export type {
  AddOptions,
  AddReport,
  ChunkInfo,
  DocumentDifference,
  DocumentInfo,
  Library,
  LibraryStats,
  ReceiptVerdict,
  RemoteTree,
} from "./library/library.ts";
export { type OpenOptions, open } from "./library/open.ts";
export type { ProgressEvent } from "./library/progress.ts";
export { DEFAULT_MODEL, loadModel, loadTokenizer, type ModelOptions } from "./model/load.ts";
export type { ModelFile, ModelManifest } from "./model/manifest.ts";
export type { Embedding, Model, ModelFiles } from "./model/model.ts";
export { type EmbedManyOptions, EmbedPool, type PoolOptions } from "./model/pool.ts";
export type {
  Explanation,
  ScoreBreakdown,
  SearchAnswer,
  SearchResult,
  SearchTimings,
} from "./search/answer.ts";
export type { ReceiptDifference } from "./search/compare-receipts.ts";
export type { Filters } from "./search/filters.ts";
export type { Highlight } from "./search/highlights.ts";
export { type JudgedQuery, parseJudgements, parseQueries } from "./search/judgements.ts";
export type { Evaluation, Grades, Metrics } from "./search/metrics.ts";
export type { PresetName, SearchMode, SearchParameters } from "./search/parameters.ts";
export { printReceipt, type Receipt } from "./search/receipt.ts";
export type { Tokenizer, Tokens } from "./text/tokenizer.ts";
export type { BuildOptions } from "./vectors/build-graph.ts";
export {
  type ExactOptions,
  type Hit,
  type IndexOptions,
  type SearchOptions,
  VectorIndex,
} from "./vectors/vector-index.ts";
