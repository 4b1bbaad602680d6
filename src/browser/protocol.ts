// What the page and the library's Worker say to each other. Everything is cloned on the way.
import type { Build } from "../engine/engine.ts";
import type { ModelProgress } from "../engine/pinned-files.browser.ts";
import type { ThreadKind } from "../engine/threads-port.ts";
import type { ErrorRecord } from "../errors/error-record.ts";
import type { AddReport } from "../library/add-documents.ts";
import type { CanonParts } from "../library/canon.ts";
import type { CheckOptions, LibraryCheck } from "../library/check.ts";
import type {
  ChunkInfo,
  ChunkOfDocument,
  DocumentInfo,
  DocumentPage,
  DocumentText,
} from "../library/contents.ts";
import type { DocumentInput } from "../library/document-input.ts";
import type { Finding } from "../library/finding.ts";
import type { LibraryStats } from "../library/library.ts";
import type { RemoveReport } from "../library/library-writer.ts";
import type { OpenOptions } from "../library/open-options.ts";
import type { ProgressEvent } from "../library/progress.ts";
import type { ReceiptVerdict } from "../library/searcher.ts";
import type { SearchAnswer } from "../search/answer.ts";
import type { SearchParameters } from "../search/parameters.ts";
import type { Receipt } from "../search/receipt.ts";
import type { LibraryStorage } from "../store/open.browser.ts";
import type { AddGivenFilesOptions, AddGivenFilesReport, GivenFile } from "./given-files.ts";

/** What can be cloned of the options of `open`. */
export type WorkerOpenOptions = Omit<OpenOptions, "source">;

export interface Opened {
  readonly canon: string;
  readonly canonParts: CanonParts;
  readonly storage: LibraryStorage;
  readonly build: Build;
  readonly model: string;
}

/** What the Worker does when asked; `search`, for instance, is `Library.search`. */
export interface Calls {
  open(name: string, options: WorkerOpenOptions): Opened;
  add(documents: readonly DocumentInput[], options: { readonly force?: boolean }): AddReport;
  addFiles(files: readonly GivenFile[], options: AddGivenFilesOptions): AddGivenFilesReport;
  remove(paths: readonly string[]): RemoveReport;
  search(query: string, parameters: SearchParameters): SearchAnswer;
  verifyReceipt(receipt: string | Receipt): ReceiptVerdict;
  check(options: Pick<CheckOptions, "embeddings">): LibraryCheck;
  documents(page: DocumentPage): DocumentInfo[];
  document(path: string): DocumentText | null;
  chunks(path: string): ChunkInfo[];
  chunk(chunkId: string): ChunkOfDocument | null;
  stats(): LibraryStats;
  root(): string;
  metadataRoot(): string;
  nodes(prefixes: readonly string[]): readonly Uint8Array[];
  paths(documentIds: readonly string[]): readonly (string | null)[];
  close(): void;
}

export type CallName = keyof Calls;

/** Calls are numbered; an answer, a stop and news of progress carry the number of their call. Threads have their own. */
export type ToWorker =
  | { readonly type: "call"; readonly id: number; readonly call: CallName; readonly args: readonly unknown[] }
  | { readonly type: "abort"; readonly id: number; readonly reason: unknown }
  | { readonly type: "threadFailed"; readonly id: number; readonly reason: string };

export type FromWorker =
  | { readonly type: "value"; readonly id: number; readonly value: unknown }
  | { readonly type: "error"; readonly id: number; readonly error: ErrorRecord }
  | { readonly type: "progress"; readonly id: number; readonly event: ProgressEvent | Finding }
  | { readonly type: "model"; readonly event: ModelProgress }
  | {
      readonly type: "startThread";
      readonly id: number;
      readonly kind: ThreadKind;
      readonly port: MessagePort;
    }
  | { readonly type: "stopThread"; readonly id: number };
