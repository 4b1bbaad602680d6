import { openDatabase } from "../store/open.browser.ts";
import { Sqlite } from "../store/sqlite.ts";
import thread from "./browser-thread.ts";
import { fetchBytes } from "./fetch.ts";
import type { Platform, WorkerHandle } from "./platform.ts";
import { startWorker, type ThreadKind } from "./start-worker.browser.ts";

/** Each thread holds the model: more of them would ask too much of a phone. */
const THREADS_MAX = 4;

let sqlite: Promise<Sqlite> | undefined;
let startThread = (kind: ThreadKind): WorkerHandle => handle(startWorker(kind));

/** From now on threads are started in this way: a library's Worker leaves it to the page. */
export function startThreadsBy(starter: (kind: ThreadKind) => WorkerHandle): void {
  startThread = starter;
}

const platform: Platform = {
  ...thread,
  async openDatabase(name, options) {
    sqlite ??= fetchBytes(new URL("../../build/sqlite.wasm", import.meta.url)).then(Sqlite.load);
    return openDatabase(await sqlite, name, options);
  },
  startEmbedWorker: () => startThread("embed"),
  startPairsWorker: () => startThread("pairs"),
  // Asked when wanted: pages are also rendered by servers, where importing this file must not fail.
  get threads() {
    return Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, THREADS_MAX);
  },
};

function handle(worker: Worker): WorkerHandle {
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.addEventListener("message", (event) => listener(event.data)),
    onFailure: (listener) =>
      worker.addEventListener("error", (event) =>
        listener(new Error(event.message || "the worker did not start")),
      ),
    stop: () => worker.terminate(),
  };
}

export default platform;
