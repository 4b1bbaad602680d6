import { openDatabase } from "../store/open.browser.ts";
import { Sqlite } from "../store/sqlite.ts";
import thread from "./browser-thread.ts";
import { fetchBytes } from "./fetch.ts";
import type { Platform, WorkerHandle } from "./platform.ts";

/** Each thread holds the model: more of them would ask too much of a phone. */
const THREADS_MAX = 4;

let sqlite: Promise<Sqlite> | undefined;

const platform: Platform = {
  ...thread,
  async openDatabase(name, options) {
    sqlite ??= fetchBytes(new URL("../../build/sqlite.wasm", import.meta.url)).then(Sqlite.load);
    return openDatabase(await sqlite, name, options);
  },
  startEmbedWorker: () =>
    handle(new Worker(new URL("../model/worker.js", import.meta.url), { type: "module" })),
  startPairsWorker: () =>
    handle(new Worker(new URL("../vectors/pairs-worker.js", import.meta.url), { type: "module" })),
  // Asked when wanted: pages are also rendered by servers, where importing this file must not fail.
  get threads() {
    const { hardwareConcurrency = 1, userAgent = "" } = globalThis.navigator ?? {};
    // Firefox (153) leaves threads that a Worker starts without a beginning, or without an end, in one of four tries.
    return userAgent.includes("Firefox/") ? 1 : Math.min(hardwareConcurrency, THREADS_MAX);
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
