// The messages between the page and the library's Worker. Everything is cloned on the way.
import type {
  AddReport,
  Build,
  CanonParts,
  CheckOptions,
  ChunkInfo,
  ChunkOfDocument,
  DocumentInfo,
  DocumentInput,
  DocumentLines,
  DocumentPage,
  DocumentText,
  ExportPackOptions,
  FeedbackReport,
  Finding,
  ImportPackOptions,
  ImportPackReport,
  IngestProgress,
  IngestReport,
  LibraryCheck,
  LibraryStats,
  OpenOptions,
  OutsideChunk,
  OutsideChunksPage,
  PackProgress,
  ProgressEvent,
  PullOptions,
  PullProgress,
  PullReport,
  RecallFeedback,
  RecallRequest,
  RecallResponse,
  Receipt,
  ReceiptVerdict,
  RemoveReport,
  Resolution,
  SearchAnswer,
  SearchParameters,
} from "../index.ts";
import type {
  AddGivenFilesOptions,
  AddGivenFilesReport,
  ErrorRecord,
  GivenFile,
  LibraryStorage,
  ModelProgress,
  ThreadKind,
} from "../library/browser-entry.ts";
/** The options of `open` that can be cloned. */
export type WorkerOpenOptions = Omit<OpenOptions, "source" | "featureGenerator">;

export interface Opened {
  readonly canon: string;
  readonly canonParts: CanonParts;
  readonly storage: LibraryStorage;
  readonly build: Build;
  readonly model: string;
  readonly dimension: number;
}

/** A pack that is cloned on the way, or a port through which its bytes are asked for. */
export type WorkerPackSource =
  | { readonly bytes: Uint8Array | Blob }
  | { readonly port: MessagePort; readonly isRepeatable: boolean };

/** How `BrowserLibrary.importPack` trusts, merges and reports: as `Library.importPack`, without functions that choose. */
export type BrowserImportPackOptions = Omit<ImportPackOptions, "choose" | "onChecked">;

/** An address, or a port on which the page answers for another library. */
export type WorkerRemote =
  | { readonly address: string }
  | { readonly port: MessagePort; readonly name: string | null };

/** How `BrowserLibrary.pull` merges, trusts and reports: as `Library.pull`, without a function that decides. */
export type BrowserPullOptions = Omit<PullOptions, "conflicts"> & {
  /** What becomes of a document that both sides changed. */
  readonly conflicts?: Resolution;
};

/** The calls that the Worker answers; `search`, for instance, is `Library.search`. */
export interface Calls {
  open(name: string, options: WorkerOpenOptions): Opened;
  add(documents: readonly DocumentInput[], options: { readonly force?: boolean }): AddReport;
  addFiles(files: readonly GivenFile[], options: AddGivenFilesOptions): AddGivenFilesReport;
  ingest(records: readonly OutsideChunk[]): IngestReport;
  outsideChunks(page: OutsideChunksPage): OutsideChunk[];
  remove(paths: readonly string[]): RemoveReport;
  /** Starts an export, and returns its number. */
  exportPack(options: Omit<ExportPackOptions, "signal" | "onProgress">): number;
  /** Returns the next piece of an export; null at its end. */
  exportPiece(number: number): Uint8Array | null;
  exportEnd(number: number): void;
  importPack(source: WorkerPackSource, options: BrowserImportPackOptions): ImportPackReport;
  search(query: string, parameters: SearchParameters): SearchAnswer;
  recall(request: RecallRequest): RecallResponse;
  feedback(feedback: RecallFeedback): FeedbackReport;
  resetFeedback(): number;
  verifyReceipt(receipt: string | Receipt): ReceiptVerdict;
  check(options: Pick<CheckOptions, "embeddings" | "full">): LibraryCheck;
  documents(page: DocumentPage): DocumentInfo[];
  document(path: string): DocumentText | null;
  lines(path: string, from: number, to: number): DocumentLines | null;
  chunks(path: string): ChunkInfo[];
  chunk(chunkId: string): ChunkOfDocument | null;
  prepare(): void;
  stats(): LibraryStats;
  root(): string;
  metadataRoot(): string;
  nodes(prefixes: readonly string[], tree: "text" | "metadata"): readonly Uint8Array[];
  pull(remote: WorkerRemote, options: BrowserPullOptions): PullReport;
  paths(documentIds: readonly string[]): readonly (string | null)[];
  close(): void;
}

export type CallName = keyof Calls;

/**
 * Calls are numbered. An answer, a stop and a progress report carry the number of their call. Threads are numbered
 * separately.
 */
export type ToWorker =
  | { readonly type: "call"; readonly id: number; readonly call: CallName; readonly args: readonly unknown[] }
  | { readonly type: "abort"; readonly id: number; readonly reason: unknown }
  | { readonly type: "threadFailed"; readonly id: number; readonly reason: string };

export type FromWorker =
  | { readonly type: "value"; readonly id: number; readonly value: unknown }
  | { readonly type: "error"; readonly id: number; readonly error: ErrorRecord }
  | {
      readonly type: "progress";
      readonly id: number;
      readonly event: ProgressEvent | IngestProgress | PackProgress | PullProgress | Finding;
    }
  | { readonly type: "model"; readonly event: ModelProgress }
  | {
      readonly type: "startThread";
      readonly id: number;
      readonly kind: ThreadKind;
      readonly port: MessagePort;
    }
  | { readonly type: "stopThread"; readonly id: number };
