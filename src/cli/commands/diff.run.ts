import { counted } from "../../errors/index.ts";
import { type LibraryOptions, withLibrary } from "../open-library.ts";
import { bold, dim, green, print, printJson } from "../output.ts";

/** Runs `selfsame diff`. As with diff(1), the exit code is 0 for equal libraries and 1 for different ones. */
export async function diff(a: string, b: string, options: LibraryOptions): Promise<void> {
  await withLibrary(a, options, (here) =>
    withLibrary(b, options, async (there) => {
      const differences = (await here.diff(there)).sort((x, y) => byBytes(x.path ?? "", y.path ?? ""));
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

/** The order of paths used everywhere: by their UTF-8 bytes. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
