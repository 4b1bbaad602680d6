import { startWorker } from "./start-worker.browser.ts";
import inWorker from "./threads.in-worker.browser.ts";
import type { ThreadKind, Threads, WorkerHandle } from "./threads-port.ts";

/** Each thread holds the model. More threads would need too much memory on a phone. */
const THREADS_MAX = 4;

let startThread = (kind: ThreadKind): WorkerHandle => handle(startWorker(kind));

/** Replaces how threads are started: a library's Worker lets the page start them. */
export function startThreadsBy(starter: (kind: ThreadKind) => WorkerHandle): void {
  startThread = starter;
}

const threads: Threads = {
  ...inWorker,
  start: (kind) => startThread(kind),
  // Read when needed: servers render pages too, and importing this file there must not fail.
  get count() {
    return Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, THREADS_MAX);
  },
  // A page itself must not wait; a Worker may, if the page is isolated from other origins.
  get canShare() {
    return globalThis.crossOriginIsolated === true && typeof document === "undefined";
  },
};

function handle(worker: Worker): WorkerHandle {
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    onMessage: (listener) => worker.addEventListener("message", (event) => listener(event.data)),
    onFailure: (listener) =>
      worker.addEventListener("error", (event) =>
        listener(new Error(event.message || "the worker did not start")),
      ),
    release: () => undefined,
    stop: () => worker.terminate(),
  };
}

export default threads;
