import { element } from "../element.ts";
import type { Questions } from "../questions.ts";
import { receiptCheck } from "../receipt-check.ts";
import { receiptPanel } from "../receipt-panel.ts";
import type { Session } from "../session.ts";

/** Whether another device with the same documents answers the same. */
export function deviceView(session: Session, questions: Questions): HTMLElement {
  return element(
    "div",
    { class: "view-device" },
    element("h1", {}, "Same on your other device?"),
    element(
      "p",
      { class: "lead" },
      "Put the same documents on both devices, search on one, and check its receipt on the other: phone, laptop, server, any browser, any CPU.",
    ),
    element("div", { class: "columns" }, receiptPanel(questions), receiptCheck(session, questions)),
  );
}
