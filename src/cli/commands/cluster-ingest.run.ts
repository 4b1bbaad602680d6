import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type Cluster, fileDocuments } from "../../cluster/index.ts";
import { counted, SelfsameError } from "../../errors/index.ts";
import type { DocumentInput, Metadata } from "../../index.ts";
import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { interruptible } from "../interruption.ts";
import { dim, green, print, printJson, warn } from "../output.ts";
import { StatusLine } from "../status-line.ts";
import { UsageError } from "../usage-error.ts";

interface IngestFlags extends ConnectionFlags {
  readonly root: string;
  readonly ndjson?: boolean;
  readonly remove?: string[];
  readonly include?: string[];
  readonly exclude?: string[];
  readonly metadata?: Metadata;
  readonly json?: boolean;
}

/** So many documents, or characters of them, are stored at a time. */
const BATCH_DOCUMENTS = 256;
const BATCH_CHARACTERS = 8 << 20;
const LINE_MAX = 256 << 20;

/** Runs `selfsame cluster ingest [paths…]`. */
export async function clusterIngest(paths: readonly string[], flags: IngestFlags): Promise<void> {
  const { remove = [] } = flags;
  if (paths.length === 0 && remove.length === 0)
    throw new UsageError(
      "expected documents to ingest, got none",
      "Name files or folders, or --remove <path>",
    );
  const status = new StatusLine();
  const done = await interruptible((signal) =>
    withCluster(flags, async (cluster) => {
      let stored = 0;
      const onDocument = (path: string) => status.show(dim(`${++stored} stored: ${path}`));
      const skipped: { path: string; reason: string }[] = [];
      const onSkipped = (file: { path: string; reason: string }) => void skipped.push(file);
      const documents =
        flags.ndjson === true
          ? ndjsonDocuments(paths)
          : fileDocuments(paths, { ...wantedOf(flags), root: flags.root, signal, onSkipped });
      let { sequence } = await ingestAll(cluster, documents, { signal, onDocument });
      const removed = await cluster.remove(remove, { signal });
      sequence = Math.max(sequence, removed.sequence);
      return { documents: stored, removed: removed.documents, sequence, skipped };
    }),
  );
  status.clear();
  if (flags.json === true) return printJson(done);
  for (const { path, reason } of done.skipped) warn(`${path} is left out: ${reason}`);
  const gone = done.removed === 0 ? "" : `, ${counted(done.removed, "removal")}`;
  print(green(`${counted(done.documents, "document")}${gone} acknowledged`));
  if (done.sequence > 0)
    print(dim(`up to operation ${done.sequence}; selfsame cluster build makes them searchable`));
}

function wantedOf({ include, exclude, metadata }: IngestFlags) {
  return {
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

async function ingestAll(
  cluster: Cluster,
  documents: AsyncIterable<DocumentInput>,
  options: { readonly signal: AbortSignal; readonly onDocument: (path: string) => void },
): Promise<{ sequence: number }> {
  let batch: DocumentInput[] = [];
  let characters = 0;
  let sequence = 0;
  const store = async () => {
    ({ sequence } = batch.length === 0 ? { sequence } : await cluster.ingest(batch, options));
    [batch, characters] = [[], 0];
  };
  const paths = new Set<string>();
  for await (const document of documents) {
    // Twice the same path in one batch would be refused: the later one counts.
    if (paths.has(document.path)) await store();
    if (batch.length === 0) paths.clear();
    batch.push(document);
    paths.add(document.path);
    characters += document.text.length;
    if (batch.length === BATCH_DOCUMENTS || characters > BATCH_CHARACTERS) await store();
  }
  await store();
  return { sequence };
}

/** Yields the documents of NDJSON files. An error says which line it is about. */
async function* ndjsonDocuments(paths: readonly string[]): AsyncGenerator<DocumentInput> {
  for (const path of paths) {
    const input = path === "-" ? process.stdin : createReadStream(path);
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (line.trim() === "") continue;
      yield readLine(line, `${path === "-" ? "standard input" : path}, line ${number}`);
    }
  }
}

function readLine(line: string, where: string): DocumentInput {
  if (line.length > LINE_MAX)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `${where}: expected at most ${LINE_MAX} characters, got ${line.length}`,
    );
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new SelfsameError("BAD_ARGUMENT", `${where}: expected JSON, got ${(cause as Error).message}`, "", {
      cause,
    });
  }
  const { path, text, format, modifiedAt, mime, metadata } = (value ?? {}) as DocumentInput;
  if (typeof path !== "string" || typeof text !== "string")
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `${where}: expected a document with path and text, got something else`,
    );
  return {
    ...{ path, text, format: format ?? null, modifiedAt: modifiedAt ?? null, mime: mime ?? null },
    metadata: metadata ?? null,
  };
}
