import { pageAddress } from "../engine/page-address.ts";
import { resources } from "../engine/resources.ts";

/** The content of a file below test-vectors/, by its path there: `arith.json`, `corpus/notes/journal.md`. */
export type ReadVectors = (file: string) => Promise<string | Uint8Array>;

// Not in the form new URL("…", import.meta.url), by which a bundler would look for one file and copy it: these are many,
// and a page that wants them serves the folder and says where (`vectorsUrl`).
const here = import.meta.url;

/** Reads from a folder of the web or the device; without one, from this package's own. */
export function vectorsAt(base: string | URL | undefined): ReadVectors {
  const folder =
    base === undefined ? new URL("../../test-vectors/", here) : new URL(base, pageAddress() ?? here);
  // Without its last slash the folder's own name would be replaced.
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return (file) => resources.readUrl(new URL(file.split("/").map(encodeURIComponent).join("/"), folder));
}
