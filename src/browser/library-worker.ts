// The Worker of a library: opens it, then answers calls. See protocol.ts.
import { SelfsameError } from "../errors.ts";
import { type AddOptions, Library, type LibraryParts } from "../library/library.ts";
import { openParts } from "../library/open.ts";
import { onModelProgress } from "../platform/model-cache.ts";
import { addGivenFiles } from "./given-files.ts";
import { type CallName, type Calls, errorToWire, type FromWorker, type ToWorker } from "./protocol.ts";

/** How a call is stopped, and whom it tells of its progress. */
type Context = Required<Pick<AddOptions, "signal" | "onProgress">>;
type Answers = {
  readonly [C in CallName]: (
    context: Context,
    ...args: Parameters<Calls[C]>
  ) => ReturnType<Calls[C]> | Promise<ReturnType<Calls[C]>>;
};

let opened: { readonly library: Library; readonly parts: LibraryParts } | null = null;
const stops = new Map<number, AbortController>();

const answers: Answers = {
  async open(_, name, options) {
    const parts = await openParts(name, options);
    const library = new Library(parts);
    opened = { library, parts };
    // Meanwhile the page goes on. If it fails, the first call that needs the model tries again, and says why.
    parts.embedder.prepare().catch(() => undefined);
    return { canon: library.canon, canonParts: library.canonParts };
  },
  add: (context, documents, options) => library().add(documents, { ...options, ...context }),
  addFiles: (context, files, options) =>
    addGivenFiles(library(), opened!.parts.engine, files, { ...options, ...context }),
  remove: (_, paths) => library().remove(paths),
  search: (_, query, parameters) => library().search(query, parameters),
  verifyReceipt: (_, receipt) => library().verifyReceipt(receipt),
  documents: () => library().documents(),
  chunks: (_, path) => library().chunks(path),
  stats: () => library().stats(),
  root: () => library().root(),
  metadataRoot: () => library().metadataRoot(),
  nodes: (_, prefixes) => library().nodes(prefixes),
  paths: (_, ids) => library().paths(ids),
  close: () => opened?.library.close(),
};

function library(): Library {
  if (opened !== null) return opened.library;
  throw new SelfsameError("BAD_ARGUMENT", "expected an open library, got a call before open()");
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
    send({ type: "error", id, error: errorToWire(error) });
  } finally {
    stops.delete(id);
  }
}

function send(message: FromWorker): void {
  globalThis.postMessage(message);
}

onModelProgress((event) => send({ type: "model", event }));
globalThis.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "call") void answer(data.id, data.call, data.args);
  else stops.get(data.id)?.abort(data.reason);
});
