import { availableParallelism } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import type { ThreadKind, Threads, WorkerHandle } from "./threads-port.ts";

const FILES: Readonly<Record<ThreadKind, string>> = {
  embed: "../model/worker.js",
  pairs: "../vectors/pairs-worker.js",
  segments: "../vectors/segment-worker.js",
};

/** Threads in Node, Deno and Bun. */
const threads: Threads = {
  start: (kind) => handle(new Worker(new URL(FILES[kind], import.meta.url))),
  serve: (answer) =>
    parentPort!.on("message", async (request) => {
      const answered = await answer(request);
      if (answered !== undefined) parentPort!.postMessage(answered);
    }),
  count: availableParallelism(),
  canShare: true,
};

function handle(worker: Worker): WorkerHandle {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => worker.on("message", listener),
    onFailure: (listener) => {
      worker.on("error", listener);
      worker.on("exit", (code) => listener(new Error(`the worker ended with exit code ${code}`)));
    },
    release: () => worker.unref(),
    stop: () => void worker.terminate(),
  };
}

export default threads;
