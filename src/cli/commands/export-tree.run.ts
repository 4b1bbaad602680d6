import { counted } from "../../errors/index.ts";
import { interruptible } from "../interruption.ts";
import { type NamedLibraryOptions, withNamedLibrary } from "../named-library.ts";
import { print, printJson } from "../output.ts";
import { relativePath } from "../relative-path.ts";

/** Runs `selfsame export --tree <folder>`. */
export async function exportTree(folder: string, options: NamedLibraryOptions): Promise<void> {
  await withNamedLibrary(options, (library) =>
    interruptible(async (signal) => {
      const report = await library.exportTree(folder, { signal });
      if (options.json) printJson({ folder, ...report });
      else {
        const { documents, packs, written, removed } = report;
        print(`${counted(documents, "document")} in ${counted(packs, "pack")} in ${relativePath(folder)}`);
        print(`${written} written, ${packs - written} unchanged, ${counted(removed, "old file")} removed`);
      }
    }),
  );
}
