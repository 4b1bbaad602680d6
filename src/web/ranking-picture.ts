import { drawing, element } from "./element.ts";
import type { Channel, Line, Place, RankingDrawing } from "./ranking-lines.ts";

/** The height of a row, in pixels. --row in tokens.css must be the same. */
const ROW = 48;

/** Why a list is empty. */
const NOTHING: Readonly<Record<Channel | "fused", string>> = {
  semantic: "Not searched.",
  lexical: "Not searched, or no chunk contains any of the words.",
  sparse: "No chunk has any of the terms.",
  fused: "",
};

/**
 * Draws the ranked lists, with lines to the fused list between them. The sparse one stands below, without
 * lines, and only if it was searched. All rows have the same height, so the lines
 * need no measuring: the drawing is as tall as the lists and is stretched to the width left between them.
 *
 * @param rows how many places of each list are shown
 */
export function rankingPicture(
  ranking: RankingDrawing,
  rows: number,
  onLight: (chunkId: string | null) => void,
): HTMLElement {
  const picture = element(
    "div",
    { class: "ranking" },
    list("By meaning", "semantic", ranking.semantic, rows, (value) => `cosine ${value.toFixed(3)}`),
    lines(ranking.lines, "semantic", rows),
    list("Fused", "fused", ranking.fused, rows, (value) => value.toFixed(5)),
    lines(ranking.lines, "lexical", rows),
    list("By words", "lexical", ranking.lexical, rows, (value) => `bm25 ${value.toFixed(2)}`),
    ...(ranking.sparse === null
      ? []
      : [list("By terms", "sparse", ranking.sparse, rows, (value) => value.toPrecision(4))]),
  );
  const light = (event: Event) => {
    const chunk = (event.target as Element).closest<HTMLElement>("[data-chunk]")?.dataset["chunk"] ?? null;
    if (chunk === null) return;
    lightUp(picture, chunk);
    onLight(chunk);
  };
  picture.addEventListener("pointerover", light);
  picture.addEventListener("focusin", light);
  picture.addEventListener("keydown", walkByArrows);
  return picture;
}

/** Highlights one chunk in all lists and dims the others. */
export function lightUp(picture: HTMLElement, chunkId: string): void {
  picture.classList.add("has-lit");
  for (const part of picture.querySelectorAll<HTMLElement | SVGElement>("[data-chunk]")) {
    part.classList.toggle("lit", part.dataset["chunk"] === chunkId);
  }
}

function list(
  name: string,
  kind: Channel | "fused",
  places: readonly Place[],
  rows: number,
  show: (value: number) => string,
): HTMLElement {
  const shown = places.slice(0, rows);
  const items = shown.map(({ chunkId, rank, path, chunkIndex, heading, value }, i) => {
    const file = path.slice(path.lastIndexOf("/") + 1);
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          class: "ranked",
          "data-chunk": chunkId,
          // One Tab stop per list; the arrow keys move within it.
          tabindex: i === 0 ? "0" : "-1",
          title: `${path}#${chunkIndex}`,
        },
        element("span", { class: "rank" }, String(rank)),
        element(
          "span",
          { class: heading === null ? "name" : "name has-heading", dir: "auto" },
          heading === null ? null : element("span", { class: "heading" }, heading),
          element("span", { class: "file" }, file),
          element("span", {}, `#${chunkIndex}`),
        ),
        element("span", { class: "value" }, show(value)),
      ),
    );
  });
  return element(
    "section",
    { class: `channel ${kind}` },
    element("h3", {}, name, element("span", { class: "hint" }, ` ${places.length}`)),
    shown.length === 0
      ? element("p", { class: "hint" }, NOTHING[kind])
      : element("ol", { "aria-label": name }, ...items),
  );
}

function lines(all: readonly Line[], channel: Channel, rows: number): SVGSVGElement {
  const height = rows * ROW;
  const middle = (rank: number) => (rank - 0.5) * ROW;
  const paths = all
    .filter((line) => line.channel === channel && line.from <= rows)
    .map(({ chunkId, from, to }) => {
      const isShown = to <= rows;
      const [near, far] = [middle(from), isShown ? middle(to) : height + ROW];
      const [x0, x1] = channel === "semantic" ? [0, 100] : [100, 0];
      return drawing("path", {
        "data-chunk": chunkId,
        class: `line ${channel}${isShown ? "" : " leaving"}`,
        d: `M${x0} ${near}C50 ${near} 50 ${far} ${x1} ${far}`,
        "vector-effect": "non-scaling-stroke",
      });
    });
  return drawing(
    "svg",
    {
      class: "lines",
      viewBox: `0 0 100 ${height}`,
      height,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    ...paths,
  );
}

/** Moves up and down within a list, and left and right to the next list: to the same chunk if it is there. */
function walkByArrows(event: KeyboardEvent): void {
  const here = event.target as HTMLElement;
  const picture = event.currentTarget as HTMLElement;
  const channels = [...picture.querySelectorAll(".channel")].map((each) => [
    ...each.querySelectorAll<HTMLElement>(".ranked"),
  ]);
  const column = channels.findIndex((each) => each.includes(here));
  if (column < 0) return;
  const row = channels[column]!.indexOf(here);
  const beside = (step: number) => {
    const next = channels[column + step] ?? [];
    return (
      next.find((each) => each.dataset["chunk"] === here.dataset["chunk"]) ??
      next[Math.min(row, next.length - 1)]
    );
  };
  const goals: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowDown: () => channels[column]![row + 1],
    ArrowUp: () => channels[column]![row - 1],
    ArrowLeft: () => beside(-1),
    ArrowRight: () => beside(1),
  };
  const goal = goals[event.key]?.();
  if (goal === undefined) return;
  event.preventDefault();
  goal.focus();
}
