import { currentView, type ViewName } from "./current-view.ts";
import { drawing, element } from "./element.ts";
import { modelStatus } from "./model-status.ts";
import type { Session } from "./session.ts";
import { themeButton } from "./theme.ts";

const TABS: readonly (readonly [view: ViewName, name: string, shortName: string])[] = [
  ["library", "Search", "Search"],
  ["ranking", "Ranking", "Ranking"],
  ["recall", "Recall", "Recall"],
  ["device", "Other device", "Device"],
  ["conformance", "Conformance", "Vectors"],
];

/** The bar at the top. */
export function header(session: Session): HTMLElement {
  const links = TABS.map(([view, name, shortName]) => ({
    view,
    link: element(
      "a",
      { href: `#${view}`, "aria-label": name },
      element("span", { class: "wide" }, name),
      element("span", { class: "narrow" }, shortName),
    ),
  }));
  currentView.watch((current) => {
    const name = TABS.find(([view]) => view === current)?.[1] ?? "Document";
    document.title = `${name} – Selfsame`;
    for (const { view, link } of links) {
      if (view === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  });
  return element(
    "header",
    { class: "bar" },
    element(
      "a",
      { class: "brand", href: "#library", "aria-label": "Selfsame" },
      mark(),
      element("span", {}, "selfsame"),
    ),
    element("nav", { "aria-label": "Views" }, ...links.map(({ link }) => link)),
    element("div", { class: "bar-end" }, modelStatus(session), themeButton()),
  );
}

/** The logo: two identical squares. */
function mark(): SVGSVGElement {
  return drawing(
    "svg",
    { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true" },
    drawing("rect", { x: 4, y: 6, width: 15, height: 15, rx: 4 }),
    drawing("rect", { x: 13, y: 11, width: 15, height: 15, rx: 4 }),
    drawing("path", { d: "M13 15a4 4 0 0 1 4-4h2v6a4 4 0 0 1-4 4h-2z", class: "overlap" }),
  );
}
