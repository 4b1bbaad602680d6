import { count } from "./count.ts";
import { element } from "./element.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Session } from "./session.ts";

/** Shows what the library holds, and the two fingerprints that devices compare. */
export function libraryCard(session: Session): HTMLElement {
  const body = element("div");
  const card = element(
    "section",
    { class: "card prints-card", "aria-labelledby": "library-title" },
    element("h2", { id: "library-title" }, "Library"),
    body,
  );
  session.stats.watch((stats) => {
    card.hidden = stats === null;
    if (stats === null) return;
    const { documents, chunks, root, canon } = stats;
    body.replaceChildren(
      element("p", { class: "counts" }, `${count(documents, "document")}, ${count(chunks, "chunk")}`),
      element(
        "dl",
        { class: "prints" },
        element("dt", {}, "Root ", element("span", { class: "hint" }, "your documents")),
        element("dd", {}, fingerprint(root, "root")),
        element("dt", {}, "Canon ", element("span", { class: "hint" }, "model and rules")),
        element("dd", {}, fingerprint(canon, "canon")),
      ),
      element(
        "p",
        { class: "hint" },
        "Devices with the same two fingerprints give the same answers, to the bit.",
      ),
      element("p", { class: "hint" }, `${session.kept} ${engineOf(session)}`),
    );
  });
  return card;
}

function engineOf({ library }: Session): string {
  const { build } = library!;
  return build === "simd" ? "" : `Engine: ${build}, which is slower and gives the same bits.`;
}
