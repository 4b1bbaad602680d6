import { counted } from "../../errors/index.ts";
import { type AddFilesReport, open } from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { openOrMake } from "../location.ts";
import { bold, dim, green, print, printFields, printJson } from "../output.ts";
import { type IndexCommandOptions, planIndexing } from "../plan-indexing.ts";
import { duration, ProgressBar } from "../progress-bar.ts";
import { relativePath } from "../relative-path.ts";

const SHOWN_MAX = 10;

/** Runs `selfsame index [paths…]`. */
export async function indexFiles(paths: readonly string[], options: IndexCommandOptions): Promise<void> {
  const plan = planIndexing(paths, options);
  const { force = false } = options;
  const started = performance.now();
  const bar = new ProgressBar();
  await interruptible(async (signal) => {
    try {
      const library = await openOrMake(plan.library, (file) =>
        open(file, { ...plan.open, rebuild: force, signal, onRebuildProgress: bar.update }),
      );
      try {
        const report = await library.addFiles(plan.paths, {
          ...plan.files,
          force,
          signal,
          onProgress: bar.update,
        });
        bar.end();
        if (options.json) printJson({ library: plan.library, ...report });
        else printReport(plan.library, report, (performance.now() - started) / 1000);
      } finally {
        await library.close();
      }
    } finally {
      bar.end();
    }
  });
}

function printReport(name: string, report: AddFilesReport, seconds: number): void {
  const { added, updated, unchanged, removed, skipped, metadataFaults, chunks, embedded, root } = report;
  const nothing = added + updated + removed === 0;
  if (!nothing) print(`Indexed in ${duration(seconds)}.`);
  else if (unchanged === 0)
    print("No files to index were found. Check the paths, --include, --exclude and .gitignore.");
  else {
    const files = `${counted(unchanged, "file")} ${unchanged === 1 ? "is" : "are"}`;
    print(`Nothing changed: ${files} up to date (${duration(seconds)}).`);
  }
  if (!nothing) {
    printFields([
      ["added", String(added)],
      ["updated", String(updated)],
      ["unchanged", String(unchanged)],
      ["removed", String(removed)],
      ["chunks", `${chunks} written, ${counted(embedded, "text")} embedded`],
    ]);
  }
  const notes = [
    ...skipped.map(
      ({ path, reason, detail }) => `skipped ${path}: ${reason}${detail === undefined ? "" : ` (${detail})`}`,
    ),
    ...metadataFaults.map(({ path, detail }) => `the front matter of ${path} was ignored: ${detail}`),
  ];
  for (const note of notes.slice(0, SHOWN_MAX)) print(dim(note));
  if (notes.length > SHOWN_MAX) print(dim(`… and ${notes.length - SHOWN_MAX} more (--json lists all)`));
  printFields([
    ["library", relativePath(name)],
    ["root", bold(green(root))],
  ]);
}
