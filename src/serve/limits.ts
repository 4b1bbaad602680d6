/** What one request may ask for. Each limit has its own answer in the 400s, which names it. */
export interface Limits {
  /** The largest body of a request other than an ingest, in bytes. */
  readonly bodyMax: number;
  /** The largest body of an ingest. It is streamed, so memory does not grow with it. */
  readonly ingestBytesMax: number;
  /** The largest document of an ingest, as JSON, in bytes. It is the unit that is held in memory. */
  readonly documentBytesMax: number;
  /** The largest number of documents in one ingest. */
  readonly documentsMax: number;
  /** The longest query, in characters. */
  readonly queryMax: number;
  /** The largest page. */
  readonly pageMax: number;
  /** The largest number of texts in one request for embeddings. */
  readonly inputsMax: number;
  /** The largest number of paths in one deletion. */
  readonly pathsMax: number;
  /** The largest number of nodes or subtrees that a pull asks for at once. */
  readonly nodesMax: number;
  /** The largest number of requests that are answered at once. */
  readonly concurrentMax: number;
  /** How long the server waits for a client's data in total, beside the time that the data takes at 16 KiB a second. */
  readonly bodyMs: number;
}

/** The limits of a server that sets no others. */
export const LIMITS: Limits = {
  bodyMax: 4 << 20,
  ingestBytesMax: 4 * 2 ** 30,
  documentBytesMax: 32 << 20,
  documentsMax: 1_000_000,
  queryMax: 100_000,
  pageMax: 1_000,
  inputsMax: 2_048,
  pathsMax: 10_000,
  nodesMax: 1_024,
  concurrentMax: 64,
  bodyMs: 30_000,
};
