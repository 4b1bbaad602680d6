import type { ChunkInfo, Explanation, SearchAnswer } from "selfsame/browser";
import { element } from "./element.ts";
import { rankingDrawing } from "./ranking-lines.ts";
import { MARKDOWN, marked, runsOf, shorten, withoutHashes } from "./snippet.ts";

/** Shows how one chunk's score is computed, and the chunk's text. */
export function rankingSum(
  answer: SearchAnswer,
  explanation: Explanation,
  chunkId: string,
  chunk: ChunkInfo | null,
): HTMLElement {
  const { lines, fused } = rankingDrawing(explanation);
  const place = fused.find((each) => each.chunkId === chunkId);
  if (place === undefined) return element("div");
  const mine = lines.filter((line) => line.chunkId === chunkId);
  const terms = mine.flatMap(({ channel, from }, i) => [
    i === 0 ? "" : " + ",
    element(
      "span",
      { class: `term ${channel}` },
      `${decimal(explanation.weights[channel] ?? 0)}/(${decimal(explanation.rrfK)} + ${from})`,
    ),
  ]);
  const found = answer.results.find((each) => each.chunkId === chunkId);
  const text = found ?? (chunk === null ? null : { content: chunk.text, highlights: [] });
  const runs = text === null ? [] : runsOf(text);
  const bits = answer.mode === "hybrid" ? scoreBits(place.value) : null;
  return element(
    "div",
    { class: "sum" },
    element(
      "p",
      { class: "sum-head" },
      element("span", { class: "place" }, String(place.rank)),
      element("span", { class: "path" }, `${place.path}#${place.chunkIndex}`),
      element("span", { class: "breadcrumb" }, found?.breadcrumb ?? chunk?.breadcrumb ?? ""),
    ),
    answer.mode === "hybrid"
      ? element(
          "p",
          { class: "equation" },
          ...terms,
          " = ",
          element("strong", {}, place.value.toFixed(8)),
          element("span", { class: "hint" }, ` bits ${bits}`),
        )
      : null,
    element(
      "p",
      { class: "snippet" },
      ...marked(shorten(MARKDOWN.test(place.path) ? withoutHashes(runs) : runs)),
    ),
  );
}

/** Formats 1 as `1`, and 0.65 (a binary32) as `0.65`. */
function decimal(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function scoreBits(score: number): string {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, score);
  return view.getUint32(0).toString(16).padStart(8, "0");
}
