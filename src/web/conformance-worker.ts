// Runs the vectors in a separate thread, because some suites compute for seconds.
import { runConformance, SUITE_NAMES } from "selfsame/conformance";
import type { FromConformance, ToConformance } from "./conformance-run.ts";

const say = (message: FromConformance) => globalThis.postMessage(message);

globalThis.addEventListener("message", async ({ data }: MessageEvent<ToConformance>) => {
  try {
    say({ type: "begin", files: SUITE_NAMES.length });
    const report = await runConformance({
      vectorsUrl: data.vectorsUrl,
      onStart: (suite) => say({ type: "start", suite }),
      onSuite: (result) => say({ type: "suite", result }),
    });
    say({ type: "report", report });
  } catch (error) {
    // Cloning an error would lose its code.
    const { code, message, reason, hint } = error as Partial<
      Record<"code" | "message" | "reason" | "hint", string>
    >;
    say({ type: "failed", code: code ?? null, reason: reason ?? message ?? String(error), hint: hint ?? "" });
  }
});
