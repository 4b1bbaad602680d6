import { SelfsameError } from "../errors.ts";
import { Sqlite } from "../store/sqlite.ts";
import thread from "./browser-thread.ts";
import { fetchBytes } from "./fetch.ts";
import type { Platform, WorkerHandle } from "./platform.ts";

/** Each thread holds the model: more of them would ask too much of a phone. */
const THREADS_MAX = 4;

let sqlite: Promise<Sqlite> | undefined;

const platform: Platform = {
  ...thread,
  async openDatabase(name) {
    if (name !== ":memory:") {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected ":memory:", got ${JSON.stringify(name)}: libraries that stay are not there in browsers yet`,
      );
    }
    sqlite ??= fetchBytes(new URL("../../build/sqlite.wasm", import.meta.url)).then(Sqlite.load);
    return (await sqlite).openMemory();
  },
  startEmbedWorker: () =>
    handle(new Worker(new URL("../model/worker.js", import.meta.url), { type: "module" })),
  startPairsWorker: () =>
    handle(new Worker(new URL("../vectors/pairs-worker.js", import.meta.url), { type: "module" })),
  // Asked when wanted: pages are also rendered by servers, where importing this file must not fail.
  get threads() {
    return Math.min(globalThis.navigator?.hardwareConcurrency || 1, THREADS_MAX);
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
