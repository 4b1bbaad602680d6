import type { Build } from "../engine/engine.ts";
import { SelfsameError } from "../errors.ts";
import { fetchBytes } from "./fetch.ts";
import { cachedModelFile } from "./model-cache.ts";
import type { Platform } from "./platform.ts";

/**
 * A browser, as a thread that embeds or compares sees it: one that starts no other threads and opens no database. Apart
 * from browser.ts, because a Worker that refers to itself, or brings SQLite with it, is more than bundlers can do, and
 * more than such a thread must download.
 */
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
  manifestUrl(model) {
    if (model === "all-MiniLM-L6-v2") return new URL("../../models/all-MiniLM-L6-v2.json", import.meta.url);
    const path = `../../models/${model}.json`; // others stand in the served folder, where bundlers do not look
    return new URL(path, import.meta.url);
  },
  // Beside this file, unless `modelUrl` says where.
  packageUrl: async () => new URL("./", import.meta.url),
  readUrl: fetchBytes,
  readModelFile: cachedModelFile,
  openDatabase: () => Promise.reject(notHere("a database")),
  files: null,
  startEmbedWorker: () => {
    throw notHere("a thread that embeds");
  },
  startPairsWorker: () => {
    throw notHere("a thread that compares");
  },
  // Whoever started the thread asks, or sends a port for somebody else to ask through.
  serve(answer) {
    globalThis.addEventListener("message", async ({ data, ports: [port] }) => {
      if (port === undefined) globalThis.postMessage(await answer(data));
      else port.onmessage = async (event) => port.postMessage(await answer(event.data));
    });
  },
  threads: 1,
};

function notHere(what: string): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${what} to be started by the library, got a thread of it`,
  );
}

export default platform;
