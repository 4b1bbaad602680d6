import { printReceipt, type Receipt } from "selfsame/browser";
import { copyButton } from "./copy.ts";
import { count } from "./count.ts";
import { watchFor } from "./current-view.ts";
import { element } from "./element.ts";
import { fingerprint } from "./fingerprint.ts";
import { icon } from "./icons.ts";
import { qrCode } from "./qr-code.ts";
import type { Questions } from "./questions.ts";

/** Shows the receipt of the last search: its digest, to compare by eye or camera, and its text, to send. */
export function receiptPanel(questions: Questions): HTMLElement {
  const body = element("div");
  watchFor("device", questions.answer, (answer) => {
    body.replaceChildren(answer === null ? nothingYet() : receiptBody(answer.receipt));
  });
  return element(
    "section",
    { class: "card", "aria-labelledby": "receipt-title" },
    element("h2", { id: "receipt-title" }, "This device’s receipt"),
    body,
  );
}

function nothingYet(): HTMLElement {
  return element(
    "p",
    { class: "empty" },
    "A receipt is made by every search. ",
    element("a", { href: "#library" }, "Search for something"),
    " first.",
  );
}

function receiptBody(receipt: Receipt): HTMLElement {
  const text = printReceipt(receipt);
  return element(
    "div",
    {},
    element(
      "p",
      { class: "lead" },
      "“",
      element("strong", {}, receipt.query),
      `”, ${count(receipt.results.length, "result")}`,
    ),
    element(
      "div",
      { class: "digest-side" },
      element(
        "figure",
        {},
        qrCode(
          digestAddress(receipt.digest),
          `QR code of this page’s address with the receipt’s digest, which begins ${receipt.digest.slice(0, 8)}`,
        ),
        element(
          "figcaption",
          { class: "hint" },
          "Scan it with your other device: it opens this page there, with the digest filled in.",
        ),
      ),
      element(
        "div",
        {},
        element("h3", {}, "Digest"),
        fingerprint(receipt.digest, "receipt’s digest"),
        element("p", { class: "digits" }, ...groups(receipt.digest)),
        element(
          "p",
          { class: "hint" },
          "One number over the documents, the rules, the question, every result and every bit of its score. If your other device shows the same digest, its answer is the same.",
        ),
        element(
          "div",
          { class: "buttons" },
          copyButton(() => text, "Copy the receipt as text", "Copy receipt"),
          downloadLink(text, receipt.digest),
        ),
      ),
    ),
    element(
      "details",
      { class: "receipt-text" },
      element("summary", {}, "The receipt as text"),
      element("pre", { tabindex: "0", "aria-label": "The receipt as text" }, text),
    ),
  );
}

/** Returns the address of this page that checks a digest. The part after # never leaves the device that opens it. */
export function digestAddress(digest: string): string {
  return `${location.origin}${location.pathname}#device=${digest}`;
}

/** Groups digits by four, as people read them aloud. */
function groups(digest: string): HTMLElement[] {
  return (digest.match(/.{4}/g) ?? []).map((four) => element("span", {}, four));
}

function downloadLink(text: string, digest: string): HTMLElement {
  return element(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        const link = element("a", { href: url, download: `receipt-${digest.slice(0, 8)}.json` });
        link.click();
        URL.revokeObjectURL(url);
      },
    },
    icon("download"),
    "Download",
  );
}
