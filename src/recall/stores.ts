import { badArgument, objectArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** The stores that every library has, in the order in which their lists are fused. SPEC §26.6 */
export const BUILT_IN_STORES = ["vector", "fts", "tfidf", "kg"] as const;

/** Which of two stores is named as the source if they rank a chunk alike. SPEC §26.7 */
export const SOURCE_ORDER = ["fts", "vector", "tfidf", "kg"] as const;

/** A store of an application, asked beside the library's own. */
export interface RecallStore {
  /** Small letters, digits, `-` and `_`, starting with a letter; at most 32. */
  readonly name: string;
  /**
   * Returns candidates, best first, each by its chunk's id or its document's path. What the library does not hold, or
   * policy forbids, is dropped. At most `k` are taken.
   */
  search(question: StoreQuestion): Promise<readonly StoreCandidate[]> | readonly StoreCandidate[];
}

/** What a store is asked. */
export interface StoreQuestion {
  /** The query's canonical text. */
  readonly query_text: string;
  /** How many candidates are taken. */
  readonly k: number;
  /** Who asks; null if nobody was named. */
  readonly person_id: string | null;
  /** The library's namespace. */
  readonly space_id: string;
}

/** A candidate of a store: a chunk, or a document, of which the chunk nearest to the query is taken. */
export type StoreCandidate =
  | {
      /** The chunk's id, in hexadecimal. */
      readonly chunk_id: string;
    }
  | {
      /** The document's path. */
      readonly doc_id: string;
    };

/** Checks a store of an application. @throws {SelfsameError} BAD_ARGUMENT */
export function checkStore(store: RecallStore): RecallStore {
  objectArgument("store", store, ["search"]);
  const { name } = store;
  if (typeof name !== "string" || !/^[a-z][a-z0-9_-]{0,31}$/.test(name))
    throw badArgument("store.name", "a letter and at most 31 letters, digits, - or _", name);
  if ((BUILT_IN_STORES as readonly string[]).includes(name))
    throw badArgument("store.name", `another name than ${BUILT_IN_STORES.join(", ")}`, name);
  return store;
}

/** Reads what a store returned: at most k candidates, each once. @throws {SelfsameError} BAD_ARGUMENT */
export function checkCandidates(store: string, found: unknown, k: number): StoreCandidate[] {
  if (!Array.isArray(found)) throw badArgument(`the answer of store ${store}`, "a list", found);
  return found.slice(0, k).map((each: Partial<Record<"chunk_id" | "doc_id", unknown>> | null) => {
    if (typeof each?.chunk_id === "string") return { chunk_id: each.chunk_id };
    if (typeof each?.doc_id === "string") return { doc_id: each.doc_id };
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected store ${store} to return objects with chunk_id or doc_id, got another value`,
    );
  });
}
