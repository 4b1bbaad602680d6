import type { SearchResult } from "selfsame/browser";
import { element } from "./element.ts";

/** A cosine at which the bar is full. Passages rarely come closer to a question than this. */
const FULL = 0.8;

/** Draws how close a result is to the question, as a small bar with its word. Null if the result has no cosine. */
export function closenessBar({ cosine, closeness }: SearchResult, title: string): HTMLElement | null {
  if (cosine === null) return null;
  const fill = element("span", { class: "fill" });
  fill.style.setProperty("--share", String(Math.min(1, Math.max(0.02, cosine / FULL))));
  const word = closeness ?? cosine.toFixed(2);
  return element(
    "span",
    { class: `closeness ${closeness ?? ""}`, title: `Cosine ${cosine.toFixed(3)}. ${title}` },
    element("span", { class: "track", "aria-hidden": "true" }, fill),
    element("span", {}, word),
  );
}
