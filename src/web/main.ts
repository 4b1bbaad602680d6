import { SelfsameError } from "selfsame/browser";
import { announce } from "./announce.ts";
import { currentView, type ViewName } from "./current-view.ts";
import { element } from "./element.ts";
import { failureCard } from "./failure.ts";
import { header } from "./header.ts";
import { keepOffline } from "./offline.ts";
import { Questions } from "./questions.ts";
import { Session } from "./session.ts";
import { conformanceView } from "./views/conformance.ts";
import { deviceView } from "./views/device.ts";
import { documentView } from "./views/document.ts";
import { libraryView } from "./views/library.ts";
import { rankingView } from "./views/ranking.ts";
import { recallView } from "./views/recall.ts";

const session = new Session();
const questions = new Questions(session);
const views: Readonly<Record<ViewName, HTMLElement>> = {
  library: libraryView(session, questions),
  ranking: rankingView(session, questions),
  recall: recallView(session, questions),
  device: deviceView(session, questions),
  conformance: conformanceView(),
  document: documentView(session, questions),
};

const alerts = element("div", { class: "alerts" });
const main = element("main", { id: "main", tabindex: "-1" }, alerts, ...Object.values(views));
document.body.prepend(
  element("a", { class: "skip", href: "#main" }, "Skip to the content"),
  header(session),
  main,
);

function followAddress(): void {
  // A view may have a place in it: #document=path, #device=digest.
  const name = location.hash.slice(1).split("=")[0]!;
  if (name === "main") main.focus();
  else currentView.set(Object.hasOwn(views, name) ? (name as ViewName) : "library");
}

addEventListener("hashchange", followAddress);
followAddress();
currentView.watch((view) => {
  for (const [each, element] of Object.entries(views)) element.hidden = each !== view;
});
let before = currentView.current;
currentView.watch((view) => {
  if (view !== before) tellView(views[view]);
  before = view;
});

/**
 * Announces or focuses the new view. If the focus is in the bar, it stays there and the view is announced. Otherwise
 * the heading is focused, because a link in the old view lost the focus when that view was hidden.
 */
function tellView(view: HTMLElement): void {
  // Views have different heights, so each starts at the top.
  scrollTo(0, 0);
  const focused = document.activeElement;
  const heading = view.querySelector<HTMLElement>("h1:not([hidden] *)");
  if (heading === null || view.contains(focused)) return;
  if (focused?.closest(".bar")) {
    announce(heading.textContent ?? "");
    return;
  }
  heading.tabIndex = -1;
  heading.focus();
}

/** Without a library, the way to open one comes before everything else. */
function alertCard(): HTMLElement | null {
  const phase = session.phase.current;
  if (phase.kind === "failed") {
    const again = button("Try again", "button primary", () => void session.start());
    const without = button("Continue without keeping anything", "button", () => void session.start(false));
    return failureCard(phase.error, again, ...(isAboutStorage(phase.error) ? [without] : []));
  }
  const error = session.failure.current;
  if (error === null) return null;
  return failureCard(
    error,
    button("Dismiss", "button", () => session.failure.set(null)),
  );
}

function showAlert(): void {
  const card = alertCard();
  alerts.replaceChildren(...(card === null ? [] : [card]));
}

session.failure.watch(showAlert);
session.phase.watch(showAlert);

function button(caption: string, style: string, onclick: () => void): HTMLButtonElement {
  return element("button", { type: "button", class: style, onclick }, caption);
}

function isAboutStorage(error: unknown): boolean {
  return error instanceof SelfsameError && /^(DATABASE|QUOTA)_/.test(error.code);
}

// Another tab may have written in the meantime.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void session.refresh();
});

void session.begin();
void keepOffline();
