import { encode } from "uqr";
import { drawing } from "./element.ts";

/** The width of the white border around a code, in modules. Readers need four. */
const BORDER = 4;

/** Draws a text as a QR code, dark on white in both themes, because readers expect that. */
export function qrCode(text: string, label: string): SVGSVGElement {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return drawing(
    "svg",
    {
      class: "qr",
      viewBox: `0 0 ${size} ${size}`,
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    drawing("rect", { width: size, height: size, fill: "#ffffff" }),
    drawing("path", { d: dark.join(""), fill: "#000000" }),
  );
}
