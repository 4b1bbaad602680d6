import { copyButton } from "./copy.ts";
import { cellsOf, SHORT_DIGITS } from "./digest-colours.ts";
import { element } from "./element.ts";

/**
 * Shows a digest as eight coloured cells, each with its digit. Two that look the same on two devices agree in 32 bits;
 * the copy button copies all 256.
 */
export function fingerprint(digest: string, name: string): HTMLElement {
  const cells = cellsOf(digest).map(({ character, cell, digit }) => {
    const made = element("span", { class: "cell" }, character);
    made.style.setProperty("--cell", cell);
    made.style.setProperty("--digit", digit);
    return made;
  });
  return element(
    "span",
    { class: "fingerprint", title: digest },
    element(
      "span",
      { class: "cells", role: "img", "aria-label": `${name}: begins ${digest.slice(0, SHORT_DIGITS)}` },
      ...cells,
    ),
    copyButton(() => digest, `Copy all 64 digits of the ${name}`),
  );
}
