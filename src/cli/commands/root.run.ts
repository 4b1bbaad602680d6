import { type LibraryOptions, withLibrary } from "../open-library.ts";
import { print, printJson } from "../output.ts";

export async function root(options: LibraryOptions): Promise<void> {
  await withLibrary(options.db, options, async (library) => {
    const [textRoot, metadataRoot] = [await library.root(), await library.metadataRoot()];
    if (options.json) printJson({ root: textRoot, metadataRoot, canon: library.canon });
    else print(textRoot);
  });
}
