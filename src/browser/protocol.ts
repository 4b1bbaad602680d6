// What the page and the library's Worker say to each other. Everything is cloned on the way.
import type { Build } from "../engine/engine.ts";
import type { ModelProgress } from "../engine/pinned-files.browser.ts";
import type { ThreadKind } from "../engine/threads-port.ts";
import { type ErrorCode, SelfsameError } from "../errors/selfsame-error.ts";
import type { CanonParts } from "../library/canon.ts";
import type { CheckOptions, LibraryCheck } from "../library/check.ts";
import type { DocumentInput } from "../library/document-input.ts";
import type { Finding } from "../library/finding.ts";
import type {
  AddReport,
  ChunkInfo,
  DocumentInfo,
  LibraryStats,
  ReceiptVerdict,
  RemoveReport,
} from "../library/library.ts";
import type { OpenOptions } from "../library/open.ts";
import type { ProgressEvent } from "../library/progress.ts";
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
  documents(): DocumentInfo[];
  chunks(path: string): ChunkInfo[];
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
  | { readonly type: "error"; readonly id: number; readonly error: ErrorOnWire }
  | { readonly type: "progress"; readonly id: number; readonly event: ProgressEvent | Finding }
  | { readonly type: "model"; readonly event: ModelProgress }
  | {
      readonly type: "startThread";
      readonly id: number;
      readonly kind: ThreadKind;
      readonly port: MessagePort;
    }
  | { readonly type: "stopThread"; readonly id: number };

/** An error as it crosses: a clone would lose its class and its code. */
export interface ErrorOnWire {
  /** null if it was none of ours: a bug. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly hint: string;
  readonly cause?: string;
}

export function errorToWire(error: unknown): ErrorOnWire {
  if (!(error instanceof SelfsameError)) return { code: null, message: String(error), hint: "" };
  const { code, message, hint, cause } = error;
  const told = hint === "" ? message : message.slice(0, -`. ${hint}`.length);
  return { code, message: told, hint, ...(cause === undefined ? {} : { cause: String(cause) }) };
}

export function errorFromWire({ code, message, hint, cause }: ErrorOnWire): Error {
  const options = cause === undefined ? undefined : { cause: new Error(cause) };
  return code === null ? new Error(message) : new SelfsameError(code, message, hint, options);
}
