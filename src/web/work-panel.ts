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
    bar.max = Math.max(progress.documentsTotal, 1);
    if (progress.documents === 0) bar.removeAttribute("value");
    else bar.value = progress.documents;
    counts.textContent = howFar(progress);
    if (performance.now() - heardAt < HEARD_EVERY_MS) return;
    heardAt = performance.now();
    announce(counts.textContent);
  });
  return panel;
}

/** Chunks come first: they advance one by one, documents in batches. */
function howFar({ documents, documentsTotal, chunks, chunksPerSecond, secondsLeft }: ProgressEvent): string {
  const all = count(documentsTotal, "document");
  return [
    `${count(chunks, "chunk")} embedded`,
    chunksPerSecond >= 1 ? `${chunksPerSecond.toFixed(0)} a second` : "",
    documents === 0 ? `from ${all}` : `${documents.toLocaleString("en")} of ${all} written`,
    secondsLeft !== null && secondsLeft >= 2 ? `about ${duration(secondsLeft)} left` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
