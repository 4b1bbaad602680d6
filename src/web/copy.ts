import { announce } from "./announce.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";

const SHOWN_MS = 1600;

/** Makes a small button that copies a text and confirms it. */
export function copyButton(text: () => string, label: string, caption?: string): HTMLButtonElement {
  const sign = element("span", { class: "sign" }, icon("copy"));
  const button = element(
    "button",
    {
      type: "button",
      class: caption === undefined ? "quiet-button" : "button",
      "aria-label": caption ? null : label,
      title: label,
    },
    sign,
    caption ?? null,
  );
  button.addEventListener("click", async () => {
    const isCopied = await copy(text());
    sign.replaceChildren(icon(isCopied ? "check" : "cross"));
    announce(
      isCopied ? "Copied." : "This browser did not allow copying: select the text and copy it by hand.",
    );
    setTimeout(() => sign.replaceChildren(icon("copy")), SHOWN_MS);
  });
  return button;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
