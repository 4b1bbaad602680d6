import type { ThreadKind, WorkerHandle } from "../library/browser-entry.ts";
import type { FromWorker } from "./protocol.ts";

type Send = (message: FromWorker, transfer?: Transferable[]) => void;

/** The library Worker's side of its threads. The page starts them; see thread-host.ts. */
export class AskedThreads {
  readonly #send: Send;
  readonly #listeners = new Map<number, (reason: Error) => void>();
  #next = 1;

  constructor(send: Send) {
    this.#send = send;
  }

  start(kind: ThreadKind): WorkerHandle {
    const id = this.#next++;
    const { port1, port2 } = new MessageChannel();
    this.#send({ type: "startThread", id, kind, port: port2 }, [port2]);
    return {
      post: (message, transfer = []) => port1.postMessage(message, transfer),
      onMessage: (listener) => {
        port1.onmessage = (event) => listener(event.data);
      },
      onFailure: (listener) => this.#listeners.set(id, listener),
      release: () => undefined,
      stop: () => {
        this.#listeners.delete(id);
        port1.close();
        this.#send({ type: "stopThread", id });
      },
    };
  }

  failed(id: number, reason: string): void {
    this.#listeners.get(id)?.(new Error(reason));
  }
}
