import type { Build } from "../engine/engine.ts";
import { SelfsameError } from "../errors.ts";
import { Sqlite } from "../store/sqlite.ts";
import { fetchBytes } from "./fetch.ts";
import { cachedModelFile } from "./model-cache.ts";
import type { Platform, WorkerHandle } from "./platform.ts";

let sqlite: Promise<Sqlite> | undefined;

const platform: Platform = {
  // Each address is written out: bundlers find and copy a file only by the literal form new URL("…", import.meta.url).
  engineUrl(build: Build): URL {
    switch (build) {
      case "simd":
        return new URL("../../build/engine.simd.wasm", import.meta.url);
      case "soft":
        return new URL("../../build/engine.soft.wasm", import.meta.url);
      case "scalar":
        return new URL("../../build/engine.scalar.wasm", import.meta.url);
    }
  },
  manifestUrl: (model) => new URL(`../../models/${model}.json`, import.meta.url),
  // Beside this file, unless `modelUrl` says where.
  packageUrl: async () => new URL("./", import.meta.url),
  readUrl: fetchBytes,
  readModelFile: cachedModelFile,
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
  files: null,
  startEmbedWorker: () =>
    handle(new Worker(new URL("../model/worker.js", import.meta.url), { type: "module" })),
  serve: (answer) =>
    globalThis.addEventListener("message", async (event) => globalThis.postMessage(await answer(event.data))),
  startPairsWorker: () =>
    handle(new Worker(new URL("../vectors/pairs-worker.js", import.meta.url), { type: "module" })),
  // Asked when wanted: pages are also rendered by servers, where importing this file must not fail.
  get threads() {
    return globalThis.navigator?.hardwareConcurrency || 1;
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
