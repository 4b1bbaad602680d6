import { realpathSync, statSync } from "node:fs";
import { access, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { parentPort, Worker } from "node:worker_threads";
import { SelfsameError } from "../errors.ts";
import { readFound } from "../ingest/read-found.node.ts";
import { walk } from "../ingest/walk.node.ts";
import { openDatabase } from "../store/open.node.ts";
import { fetchBytes } from "./fetch.ts";
import type { Platform, WorkerHandle } from "./platform.ts";

/** Node, and Deno and Bun, which answer to the same condition and have the same built-ins. */
const platform: Platform = {
  engineUrl: (build) => new URL(`../../build/engine.${build}.wasm`, import.meta.url),
  manifestUrl: (model) => new URL(`../../models/${model}.json`, import.meta.url),
  async packageUrl(name) {
    let folder: URL;
    try {
      folder = new URL("./", import.meta.resolve(name));
    } catch (cause) {
      throw new SelfsameError(
        "FILE_MISSING",
        `expected the npm package ${name}, got none`,
        `Install it: npm install ${name}`,
        { cause },
      );
    }
    // The entry point lies somewhere below the folder that has the package.json.
    for (; folder.pathname !== "/"; folder = new URL("../", folder)) {
      const found = await access(new URL("package.json", folder)).then(
        () => true,
        () => false,
      );
      if (found) break;
    }
    return folder;
  },
  openDatabase,
  files: {
    walk,
    // Loaded by whoever watches: nobody else needs the watcher.
    watch: async (paths, options) => (await import("../ingest/watch.node.ts")).watchFiles(paths, options),
    read: readFound,
    folderOf(library) {
      const folder = library === ":memory:" ? process.cwd() : dirname(resolve(library));
      return basename(folder) === ".selfsame" ? dirname(folder) : folder;
    },
    nameOfFolder: (folder, library) =>
      relative(realpathSync(dirname(resolve(library))), realpathSync(folder))
        .split(sep)
        .join("/"),
    folderNamed: (name, library) => resolve(realpathSync(dirname(resolve(library))), name),
    isFile: (folder, path) => statSync(resolve(folder, path), { throwIfNoEntry: false })?.isFile() === true,
  },
  startEmbedWorker: () => handle(new Worker(new URL("../model/worker.js", import.meta.url))),
  startPairsWorker: () => handle(new Worker(new URL("../vectors/pairs-worker.js", import.meta.url))),
  serve: (answer) =>
    parentPort!.on("message", async (request) => parentPort!.postMessage(await answer(request))),
  threads: availableParallelism(),
  readUrl,
  readModelFile: readUrl,
};

async function readUrl(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (url.protocol !== "file:") return fetchBytes(url);
  try {
    return await readWhole(url);
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a readable file at ${url.href}, got ${cause instanceof Error ? cause.message : cause}`,
      "Check the path; the package's own files come back with a fresh install (in a clone: npm run build)",
      { cause },
    );
  }
}

/** All of a file with one copy of it: readFile takes pieces of half a megabyte and joins them, twice as slow for weights. */
async function readWhole(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(url);
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(size);
    let end = 0;
    for (let read = 1; end < size && read > 0; end += read)
      read = (await file.read(bytes, end, size - end, end)).bytesRead;
    return end === size ? bytes : bytes.slice(0, end);
  } finally {
    await file.close();
  }
}

function handle(worker: Worker): WorkerHandle {
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on("message", listener),
    onFailure: (listener) => {
      worker.on("error", listener);
      worker.on("exit", (code) => listener(new Error(`the worker ended with exit code ${code}`)));
    },
    stop: () => void worker.terminate(),
  };
}

export default platform;
