/**
 * The same chunks on every device, to the bit: the library, for Node, Deno and Bun. Start with `open`. The parts beneath it
 * are in `selfsame/engine`, measures of its answers in `selfsame/eval`.
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

export type { ChunkParameters } from "./chunks/chunk-parameters.ts";
export type { Format } from "./chunks/format.ts";
export type { Build } from "./engine/engine.ts";
export type { LoadOptions } from "./engine/load.ts";
export type { EngineFile, EngineSource } from "./engine/module.ts";
export type { PinnedFile } from "./engine/pinned-file.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  SelfsameError,
  type SelfsameErrorOptions,
} from "./errors/selfsame-error.ts";
export type { SkippedFile } from "./files/found-file.ts";
export type { AddOptions, AddReport } from "./library/add-documents.ts";
export type { AddFilesOptions, AddFilesReport } from "./library/add-files.ts";
export { type CanonParts, type IndexKind, SPEC_VERSION } from "./library/canon.ts";
export { canonOf } from "./library/canon-of.ts";
export type { CheckOptions, LibraryCheck } from "./library/check.ts";
export { checkDevice } from "./library/check-device.ts";
export type { CompactReport } from "./library/compact.ts";
export type { DocumentDifference, RemoteTree } from "./library/compare-libraries.ts";
export type {
  ChunkInfo,
  ChunkOfDocument,
  DocumentInfo,
  DocumentLines,
  DocumentPage,
  DocumentText,
} from "./library/contents.ts";
export type { DocumentInput } from "./library/document-input.ts";
export type { Metadata, MetadataFault } from "./library/file-metadata.ts";
export type { FileTypes } from "./library/file-types.ts";
export type { Finding, FindingVerdict } from "./library/finding.ts";
export type {
  DocumentEvent,
  FailedEvent,
  FollowEvent,
  FollowFilesOptions,
  ScannedEvent,
  WatchingEvent,
} from "./library/follow-files.ts";
export type { IndexProgress } from "./library/index-progress.ts";
export type { Library } from "./library/library.ts";
export type { LibraryContents, LibraryStats } from "./library/library-contents.ts";
export type { LibraryCounts, Roots } from "./library/library-state.ts";
export type { RemoveReport } from "./library/library-writer.ts";
export { open } from "./library/open.ts";
export type { OpenOptions } from "./library/open-options.ts";
export { optionsOfPack } from "./library/options-of-pack.ts";
export type {
  IngestOptions,
  IngestReport,
  OutsideFileNames,
  OutsideSource,
} from "./library/outside/ingest-outside.ts";
export type { IngestProgress } from "./library/outside/ingest-progress.ts";
export { vectorsOfRecord } from "./library/outside/inline-record.ts";
export type { OutsideChunk, WeightedTerms } from "./library/outside/outside-record.ts";
export type { OutsideCounts } from "./library/outside/outside-writer.ts";
export type { OutsideChunksPage } from "./library/outside/stored-chunks.ts";
export { vectorsOfFiles } from "./library/outside/vectors-of-files.ts";
export { type FilesPreview, type PreviewOptions, previewFiles } from "./library/preview-files.ts";
export type { ProgressEvent } from "./library/progress.ts";
export type { ExportTreeOptions, ExportTreeReport } from "./library/pull/export-tree.ts";
export type { PulledLibrary } from "./library/pull/library-remote.ts";
export { portRemote, type RemotePort, serveRemote } from "./library/pull/port-remote.ts";
export type {
  ConflictSide,
  PullConflict,
  PulledChange,
  PullOptions,
  PullProgress,
  PullReport,
  Resolution,
} from "./library/pull/pull-options.ts";
export type { PacksRequest, Remote, RemoteHead } from "./library/pull/remote.ts";
export type { FeedbackReport, RecallFeedback } from "./library/recall-feedback.ts";
export type { ReceiptVerdict, SearchStage } from "./library/searcher.ts";
export type { IndexStatus } from "./library/semantic-index.ts";
export { unlock } from "./library/unlock.ts";
export type { ExternalVectors, VectorSource } from "./library/vector-source.ts";
export type { CrossEncoder, CrossEncoderIdentity, PairTokens } from "./model/cross-encoder.ts";
export { DEFAULT_MODEL, type ModelOptions, PACKAGE_MODELS } from "./model/load.ts";
export type { ModelManifest } from "./model/manifest.ts";
export type { ModelFiles } from "./model/model.ts";
export type { SnapshotPolicy } from "./namespaces/auto-snapshots.ts";
export type { NewLibrary } from "./namespaces/connection.ts";
export type { NamespaceAnswer, NamespaceSearchOptions } from "./namespaces/namespace-answer.ts";
export type { NamespaceStats } from "./namespaces/namespace-stats.ts";
export type { NamespacesOptions } from "./namespaces/namespaces-options.ts";
export type { Namespaces } from "./namespaces/namespaces-port.ts";
export { openNamespaces } from "./namespaces/open-namespaces.ts";
export type { Snapshot, SnapshotFile, SnapshotMetadata } from "./namespaces/snapshot-metadata.ts";
export type {
  ExportPackOptions,
  ImportPackOptions,
  ImportPackReport,
  PackChoice,
  PackedDocument,
  PackLibrary,
  PackProgress,
  PackSource,
  PackVerification,
} from "./packs/pack-options.ts";
export { BUDGETS, type Work } from "./recall/budget.ts";
export { CALIBRATION } from "./recall/calibration.ts";
export type { Affect } from "./recall/features.ts";
export { FEATURES, type FeatureName, type Features, WEIGHTS } from "./recall/ranker.ts";
export {
  BANDS,
  type Band,
  type Calibration,
  type RecallContext,
  type RecallFilters,
  type RecallRequest,
} from "./recall/request.ts";
export type { RecalledMemory, RecallResponse, RecallStage, RecallTrace } from "./recall/response.ts";
export type { RecallStore, StoreCandidate, StoreQuestion } from "./recall/stores.ts";

export type {
  ExplainedFusion,
  ExplainedLexical,
  ExplainedSemantic,
  ExplainedSparse,
  Explanation,
  HybridScore,
  LexicalScore,
  ScoreBreakdown,
  SearchAnswer,
  SearchResult,
  SearchTimings,
  SemanticScore,
} from "./search/answer.ts";
export type { Bm25Scoring } from "./search/bm25.ts";
export type { Closeness } from "./search/closeness.ts";
export type { ReceiptDifference } from "./search/compare-receipts.ts";
export { type ContractParameters, contractLabel, contractParameters } from "./search/contract-words.ts";
export { withDefaults } from "./search/defaults.ts";
export { checkFilterText, type FilterText } from "./search/filter-text.ts";
export type { Filters, Scalar } from "./search/filters.ts";
export type { RankingStage } from "./search/ground.ts";
export type { Highlight } from "./search/highlights.ts";
export { noticesOf } from "./search/notices.ts";
export type {
  ChoiceParameter,
  DateParameter,
  DescribedParameter,
  FieldsOf,
  FlagParameter,
  GroupOf,
  GroupParameter,
  MetadataParameter,
  NumberParameter,
  ParameterOf,
  PerResult,
  PresetValue,
  SearchParameter,
  SparseParameter,
  TextParameter,
  TextsParameter,
  VectorParameter,
} from "./search/parameter-kinds.ts";
export { SEARCH_PARAMETERS } from "./search/parameter-table.ts";
export { type ParameterWords, parameterWords } from "./search/parameter-words.ts";
export { asksForNothing } from "./search/parse-query.ts";
export type { FeatureGenerator, QueryFeatures } from "./search/query-features.ts";
export { printReceipt, type Receipt, type ReceiptBody, type ReceiptResult } from "./search/receipt.ts";
export type {
  ChannelWeights,
  Diversity,
  PresetName,
  QueryVector,
  SearchMode,
  SearchParameters,
  SparseVector,
} from "./search/search-parameters.ts";
export type { Correction } from "./search/spelling.ts";
export type { TreeName } from "./store/tree-nodes.ts";
export type { Json } from "./text/canonical-json.ts";
