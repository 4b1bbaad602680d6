// Runs the vectors in a thread of its own: some rooms compute for seconds.
import { ROOM_NAMES, runConformance } from "selfsame/conformance";
import type { FromConformance, ToConformance } from "./conformance-run.ts";

const say = (message: FromConformance) => globalThis.postMessage(message);

globalThis.addEventListener("message", async ({ data }: MessageEvent<ToConformance>) => {
  try {
    say({ type: "begin", files: ROOM_NAMES.length });
    const report = await runConformance({
      vectorsUrl: data.vectorsUrl,
      onStart: (room) => say({ type: "start", room }),
      onRoom: (result) => say({ type: "room", result }),
    });
    say({ type: "report", report });
  } catch (error) {
    // A clone would lose the code.
    const { code, message, reason, hint } = error as Partial<
      Record<"code" | "message" | "reason" | "hint", string>
    >;
    say({ type: "failed", code: code ?? null, reason: reason ?? message ?? String(error), hint: hint ?? "" });
  }
});
