/**
 * What `selfsame/browser` needs besides the public API: the Worker and its page are two halves of one library. The
 * browser interface imports this file and src/index.ts, nothing deeper.
 */
export { type ModelProgress, onModelProgress } from "../engine/pinned-files.browser.ts";
export { startWorker } from "../engine/start-worker.browser.ts";
export { startThreadsBy } from "../engine/threads.browser.ts";
export type { ThreadKind, WorkerHandle } from "../engine/threads-port.ts";
export { checkKinds, optionsArgument } from "../errors/arguments.ts";
export { type ErrorRecord, errorOfRecord, errorRecord } from "../errors/error-record.ts";
export { abortedError } from "../errors/selfsame-error.ts";
export { type LibraryStorage, storageOf } from "../store/open.browser.ts";
export { compareUtf8 } from "../text/utf8-order.ts";
export {
  type AddGivenFilesOptions,
  type AddGivenFilesReport,
  addGivenFiles,
  type GivenFile,
} from "./add-given-files.ts";
export { Library } from "./library.ts";
export type { LibraryParts } from "./library-parts.ts";
export { openParts } from "./open.ts";
export { OPEN_OPTIONS } from "./open-options.ts";
