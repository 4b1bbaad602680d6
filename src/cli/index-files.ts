import { counted } from "../errors/counted.ts";
import { type AddFilesReport, open } from "../index.ts";
import { interruptible } from "./interruption.ts";
import { openOrMake } from "./location.ts";
import { bold, dim, green, print, printFields, printJson } from "./output.ts";
import { type IndexCommandOptions, planIndexing } from "./plan-indexing.ts";
import { duration, ProgressBar } from "./progress-bar.ts";
import { shownPath } from "./shown-path.ts";

const SKIPPED_SHOWN = 10;

/** `selfsame index [paths…]` */
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
  const { added, updated, unchanged, removed, skipped, chunks, embedded, root } = report;
  const nothing = added + updated + removed === 0;
  if (!nothing) print(`Indexed in ${duration(seconds)}.`);
  else if (unchanged === 0)
    print("No file to index was found: see the paths, --include, --exclude and .gitignore.");
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
  for (const { path, reason, detail } of skipped.slice(0, SKIPPED_SHOWN)) {
    print(dim(`skipped ${path}: ${reason}${detail === undefined ? "" : ` (${detail})`}`));
  }
  if (skipped.length > SKIPPED_SHOWN)
    print(dim(`… and ${skipped.length - SKIPPED_SHOWN} more skipped (--json lists all)`));
  printFields([
    ["library", shownPath(name)],
    ["root", bold(green(root))],
  ]);
}
