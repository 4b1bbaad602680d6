import type { ReceiptDifference } from "selfsame/browser";
import { element } from "./element.ts";
import { fingerprint } from "./fingerprint.ts";

/** What each difference means to the user, and what to do. */
const MEANINGS: Readonly<Record<string, string>> = {
  canon:
    "Other rules: another model, another version of Selfsame, or other settings of the library. Use the same on both devices.",
  root: "Other documents: at least one was added, removed, changed or has another path on one of the devices (notes/a.md and a.md are two). Bring both up to date.",
  metadataRoot: "Other times, types or metadata of the documents, which this search’s filters use.",
  query: "Another question.",
  count: "A different number of results.",
  order: "The first rank with a different chunk.",
  score: "The first rank at which the same chunk has a different score.",
};

const DIGESTS = new Set(["canon", "root", "metadataRoot"]);

/** Returns the name of a chunk, `path#sequence`, if it is known. */
export type NameOf = (chunkId: string) => string | null;

/** Shows what differs, causes first: what the receipt says beside what this device answers. */
export function differencesTable(differences: readonly ReceiptDifference[], nameOf: NameOf): HTMLElement {
  const rows = differences.map(({ what, rank, expected, actual }) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        rank === null ? what : `${what} at rank ${rank}`,
        element(
          "span",
          { class: "hint" },
          MEANINGS[what] ?? (what.startsWith("parameters.") ? "A different search setting." : ""),
        ),
      ),
      element("td", { "data-name": "The receipt says" }, value(what, expected, nameOf)),
      element("td", { "data-name": "This device says" }, value(what, actual, nameOf)),
    ),
  );
  return element(
    "table",
    { class: "differences" },
    element(
      "thead",
      { class: "unseen" },
      element(
        "tr",
        {},
        ...["What differs", "The receipt says", "This device says"].map((name) =>
          element("th", { scope: "col" }, name),
        ),
      ),
    ),
    element("tbody", {}, ...rows),
  );
}

function value(what: string, text: string | null, nameOf: NameOf): Node {
  if (text === null) return element("em", {}, "nothing");
  if (DIGESTS.has(what)) return fingerprint(text, what);
  const name = what === "order" ? nameOf(text) : null;
  const bits = element("code", {}, text);
  return name === null ? bits : element("span", {}, element("span", { class: "path" }, name), " ", bits);
}
