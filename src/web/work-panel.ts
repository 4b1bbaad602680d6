import type { ProgressEvent } from "selfsame/browser";
import { announce } from "./announce.ts";
import { count } from "./count.ts";
import { element } from "./element.ts";
import type { Session } from "./session.ts";

/** Progress is announced to screen readers about this often, and no more. */
const HEARD_EVERY_MS = 5000;

/** Shows documents being indexed: progress, speed, and a way to stop. Hidden while nothing is being indexed. */
export function workPanel(session: Session): HTMLElement {
  const bar = element("progress", { "aria-label": "Indexing" });
  const counts = element("p", { class: "counts" });
  const stop = element(
    "button",
    { type: "button", class: "button", onclick: () => session.work.current?.cancel() },
    "Stop",
  );
  const panel = element(
    "section",
    { class: "card work", "aria-label": "Indexing", hidden: true },
    element("div", { class: "work-line" }, element("h2", {}, "Indexing"), stop),
    bar,
    counts,
  );
  let heardAt = 0;
  session.work.watch((work) => {
    panel.hidden = work === null;
    if (work === null) return;
    const { progress } = work;
    if (progress === null) {
      bar.removeAttribute("value");
      counts.textContent = "Reading the documents and loading the model…";
      return;
    }
    bar.max = Math.max(progress.chunksTotal ?? 1, 1);
    if (progress.chunksTotal === null) bar.removeAttribute("value");
    else bar.value = progress.chunks;
    counts.textContent = howFar(progress);
    if (performance.now() - heardAt < HEARD_EVERY_MS) return;
    heardAt = performance.now();
    announce(counts.textContent);
  });
  return panel;
}

/** Returns `1,240 of 10,557 chunks, about 11 min left, docs/x.md`. */
function howFar({ documentsTotal, chunks, chunksTotal, secondsLeft, path }: ProgressEvent): string {
  const far =
    chunksTotal === null
      ? `Reading ${count(documentsTotal, "document")}`
      : `${chunks.toLocaleString("en")} of ${count(chunksTotal, "chunk")}`;
  const isLong = chunksTotal !== null && secondsLeft !== null && secondsLeft >= 2;
  return [far, isLong ? `about ${duration(secondsLeft)} left` : "", path ?? ""]
    .filter((part) => part !== "")
    .join(", ");
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
