import type { BrowserLibrary } from "selfsame/browser";

/** What the page does with a library, wherever it is. */
export type PageLibrary = Pick<
  BrowserLibrary,
  | "name"
  | "build"
  | "add"
  | "addFiles"
  | "remove"
  | "search"
  | "recall"
  | "feedback"
  | "resetFeedback"
  | "verifyReceipt"
  | "documents"
  | "document"
  | "lines"
  | "chunks"
  | "chunk"
  | "stats"
  | "close"
>;
