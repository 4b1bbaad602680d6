import { SelfsameError } from "../index.ts";
import { abortedError, errorOfRecord, type ModelProgress } from "../library/browser-entry.ts";
import type { CallName, Calls, FromWorker, ToWorker } from "./protocol.ts";
import { ThreadHost } from "./thread-host.ts";

/** The messages that answer a call. */
type Answer = Extract<FromWorker, { type: "value" | "error" | "progress" }>;

interface Pending {
  resolve(value: never): void;
  reject(error: Error): void;
  readonly onProgress: ((event: never) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with progress reports from the Worker. */
  readonly onProgress?: ((event: never) => void) | undefined;
  /** What is handed over to the Worker instead of cloned. */
  readonly transfer?: Transferable[];
}

/** The page's end of the connection to a library's Worker: each call returns a promise. */
export class Connection {
  readonly #worker: Worker;
  readonly #threads = new ThreadHost((message) => this.#send(message));
  readonly #pending = new Map<number, Pending>();
  #next = 1;
  #ended: SelfsameError | null = null;

  constructor(onModelProgress: ((event: ModelProgress) => void) | undefined) {
    this.#worker = new Worker(new URL("./library-worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (this.#ended !== null) return;
      if (data.type === "model") onModelProgress?.(data.event);
      else if (data.type === "startThread") this.#threads.start(data);
      else if (data.type === "stopThread") this.#threads.stop(data.id);
      else this.#receive(data);
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(
        new SelfsameError(
          "WORKER_FAILED",
          `expected a working thread, got ${event.message || "a thread that did not start"}`,
          "Check that library-worker.js is served beside this file and that worker-src allows it; then open the library again. " +
            'With Vite, set optimizeDeps: { exclude: ["selfsame"] } and worker: { format: "es" } in vite.config.js',
        ),
      );
    });
  }

  call<C extends CallName>(
    call: C,
    args: Parameters<Calls[C]>,
    { signal, onProgress, transfer }: CallOptions = {},
  ): Promise<ReturnType<Calls[C]>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (signal?.aborted)
      return Promise.reject(abortedError(signal, `a call of ${call}`, "a stop request before it"));
    const id = this.#next++;
    const stop = () => this.#send({ type: "abort", id, reason: String(signal?.reason) });
    signal?.addEventListener("abort", stop, { once: true });
    const answer = new Promise<ReturnType<Calls[C]>>((resolve, reject) => {
      this.#send({ type: "call", id, call, args }, transfer);
      this.#pending.set(id, { resolve: resolve as Pending["resolve"], reject, onProgress });
    });
    return answer.finally(() => signal?.removeEventListener("abort", stop));
  }

  /** Ends the thread. Calls in progress and all later calls are rejected with `reason`. */
  end(reason: SelfsameError): void {
    this.#ended ??= reason;
    this.#worker.terminate();
    this.#threads.stopAll();
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }

  #receive(message: Answer): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.type === "progress") {
      pending.onProgress?.(message.event as never);
      return;
    }
    this.#pending.delete(message.id);
    if (message.type === "value") pending.resolve(message.value as never);
    else pending.reject(errorOfRecord(message.error));
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    try {
      this.#worker.postMessage(message, transfer);
    } catch (cause) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected arguments that can be sent to a Worker, got ${cause instanceof Error ? cause.message : cause}`,
        "Pass plain data: no functions and no DOM elements",
        { cause },
      );
    }
  }
}
