import { startWorker } from "../library/browser-entry.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

/**
 * The page's side of a library's threads. It starts a thread when the library's Worker asks for one, and connects the
 * two through a port. The Worker could start threads itself, but in Firefox (153) nested Workers fail to start or to
 * end in one of four tries, and old Safari versions do not support them at all.
 */
export class ThreadHost {
  readonly #threads = new Map<number, Worker>();
  readonly #tell: (message: ToWorker) => void;

  constructor(tell: (message: ToWorker) => void) {
    this.#tell = tell;
  }

  start({ id, kind, port }: Extract<FromWorker, { type: "startThread" }>): void {
    const failed = (reason: string) => this.#tell({ type: "threadFailed", id, reason });
    try {
      const thread = startWorker(kind);
      this.#threads.set(id, thread);
      thread.addEventListener("error", (event) => {
        event.preventDefault();
        failed(event.message || "the worker did not start");
      });
      thread.postMessage(null, [port]);
    } catch (error) {
      failed(String(error));
    }
  }

  stop(id: number): void {
    this.#threads.get(id)?.terminate();
    this.#threads.delete(id);
  }

  stopAll(): void {
    for (const id of [...this.#threads.keys()]) this.stop(id);
  }
}
