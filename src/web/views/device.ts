import { type Child, element } from "../element.ts";
import type { Questions } from "../questions.ts";
import { receiptCheck } from "../receipt-check.ts";
import { receiptPanel } from "../receipt-panel.ts";
import type { Session } from "../session.ts";

/** Shows whether another device with the same documents gives the same answers. */
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
    element("p", { class: "hint way-there" }, ...samePaths()),
    element("p", { class: "hint way-there" }, ...howToGetThere()),
  );
}

function samePaths(): Child[] {
  return [
    "Paths count, too: “Folder” gives those of ",
    element("code", {}, "selfsame index <folder> --root ."),
    " in the folder above.",
  ];
}

/** `selfsame web` serves only this machine. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function howToGetThere(): Child[] {
  const onComputers: Child[] = [
    "Another computer checks with ",
    element("code", {}, "selfsame verify-receipt"),
    ", or opens its own page with ",
    element("code", {}, "selfsame web"),
    ". ",
  ];
  return LOOPBACK.test(location.hostname)
    ? [
        ...onComputers,
        "A phone cannot reach this one, which is served to this machine alone: ",
        element("code", {}, "selfsame web --export <folder>"),
        " writes the page as static files; put them on any https server and open it there.",
      ]
    : ["Any device with a browser opens this page’s address. ", ...onComputers];
}
