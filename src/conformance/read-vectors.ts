import { pageAddress } from "../engine/page-address.ts";
import { resources } from "../engine/resources.ts";

/** Returns the content of a file below test-vectors/, by its path there: `arith.json`, `corpus/notes/journal.md`. */
export type ReadVectors = (file: string) => Promise<string | Uint8Array>;

// Not written as new URL("…", import.meta.url): a bundler would then look for a single file and copy it. These are many
// files. A page that needs them serves the folder and says where it is (`vectorsUrl`).
const here = import.meta.url;

/** Reads from a folder on the web or the device; without one, from this package. */
export function vectorsAt(base: string | URL | undefined): ReadVectors {
  const folder =
    base === undefined ? new URL("../../test-vectors/", here) : new URL(base, pageAddress() ?? here);
  // Without its trailing slash, the folder's own name would be replaced.
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return (file) => resources.readUrl(new URL(file.split("/").map(encodeURIComponent).join("/"), folder));
}
