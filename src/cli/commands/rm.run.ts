import { counted } from "../../errors/index.ts";
import { type Library, SelfsameError } from "../../index.ts";
import { type Places, placesOf } from "../document-places.ts";
import { type LibraryOptions, withLibrary } from "../open-library.ts";
import { dim, print, printJson } from "../output.ts";

/** Runs `selfsame rm <paths…>`. All are found before one is removed. */
export async function rm(typed: readonly string[], options: LibraryOptions): Promise<void> {
  await withLibrary(options.db, options, async (library) => {
    const places = await placesOf(library);
    const wanted = new Set<string>();
    for (const each of typed) for (const path of await find(library, places, each)) wanted.add(path);
    const paths = [...wanted];
    const { removed } = await library.remove(paths);
    if (options.json) {
      printJson({ removed, paths, root: await library.root() });
      return;
    }
    for (const path of paths) print(`removed ${path}`);
    print(dim(`${counted(removed, "document")}; a file that is still there comes back with selfsame index`));
  });
}

async function find(library: Library, places: Places, typed: string): Promise<readonly string[]> {
  for (const path of places.meant(typed)) {
    try {
      if ((await library.lines(path, 1, 1)) !== null) return [path];
    } catch (error) {
      // Not a path that any document could have, such as ../x.
      if (!(error instanceof SelfsameError && error.code === "BAD_ARGUMENT")) throw error;
    }
  }
  const matching = /[*?[{]/.test(typed) ? await library.documents({ match: typed }) : [];
  if (matching.length > 0) return matching.map(({ path }) => path);
  throw new SelfsameError(
    "FILE_MISSING",
    `expected a document of ${library.name}, got none at ${JSON.stringify(typed)}`,
    "Nothing was removed; selfsame ls lists them",
  );
}
