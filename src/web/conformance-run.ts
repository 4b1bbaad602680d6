import type { ConformanceReport, SuiteResult } from "selfsame/conformance";
import { vectorsUrl } from "./places.ts";

/** The page's only message to the Worker. */
export interface ToConformance {
  readonly vectorsUrl: string;
}

export type FromConformance =
  | { readonly type: "begin"; readonly files: number }
  | { readonly type: "start"; readonly suite: string }
  | { readonly type: "suite"; readonly result: SuiteResult }
  | { readonly type: "report"; readonly report: ConformanceReport }
  | {
      readonly type: "failed";
      readonly code: string | null;
      readonly reason: string;
      readonly hint: string;
    };

/** Starts a run and passes all its messages to `listen`. Returns a function that stops it. */
export function startConformance(listen: (message: FromConformance) => void): () => void {
  const worker = new Worker(new URL("./conformance-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<FromConformance>) => {
    if (data.type === "report" || data.type === "failed") worker.terminate();
    listen(data);
  });
  worker.addEventListener("error", ({ message }) => {
    worker.terminate();
    listen({ type: "failed", code: null, reason: message || "the Worker did not start", hint: "" });
  });
  const request: ToConformance = { vectorsUrl };
  worker.postMessage(request);
  return () => worker.terminate();
}
