import type { z } from "zod";
import type { Library, NewLibrary, VectorSource } from "../index.ts";
import type { ingestQuery } from "./schemas.ts";

/** What a request says about the vectors of its chunks. */
export type Declared = Omit<z.infer<typeof ingestQuery>, "namespace">;

/** What an ingest needs of the server. */
export interface IngestOptions {
  /** The namespace that the request names; null if its documents may. */
  readonly namespace: string | null;
  /** The namespace if nobody names one. */
  readonly byDefault: string;
  readonly documentsMax: number;
  /** Where the vectors of new namespaces come from, unless a request says otherwise; undefined if nothing is configured. */
  readonly vectors: VectorSource | undefined;
  readonly has: (namespace: string) => Promise<boolean>;
  /** Works with the library of a namespace, which stays open meanwhile. `create` is what a new one is made with. */
  readonly use: <T>(
    namespace: string,
    work: (library: Library) => Promise<T>,
    create?: NewLibrary,
  ) => Promise<T>;
  /** Called after each batch with the number of documents that were written since the last call. */
  readonly onWritten?: (namespace: string, documents: number) => void;
  readonly signal: AbortSignal;
}
