/** A model that reads a query and a text together and says how well they fit. SPEC §26.13 */
export interface CrossEncoder {
  /** The digest of its weights, for receipts. */
  readonly digest: string;
  /** Returns the logit, a binary32. */
  score(query: string, text: string): Promise<number>;
  /** Frees its memory. */
  close(): void;
}
