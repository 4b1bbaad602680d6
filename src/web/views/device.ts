import { type Child, element } from "../element.ts";
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
      "Put the same documents on both devices, search on one, and check its receipt on the other: phone, laptop, server, any browser, any CPU. ",
      ...howToGetThere(),
    ),
    element("div", { class: "columns" }, receiptPanel(questions), receiptCheck(session, questions)),
  );
}

/** What `selfsame web` serves is for this machine alone. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function howToGetThere(): Child[] {
  const commands: Child[] = [
    element("code", {}, "selfsame web"),
    " gives it this page, and ",
    element("code", {}, "selfsame verify-receipt"),
    " needs no page.",
  ];
  if (!LOOPBACK.test(location.hostname))
    return ["Open this page’s address there. On a computer, ", ...commands];
  return [
    "On another computer, ",
    ...commands,
    " A phone needs the page from a server with https: it is a folder of plain files, which any can serve; from here only this machine gets it.",
  ];
}
