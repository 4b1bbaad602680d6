import type { ThreadKind } from "./threads-port.ts";

/** Starts a thread. Each address is written out: bundlers find a Worker only by the literal form new Worker(new URL(…)). */
export function startWorker(kind: ThreadKind): Worker {
  switch (kind) {
    case "embed":
      return new Worker(new URL("../model/worker.js", import.meta.url), { type: "module" });
    case "pairs":
      return new Worker(new URL("../vectors/pairs-worker.js", import.meta.url), { type: "module" });
    case "segments":
      return new Worker(new URL("../vectors/segment-worker.js", import.meta.url), { type: "module" });
  }
}
