// A reader thread: own connections, own model, own vectors. It never writes to a library.
import { parentPort, workerData } from "node:worker_threads";
import { errorRecord } from "../errors/error-record.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import { lookBeside } from "../store/library-files.node.ts";
import { Connection } from "./connection.ts";
import { searchWith } from "./namespace-answer.ts";
import type { NamespaceFile, ReaderMessage, ReaderRequest, ReaderStart } from "./reader-protocol.ts";
import { SharedModels } from "./shared-models.ts";

const { library: options } = workerData as ReaderStart;
const port = parentPort!;
const models = new SharedModels();
const connections = new Map<string, Connection>();

function connection({ name, path }: NamespaceFile): Connection {
  let known = connections.get(name);
  if (known === undefined) {
    known = new Connection(() => openToRead(name, path));
    connections.set(name, known);
  }
  return known;
}

async function openToRead(name: string, path: string): Promise<LibraryParts> {
  // Opening a missing file would make a library.
  if ((lookBeside(path)?.size ?? 0) === 0)
    throw new SelfsameError("DATABASE_MOVED", `expected the library of ${name}, got none`, "Search again");
  const shared = {
    embedder: models.embedder.bind(models),
    crossEncoder: models.crossEncoder.bind(models),
    isReader: true,
  };
  return openParts(path, { ...options, namespace: name }, shared);
}

async function answer(request: ReaderRequest): Promise<unknown> {
  switch (request.type) {
    case "search": {
      const { query, parameters, isPartialWanted } = request;
      const onPartial = isPartialWanted
        ? (partial: object) => post({ type: "partial", answer: partial } as ReaderMessage)
        : undefined;
      return connection(request).use((open) => searchWith(open, query, parameters, onPartial));
    }
    case "verify":
      return connection(request).use(({ library }) => library.verifyReceipt(request.receipt));
    case "close": {
      const known = connections.get(request.name);
      connections.delete(request.name);
      return known?.close();
    }
  }
}

function post(message: ReaderMessage): void {
  port.postMessage(message);
}

port.on("message", async (request: ReaderRequest) => {
  try {
    post({ type: "done", value: await answer(request) });
  } catch (error) {
    post({ type: "failed", error: errorRecord(error) });
  }
});
