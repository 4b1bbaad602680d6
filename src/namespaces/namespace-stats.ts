/** What `Namespaces.stats` says about a namespace. */
export interface NamespaceStats {
  /** The number of chunks, each with its vector; null if the library cannot be read. */
  readonly ntotal: number | null;
  /** The number of documents; null if the library cannot be read. */
  readonly documents: number | null;
  /** When it was last used through this object, as an ISO date; null if never. */
  readonly last_used: string | null;
  /** When its current snapshot was made, as an ISO date; null if it has none. */
  readonly last_snapshot: string | null;
  /** Whether it is open now. */
  readonly open: boolean;
  /** Whether something is wrong with it; `warnings` says what. */
  readonly degraded: boolean;
  /** What is wrong, in sentences; empty if nothing is. */
  readonly warnings: readonly string[];
}
