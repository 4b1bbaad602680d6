import { Breather } from "../engine/breather.ts";
import { toHex } from "../engine/digest.ts";
import { textsArgument } from "../errors/arguments.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import { textHash } from "../identity/ids.ts";
import { canonicalPaths, type DocumentInput, type ReadInput, readInputs } from "../library/document-input.ts";
import { canonicalInTurns } from "../text/canonical-in-turns.ts";
import { canonicalPath } from "../text/path.ts";
import type { Connection } from "./connection.ts";
import { inOrder } from "./in-order.ts";
import { TEXT_BYTES_MAX } from "./operation.ts";
import { appendOperation } from "./operations.ts";
import { persistently } from "./persistently.ts";

/** So many texts are stored at a time. */
const AT_ONCE = 16;

/** Options to watch and stop an ingest into a cluster. */
export interface ClusterIngestOptions {
  /** Stops between documents. What was acknowledged stays. */
  readonly signal?: AbortSignal;
  /** Called when a document is stored: from then on it is not lost. */
  readonly onDocument?: (path: string, sequence: number) => void;
}

/** What an ingest did. */
export interface ClusterIngestReport {
  /** How many documents were acknowledged. */
  readonly documents: number;
  /** The place of the last operation in the cluster's order; 0 if there was none. */
  readonly sequence: number;
}

/**
 * Stores documents in a cluster. A document is acknowledged when its text and the operation are both stored; the order of
 * operations decides which of two texts of one path counts. SPEC §29.10
 */
export async function ingestDocuments(
  connection: Connection,
  documents: readonly DocumentInput[],
  options: ClusterIngestOptions = {},
): Promise<ClusterIngestReport> {
  const { engine } = connection;
  const inputs = readInputs(documents);
  const paths = canonicalPaths(
    engine,
    inputs.map(({ path }) => path),
  );
  let [count, sequence] = [0, 0];
  const named = inputs.map((input, i) => ({ input, path: paths[i]! }));
  const breather = new Breather();
  const store = async ({ input, path }: { input: ReadInput; path: string }) => {
    refuseStopped(options.signal, count);
    const text = await canonicalInTurns(engine, input.text, breather);
    return { ...(await storeText(connection, path, text, options.signal)), input, path };
  };
  for await (const { digest, bytes, input, path } of inOrder(named, AT_ONCE, store)) {
    const { format, modifiedAt, mime, metadata } = input;
    sequence = await appendOperation(
      connection,
      { op: "put", kind: "text", path, digest, bytes, format, modifiedAt, mime, metadata },
      options.signal,
    );
    count++;
    options.onDocument?.(path, sequence);
  }
  return { documents: count, sequence };
}

/** Removes documents from a cluster by path. Removing one that is not there does nothing. */
export async function removeDocuments(
  connection: Connection,
  paths: readonly string[],
  options: ClusterIngestOptions = {},
): Promise<ClusterIngestReport> {
  let [count, sequence] = [0, 0];
  const canonical = textsArgument("paths", paths).map((path) => canonicalPath(connection.engine, path));
  for (const path of canonical) {
    refuseStopped(options.signal, count);
    sequence = await appendOperation(connection, { op: "remove", path }, options.signal);
    count++;
    options.onDocument?.(path, sequence);
  }
  return { documents: count, sequence };
}

async function storeText(
  { engine, objects }: Connection,
  path: string,
  text: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<{ digest: string; bytes: number }> {
  if (text.length > TEXT_BYTES_MAX)
    throw new SelfsameError(
      "FILE_TOO_LARGE",
      `expected a text of at most ${TEXT_BYTES_MAX} bytes, got ${text.length} of ${path}`,
    );
  const digest = toHex(textHash(engine, text));
  await persistently(() => objects.texts.put(digest, text), { signal });
  return { digest, bytes: text.length };
}

function refuseStopped(signal: AbortSignal | undefined, count: number): void {
  if (signal?.aborted) throw abortedError(signal, "all documents", `a stop after ${count}`);
}
