import { type ErrorRecord, errorOfRecord, errorRecord } from "../../errors/error-record.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { type PulledLibrary, remoteOf } from "./library-remote.ts";
import type { Remote } from "./remote.ts";

/** One end of a channel between threads: a MessagePort of a browser, or of Node. */
export interface RemotePort {
  /** Sends a message, which is cloned. */
  postMessage(message: unknown): void;
  /** Listens to messages. */
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** Begins to deliver messages. */
  start?(): void;
  /** Ends the channel. */
  close(): void;
}

/** Questions are numbered. A pack is sent piece by piece, each when it is asked for: `next` has its number. */
type Question =
  | { readonly id: number; readonly ask: "head" }
  | {
      readonly id: number;
      readonly ask: "nodes";
      readonly prefixes: readonly string[];
      readonly tree: "text" | "metadata";
    }
  | { readonly id: number; readonly ask: "paths"; readonly ids: readonly string[] }
  | {
      readonly id: number;
      readonly ask: "packs";
      readonly prefixes: readonly string[];
      readonly vectors: boolean;
    }
  | { readonly id: number; readonly ask: "pack" | "piece" | "end"; readonly stream: number };

type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: ErrorRecord });

/** The most streams of packs that one other side may have open. */
const STREAMS_MAX = 16;

/**
 * Answers a pull through a port, until the port is closed: the other side calls `portRemote`.
 *
 * @example
 * const { port1, port2 } = new MessageChannel();
 * serveRemote(library, port1);
 * worker.postMessage({ port: port2 }, [port2]); // there: await other.pull(portRemote(port))
 */
export function serveRemote(library: PulledLibrary | Remote, port: RemotePort): void {
  const remote = remoteOf(library);
  const streams = new Map<number, PackStream>();
  const answer = async (question: Question): Promise<unknown> => {
    switch (question.ask) {
      case "head":
        return remote.head();
      case "nodes":
        return remote.nodes(question.prefixes, question.tree);
      case "paths":
        return remote.paths(question.ids);
      case "packs": {
        if (streams.size >= STREAMS_MAX)
          throw new SelfsameError(
            "BAD_ARGUMENT",
            `expected at most ${STREAMS_MAX} streams of packs, got more`,
          );
        streams.set(question.id, new PackStream(remote, question.prefixes, question.vectors));
        return question.id;
      }
      case "pack":
        return streams.get(question.stream)?.nextPack() ?? false;
      case "piece":
        return streams.get(question.stream)?.nextPiece() ?? null;
      case "end":
        await streams.get(question.stream)?.end();
        return streams.delete(question.stream);
    }
  };
  port.addEventListener("message", ({ data }) => {
    const question = data as Question;
    Promise.resolve()
      .then(() => answer(question))
      .then(
        (value) => port.postMessage({ id: question.id, value } satisfies Answer),
        (error) => port.postMessage({ id: question.id, error: errorRecord(error) } satisfies Answer),
      );
  });
  port.start?.();
}

/** The packs of one request, as they are asked for. */
class PackStream {
  readonly #packs: AsyncIterator<AsyncIterable<Uint8Array>>;
  readonly #stop = new AbortController();
  #pieces: AsyncIterator<Uint8Array> | null = null;

  constructor(remote: Remote, prefixes: readonly string[], vectors: boolean) {
    this.#packs = remote.packs(prefixes, { vectors, signal: this.#stop.signal })[Symbol.asyncIterator]();
  }

  async nextPack(): Promise<boolean> {
    const { done, value } = await this.#packs.next();
    this.#pieces = done ? null : value[Symbol.asyncIterator]();
    return !done;
  }

  async nextPiece(): Promise<Uint8Array | null> {
    const next = await this.#pieces?.next();
    return next === undefined || next.done === true ? null : next.value;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#pieces?.return?.();
    await this.#packs.return?.();
  }
}

/** Returns the library behind a port, on which `serveRemote` answers, as `pull` sees it. */
export function portRemote(port: RemotePort, name: string | null = null): Remote {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const ask = (question: Record<string, unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      pending.set(id, { resolve, reject });
      port.postMessage({ ...question, id });
    });
  port.addEventListener("message", ({ data }) => {
    const answer = data as Answer;
    const waiting = pending.get(answer.id);
    pending.delete(answer.id);
    if ("error" in answer) waiting?.reject(errorOfRecord(answer.error, "BAD_REMOTE"));
    else waiting?.resolve(answer.value);
  });
  port.start?.();
  async function* pieces(stream: unknown): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = (await ask({ ask: "piece", stream })) as Uint8Array | null;
      if (piece === null) return;
      yield piece;
    }
  }
  return {
    name,
    head: () => ask({ ask: "head" }) as ReturnType<Remote["head"]>,
    nodes: (prefixes, tree) => ask({ ask: "nodes", prefixes, tree }) as ReturnType<Remote["nodes"]>,
    paths: (ids) => ask({ ask: "paths", ids }) as ReturnType<Remote["paths"]>,
    async *packs(prefixes, { vectors }) {
      const stream = await ask({ ask: "packs", prefixes, vectors });
      try {
        while ((await ask({ ask: "pack", stream })) === true) yield pieces(stream);
      } finally {
        await ask({ ask: "end", stream });
      }
    },
    async close() {
      port.close();
    },
  };
}
