import { type Receipt, type ReceiptVerdict, SelfsameError } from "selfsame/browser";
import { count } from "./count.ts";
import { element } from "./element.ts";
import { failureCard } from "./failure.ts";
import { fingerprint } from "./fingerprint.ts";
import { icon } from "./icons.ts";
import type { Questions } from "./questions.ts";
import { differencesTable, type NameOf } from "./receipt-differences.ts";
import { scanButton } from "./scan-code.ts";
import type { Session } from "./session.ts";

const DIGEST = /^[0-9a-f]{64}$/;
const DIGEST_AT_END = /(?:^|=)([0-9a-f]{64})$/;
/** The page shows a digest in groups of four, so a copied digest may contain the spaces. */
const SPACES = /\s+/g;

/** Takes a receipt of another device, or only its digest, and says whether this library gives the same answer. */
export function receiptCheck(session: Session, questions: Questions): HTMLElement {
  const verdict = element("div", { class: "verdict", "aria-live": "polite" });
  const text = element("textarea", {
    id: "receipt-input",
    rows: "7",
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: "Paste a receipt, or the 64 digits of its digest",
  });
  const file = element("input", {
    type: "file",
    class: "unseen",
    tabindex: "-1",
    accept: ".json,application/json,text/plain",
    "aria-label": "Choose a receipt’s file",
    onchange: async () => {
      await take(file.files);
      file.value = "";
    },
  });
  const take = async (files: FileList | null | undefined) => {
    const chosen = files?.[0];
    if (chosen === undefined) return;
    try {
      text.value = await chosen.text();
    } catch (error) {
      return verdict.replaceChildren(failureCard(error));
    }
    await check();
  };
  const takeCode = (code: string) => {
    text.value = DIGEST_AT_END.exec(code)?.[1] ?? code;
    void check();
  };
  // The QR code of another device opens this page with a digest in its address.
  const takeAddress = () => {
    const digest = DIGEST_AT_END.exec(location.hash)?.[1];
    if (digest !== undefined && location.hash.startsWith("#device=")) takeCode(digest);
  };
  addEventListener("hashchange", takeAddress);
  session.stats.watch((stats) => {
    if (stats !== null && text.value === "") takeAddress();
  });
  const check = async () => {
    const given = text.value.trim();
    verdict.replaceChildren(element("p", { class: "hint" }, "Checking…"));
    verdict.replaceChildren(await judge(session, questions, given));
  };
  return element(
    "section",
    {
      class: "card",
      "aria-labelledby": "check-title",
      // A file dropped here is a receipt; anywhere else it is a document.
      ondrop: (event: DragEvent) => {
        if (event.dataTransfer?.files.length === 0) return;
        event.preventDefault();
        void take(event.dataTransfer?.files);
      },
    },
    element("h2", { id: "check-title" }, "Your other device’s receipt"),
    element(
      "form",
      {
        onsubmit: (event: Event) => {
          event.preventDefault();
          void check();
        },
      },
      element("label", { for: "receipt-input" }, "Receipt or digest"),
      text,
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "submit", class: "button primary" }, icon("check"), "Verify here"),
        element(
          "button",
          { type: "button", class: "button", onclick: () => file.click() },
          icon("file"),
          "Open a file",
        ),
        file,
        scanButton(takeCode, (error) => verdict.replaceChildren(failureCard(error))),
      ),
    ),
    verdict,
    element(
      "p",
      { class: "hint" },
      "On a computer, ",
      element("code", {}, "selfsame search … --receipt r.json"),
      " writes one and ",
      element("code", {}, "selfsame verify-receipt r.json"),
      " checks one.",
    ),
  );
}

async function judge(session: Session, questions: Questions, given: string): Promise<HTMLElement> {
  if (given === "") return element("p", { class: "hint" }, "Paste a receipt first.");
  const digits = given.replace(SPACES, "").toLowerCase();
  if (DIGEST.test(digits)) return judgeDigest(questions, digits);
  if (session.library === null) return withoutLibrary(session);
  // Chunks of the last search are shown by name; those of another library only by id.
  const last = questions.answer.current?.explanation?.fused ?? [];
  const names = new Map(last.map(({ chunkId, path, chunkIndex }) => [chunkId, `${path}#${chunkIndex}`]));
  const nameOf: NameOf = (chunkId) => names.get(chunkId) ?? null;
  try {
    const verdict = await session.use((library) => library.verifyReceipt(given));
    return verdict === null ? withoutLibrary(session) : judged(verdict, nameOf);
  } catch (error) {
    return (await judgeAltered(session, given, error, nameOf)) ?? failureCard(error);
  }
}

/** Says that no library is open. The error and the button to try again are at the top of the page. */
function withoutLibrary({ phase }: Session): HTMLElement {
  const reason =
    phase.current.kind === "failed"
      ? "The library is not open: try again above, then verify again."
      : "The library is still being opened. Verify again in a moment.";
  return element("p", { class: "hint" }, reason);
}

/**
 * Judges a receipt that was altered: its contents do not match its digest. The error has the digest that would match;
 * with it, the receipt can still be compared. Returns null if the receipt is bad in another way.
 */
async function judgeAltered(
  session: Session,
  given: string,
  error: unknown,
  nameOf: NameOf,
): Promise<HTMLElement | null> {
  const fitting = error instanceof SelfsameError ? error.details["digestOfContents"] : undefined;
  if (fitting === undefined) return null;
  const mended = JSON.stringify({ ...JSON.parse(given), digest: fitting });
  const verdict = await session.use((library) => library.verifyReceipt(mended)).catch(() => null);
  return element(
    "div",
    { class: "judgement different" },
    element("p", { class: "headline" }, icon("cross"), "This receipt was altered"),
    element(
      "p",
      {},
      "Its contents do not match its digest, so it does not say what the other device answered.",
    ),
    verdict === null || verdict.isSame
      ? null
      : element("p", {}, "As it stands, it differs from this device’s answer:"),
    verdict === null || verdict.isSame ? null : differencesTable(verdict.differences, nameOf),
    element("p", { class: "hint" }, "Get the receipt again from the device that made it."),
  );
}

function judged({ isSame, differences, actual, warnings }: ReceiptVerdict, nameOf: NameOf): HTMLElement {
  if (isSame) {
    return same(
      `This device gives the same ${count(actual.results.length, "result")} for “${actual.query}”, in the same order, with the same score bits.`,
      actual.digest,
    );
  }
  return element(
    "div",
    { class: "judgement different" },
    element("p", { class: "headline" }, icon("cross"), "Different"),
    element("p", {}, whetherResultsDiffer(differences)),
    // What this device could not do explains the rest.
    ...warnings.map((warning) => element("p", {}, warning)),
    differencesTable(differences, nameOf),
  );
}

/** The results are what people care about; the rest explains why they differ, or that they may. */
function whetherResultsDiffer(differences: ReceiptVerdict["differences"]): string {
  const what = new Set(differences.map((each) => each.what));
  if (what.has("count") || what.has("order")) return "The results differ: other chunks, or another order.";
  if (what.has("score")) return "The results are the same chunks in the same order; their scores differ.";
  return "The results are the same, in the same order, with the same scores. Only what they came from differs:";
}

/**
 * Judges a digest alone. It does not say what was searched for, so if it differs from that of the last search here,
 * nothing is known yet.
 */
function judgeDigest(questions: Questions, digest: string): HTMLElement {
  const last = questions.answer.current?.receipt;
  if (last?.digest === digest)
    return same(`The last search here, “${last.query}”, has exactly this digest.`, digest);
  return element(
    "div",
    { class: "judgement open" },
    element("p", { class: "headline" }, "Ask the same question here first"),
    element(
      "p",
      {},
      "A digest alone does not say what was searched for. ",
      element("a", { href: "#library" }, "Search here"),
      " for what your other device searched for, in the same way (both, meaning or words; paths; diverse; how many results), then verify again.",
    ),
    last === undefined ? null : digestsBeside(last, digest),
    element(
      "p",
      { class: "hint" },
      "Was that the same question? Then the answers differ: paste the whole receipt to see where.",
    ),
  );
}

function digestsBeside(last: Receipt, given: string): HTMLElement {
  return element(
    "dl",
    { class: "prints" },
    element("dt", {}, "Your other device"),
    element("dd", {}, fingerprint(given, "digest given")),
    element("dt", {}, `Last search here, “${last.query}”`),
    element("dd", {}, fingerprint(last.digest, "digest here")),
  );
}

function same(sentence: string, digest: string): HTMLElement {
  return element(
    "div",
    { class: "judgement same" },
    element("p", { class: "headline" }, icon("check"), "Same, to the bit"),
    element("p", {}, sentence),
    fingerprint(digest, "receipt’s digest"),
  );
}
