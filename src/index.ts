/**
 * The same chunks on every device, to the bit: the whole library, for Node, Deno and Bun. `open` is where to begin.
 *
 * @example
 * import { open } from "selfsame";
 *
 * const library = await open("notes.db");
 * await library.add([{ path: "ties.md", text: "# Ties\n\nEqual scores stand by path." }]);
 * const { results, receipt } = await library.search("how are ties broken?");
 * await library.close();
 *
 * @module selfsame
 */

export type { ChunkParameters } from "./chunks/chunk.ts";
// The whole public API. CLI and servers import this and nothing deeper.
export type { Build, Engine } from "./engine/engine.ts";
export type { EngineExports } from "./engine/exports.generated.ts";
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
} from "./engine/load.ts";
export type { EngineFile, EngineSource } from "./engine/module.ts";
export type { PinnedFile } from "./engine/pinned-file.ts";
export type { ProbeFailure } from "./engine/probe.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  SelfsameError,
  type SelfsameErrorOptions,
} from "./errors/selfsame-error.ts";
export type { SkippedFile } from "./files/found-file.ts";
export type { AddFilesOptions, AddFilesReport } from "./library/add-files.ts";
export { type CanonParts, type IndexKind, SPEC_VERSION } from "./library/canon.ts";
export { canonOf } from "./library/canon-of.ts";
export type { CheckOptions, LibraryCheck } from "./library/check.ts";
export { checkDevice } from "./library/check-device.ts";
export type { CompactReport } from "./library/compact.ts";
export type {
  ChunkInfo,
  ChunkOfDocument,
  DocumentInfo,
  DocumentPage,
  DocumentText,
} from "./library/contents.ts";
export type { DocumentInput } from "./library/document-input.ts";
export { evaluateSearch, type JudgedUnit, type SearchEvaluation } from "./library/evaluate-search.ts";
export type { Metadata, MetadataFault } from "./library/file-metadata.ts";
export type { Finding, Verdict } from "./library/finding.ts";
export type {
  DocumentEvent,
  FailedEvent,
  FollowEvent,
  FollowFilesOptions,
  ScannedEvent,
  WatchingEvent,
} from "./library/follow-files.ts";
export type {
  AddOptions,
  AddReport,
  DocumentDifference,
  Library,
  LibraryStats,
  ReceiptVerdict,
  RemoteTree,
  RemoveReport,
} from "./library/library.ts";
export { type OpenOptions, open } from "./library/open.ts";
export type { ProgressEvent } from "./library/progress.ts";
export { unlock } from "./library/unlock.ts";
export {
  DEFAULT_MODEL,
  type LoadedModel,
  type LoadedTokenizer,
  loadModel,
  loadTokenizer,
  type ModelOptions,
  PACKAGE_MODELS,
} from "./model/load.ts";
export type { ModelManifest } from "./model/manifest.ts";
export type { Embedding, Model, ModelFiles } from "./model/model.ts";
export { type EmbedManyOptions, EmbedPool, type PoolOptions } from "./model/pool.ts";
export type {
  ExplainedFusion,
  ExplainedLexical,
  ExplainedSemantic,
  Explanation,
  HybridScore,
  LexicalScore,
  ScoreBreakdown,
  SearchAnswer,
  SearchResult,
  SearchTimings,
  SemanticScore,
} from "./search/answer.ts";
export type { ReceiptDifference } from "./search/compare-receipts.ts";
export { type ContractParameters, contractParameters } from "./search/contract-words.ts";
export { withDefaults } from "./search/defaults.ts";
export { checkFilterText, type FilterText } from "./search/filter-text.ts";
export type { Filters, Scalar } from "./search/filters.ts";
export type { Highlight } from "./search/highlights.ts";
export { type JudgedQuery, parseJudgements, parseQueries } from "./search/judgements.ts";
export type { Evaluation, Grades, Metrics } from "./search/metrics.ts";
export type {
  ChoiceParameter,
  DateParameter,
  DescribedParameter,
  FieldsOf,
  FlagParameter,
  GroupParameter,
  MetadataParameter,
  NumberParameter,
  PerResult,
  PresetValue,
  SearchParameter,
  TextParameter,
  TextsParameter,
} from "./search/parameter-kinds.ts";
export { SEARCH_PARAMETERS } from "./search/parameter-table.ts";
export { type ParameterWords, parameterWords } from "./search/parameter-words.ts";
export { asksForNothing } from "./search/parse.ts";
export { printReceipt, type Receipt, type ReceiptBody, type ReceiptResult } from "./search/receipt.ts";
export type {
  ChannelWeights,
  Diversity,
  PresetName,
  SearchMode,
  SearchParameters,
} from "./search/search-parameters.ts";
export type { Json } from "./text/canonical-json.ts";
export type { Tokenizer, Tokens } from "./text/tokenizer.ts";
export type { BuildOptions } from "./vectors/build-graph.ts";
export {
  type ExactOptions,
  type Hit,
  type IndexOptions,
  type SearchOptions,
  VectorIndex,
} from "./vectors/vector-index.ts";
