// The Worker of a library: opens it, then answers calls. See protocol.ts.
import {
  type Finding,
  type IngestProgress,
  type PackProgress,
  type ProgressEvent,
  type PullProgress,
  portRemote,
  SelfsameError,
} from "../index.ts";
import {
  addGivenFiles,
  errorRecord,
  Library,
  type LibraryParts,
  onModelProgress,
  openParts,
  startThreadsBy,
  storageOf,
} from "../library/browser-entry.ts";
import { AskedThreads } from "./asked-threads.ts";
import { readPieces } from "./piece-port.ts";
import type { CallName, Calls, FromWorker, ToWorker } from "./protocol.ts";

/** How a call is stopped, and where its progress is reported. */
interface Context {
  readonly signal: AbortSignal;
  readonly onProgress: (
    event: ProgressEvent | IngestProgress | PackProgress | PullProgress | Finding,
  ) => void;
}
type Answers = {
  readonly [C in CallName]: (
    context: Context,
    ...args: Parameters<Calls[C]>
  ) => ReturnType<Calls[C]> | Promise<ReturnType<Calls[C]>>;
};

interface OpenLibrary {
  readonly library: Library;
  readonly parts: LibraryParts;
}

let opened: OpenLibrary | null = null;
const stops = new Map<number, AbortController>();

/** An export in progress; its progress is told to the call that asked for the last piece. */
interface Export {
  pieces: AsyncGenerator<Uint8Array, void>;
  onProgress: Context["onProgress"];
}
const exports = new Map<number, Export>();
let nextExport = 1;
/**
 * The queue of writes. They wait here, before they take their turn: waiting inside would block the files for other
 * tabs.
 */
let writes: Promise<unknown> = Promise.resolve();

const answers: Answers = {
  async open(_, name, options) {
    const parts = await openParts(name, options);
    const library = new Library(parts);
    opened = { library, parts };
    // Runs in the background. If it fails, the first call that needs the model tries again and reports the error.
    parts.embedder.prepare().catch(() => undefined);
    return {
      canon: library.canon,
      canonParts: library.canonParts,
      storage: storageOf(parts.database),
      build: parts.engine.build,
      model: library.model,
      dimension: library.dimension,
    };
  },
  add: (context, documents, options) =>
    write(({ library }) => library.add(documents, { ...options, ...context })),
  addFiles: (context, files, options) =>
    write(({ library, parts }) => addGivenFiles(library, parts, files, { ...options, ...context })),
  ingest: (context, records) => write(({ library }) => library.ingest(records, context)),
  outsideChunks: (_, page) => use(({ library }) => library.outsideChunks(page)),
  exportPack: async ({ onProgress }, options) => {
    const number = nextExport++;
    const tell = (event: PackProgress) => exports.get(number)?.onProgress(event);
    // The export takes its own turns at the files: a page that asks slowly must not block other tabs.
    const { library } = await use((at) => at);
    exports.set(number, { pieces: library.exportPack({ ...options, onProgress: tell }), onProgress });
    return number;
  },
  exportPiece: async ({ onProgress }, number) => {
    const asked = exports.get(number)!;
    asked.onProgress = onProgress;
    const { done, value } = await asked.pieces.next();
    return done === true ? null : value;
  },
  exportEnd: async (_, number) => {
    await exports.get(number)?.pieces.return();
    exports.delete(number);
  },
  importPack: (context, source, options) =>
    write(({ library }) => {
      const once = "port" in source ? () => readPieces(source.port) : null;
      const from = "bytes" in source ? source.bytes : source.isRepeatable ? once! : once!();
      return library.importPack(from, { ...options, ...context });
    }),
  remove: (_, paths) => write(({ library }) => library.remove(paths)),
  search: (_, query, parameters) => use(({ library }) => library.search(query, parameters)),
  recall: (_, request) => use(({ library }) => library.recall(request)),
  feedback: (_, feedback) => use(({ library }) => library.feedback(feedback)),
  resetFeedback: () => use(({ library }) => library.resetFeedback()),
  verifyReceipt: (_, receipt) => use(({ library }) => library.verifyReceipt(receipt)),
  check: ({ signal, onProgress }, options) =>
    use(({ library }) => library.check({ ...options, signal, onFinding: onProgress })),
  documents: (_, page) => use(({ library }) => library.documents(page)),
  document: (_, path) => use(({ library }) => library.document(path)),
  lines: (_, path, from, to) => use(({ library }) => library.lines(path, from, to)),
  chunks: (_, path) => use(({ library }) => library.chunks(path)),
  chunk: (_, chunkId) => use(({ library }) => library.chunk(chunkId)),
  prepare: () => use(({ library }) => library.prepare()),
  stats: () => use(({ library }) => library.stats()),
  root: () => use(({ library }) => library.root()),
  metadataRoot: () => use(({ library }) => library.metadataRoot()),
  nodes: (_, prefixes, tree) => use(({ library }) => library.nodes(prefixes, tree)),
  pull: (context, from, options) =>
    write(({ library }) => {
      const remote = "address" in from ? from.address : portRemote(from.port, from.name);
      return library.pull(remote, { ...options, ...context });
    }),
  paths: (_, ids) => use(({ library }) => library.paths(ids)),
  close: () => write(({ library }) => library.close()),
};

async function use<T>(work: (opened: OpenLibrary) => T | Promise<T>): Promise<T> {
  const at = opened;
  if (at !== null) return at.parts.database.use(() => work(at));
  throw new SelfsameError("BAD_ARGUMENT", "expected an open library, got a call before open()");
}

function write<T>(work: (opened: OpenLibrary) => T | Promise<T>): Promise<T> {
  const run = writes.then(() => use(work));
  writes = run.catch(() => undefined);
  return run;
}

async function answer(id: number, call: CallName, args: readonly unknown[]): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  const context: Context = {
    signal: stop.signal,
    onProgress: (event) => send({ type: "progress", id, event }),
  };
  try {
    const work = answers[call] as (context: Context, ...args: readonly unknown[]) => unknown;
    send({ type: "value", id, value: await work(context, ...args) });
  } catch (error) {
    send({ type: "error", id, error: errorRecord(error) });
  } finally {
    stops.delete(id);
  }
}

function send(message: FromWorker, transfer: Transferable[] = []): void {
  globalThis.postMessage(message, { transfer });
}

const threads = new AskedThreads(send);
startThreadsBy((kind) => threads.start(kind));

onModelProgress((event) => send({ type: "model", event }));
globalThis.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "call") void answer(data.id, data.call, data.args);
  else if (data.type === "abort") stops.get(data.id)?.abort(data.reason);
  else threads.failed(data.id, data.reason);
});
