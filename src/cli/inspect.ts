// `selfsame root`, `selfsame stats`, `selfsame diff A B`: what a library holds, and where two differ.
import { counted } from "../errors/counted.ts";
import { type Library, type LibraryStats, open } from "../index.ts";
import { compareUtf8 } from "../text/order.ts";
import { findLibrary } from "./location.ts";
import { bold, dim, green, print, printFields, printJson } from "./output.ts";
import { shownPath } from "./shown-path.ts";

interface Options {
  readonly db?: string;
  readonly model?: string;
  readonly json?: boolean;
}

export async function root(options: Options): Promise<void> {
  await withLibrary(options.db, options, async (library) => {
    const [textRoot, metadataRoot] = [await library.root(), await library.metadataRoot()];
    if (options.json) printJson({ root: textRoot, metadataRoot, canon: library.canon });
    else print(textRoot);
  });
}

export async function stats(options: Options): Promise<void> {
  await withLibrary(options.db, options, async (library) => {
    const found = await library.stats();
    if (options.json) return printJson({ library: library.name, model: library.model, ...found });
    printFields([
      ["library", shownPath(library.name)],
      ["documents", String(found.documents)],
      ["chunks", `${found.chunks} of ${counted(found.tokens, "token")}`],
      ["text", counted(found.textBytes, "byte")],
      ["vectors", `${found.embeddings - found.unusedEmbeddings} of ${library.model}${kept(found)}`],
      ["root", bold(green(found.root))],
      ["metadata", found.metadataRoot],
      ["canon", found.canon],
    ]);
    print(dim("root is of paths and texts, metadata of types and times, canon of the rules"));
  });
}

/** Vectors of texts that no document has now: one that comes back is not embedded again. */
function kept({ unusedEmbeddings }: LibraryStats): string {
  return unusedEmbeddings === 0 ? "" : ` (${unusedEmbeddings} more kept, for texts that come back)`;
}

/** Exit code 0 for equal libraries, 1 for different ones, as diff(1). */
export async function diff(a: string, b: string, options: Options): Promise<void> {
  await withLibrary(a, options, (here) =>
    withLibrary(b, options, async (there) => {
      const differences = (await here.diff(there)).sort((x, y) => compareUtf8(x.path ?? "", y.path ?? ""));
      const roots = { a: await here.root(), b: await there.root() };
      if (options.json) printJson({ equal: differences.length === 0, roots, differences });
      else if (differences.length === 0) print(`Equal: both have the root ${bold(green(roots.a))}`);
      else {
        const sign = { "only here": "<", "only there": ">", "different text": "≠" } as const;
        for (const { path, change } of differences) print(`${sign[change]} ${path}`);
        print(
          dim(
            `${counted(differences.length, "document")} ${differences.length === 1 ? "differs" : "differ"} (< only in ${a}, > only in ${b}, ≠ different text)`,
          ),
        );
      }
      if (differences.length > 0) process.exitCode = 1;
    }),
  );
}

async function withLibrary(
  db: string | undefined,
  { model }: Options,
  work: (library: Library) => Promise<void>,
) {
  const library = await open(findLibrary(db), model === undefined ? {} : { model });
  try {
    await work(library);
  } finally {
    await library.close();
  }
}
