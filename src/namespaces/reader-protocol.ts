// Messages between the namespaces of a process and their reader threads.
import type { ErrorRecord } from "../errors/error-record.ts";
import type { OpenOptions } from "../library/open-options.ts";
import type { SearchAnswer } from "../search/answer.ts";
import type { Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { NamespaceAnswer } from "./namespace-answer.ts";

/** A namespace and the file of its library. */
export interface NamespaceFile {
  readonly name: string;
  readonly path: string;
}

/** What a thread is started with. */
export interface ReaderStart {
  /** How libraries are opened: what belongs to a library is what it was made with. */
  readonly library: OpenOptions;
}

/** Requests. A thread works on one at a time. */
export type ReaderRequest =
  | (NamespaceFile & {
      readonly type: "search";
      readonly query: string;
      readonly parameters: SearchParameters;
      readonly isPartialWanted: boolean;
    })
  | (NamespaceFile & { readonly type: "verify"; readonly receipt: string | Receipt })
  | { readonly type: "close"; readonly name: string };

/** Answers: any number of partial ones, then one of the others. */
export type ReaderMessage =
  | { readonly type: "partial"; readonly answer: SearchAnswer }
  | { readonly type: "done"; readonly value: unknown }
  | { readonly type: "failed"; readonly error: ErrorRecord };

/** What a search in a thread gives. */
export type ReaderAnswer = NamespaceAnswer;
