import { counted } from "../../errors/index.ts";
import { type AddFilesReport, type FileTypes, open, previewFiles, type SkippedFile } from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { openOrMake } from "../location.ts";
import { bold, dim, green, print, printFields, printJson } from "../output.ts";
import { type IndexCommandOptions, type IndexPlan, planIndexing } from "../plan-indexing.ts";
import { duration, ProgressBar } from "../progress-bar.ts";
import { relativePath } from "../relative-path.ts";

const SHOWN_MAX = 10;

/** Runs `selfsame index [paths…]`. */
export async function indexFiles(paths: readonly string[], options: IndexCommandOptions): Promise<void> {
  const plan = planIndexing(paths, options);
  const { force = false } = options;
  if (options.dryRun === true) {
    await dryRun(plan, options.json === true);
    return;
  }
  const started = performance.now();
  const bar = new ProgressBar(options.json === true);
  await interruptible(async (signal) => {
    try {
      const library = await openOrMake(plan.library, (file) =>
        open(file, {
          ...plan.open,
          rebuild: force,
          signal,
          onRebuildProgress: bar.update,
          onIndexProgress: bar.graphs,
        }),
      );
      try {
        const report = await library.addFiles(plan.paths, {
          ...plan.files,
          force,
          signal,
          onProgress: bar.update,
        });
        // Many vectors are searched by graphs: here they are expected to take their time, at the first search not.
        if ((await library.stats()).chunks > Number(library.canonParts.segment)) await library.prepare();
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

/** Lists what would be indexed. */
async function dryRun({ paths, files: given }: IndexPlan, json: boolean): Promise<void> {
  await interruptible(async (signal) => {
    const { metadata: _, ...options } = given;
    const preview = await previewFiles(paths, { ...options, signal });
    if (json) {
      printJson(preview);
      return;
    }
    for (const { path } of preview.files) print(path);
    for (const note of preview.skipped.map(leftOut)) print(dim(note));
    printTypes(preview.types);
    print(`${counted(preview.files.length, "file")} would be indexed. Nothing was written.`);
  });
}

/** Prints `by type: 120 html, 14 pdf; left out: 3 images, 2 over 50 MB`. */
function printTypes({ taken, leftOut: left }: FileTypes): void {
  const list = (counts: { readonly [name: string]: number }) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name === "" ? "without extension" : singular(name, count)}`)
      .join(", ");
  const parts = [
    ...(Object.keys(taken).length === 0 ? [] : [`by type: ${list(taken)}`]),
    ...(Object.keys(left).length === 0 ? [] : [`left out: ${list(left)}`]),
  ];
  if (parts.length > 0) print(parts.join("; "));
}

function singular(name: string, count: number): string {
  return count === 1 && /[a-z]s$/.test(name) && name.length > 4 ? name.slice(0, -1) : name;
}

function leftOut({ path, reason, detail }: SkippedFile): string {
  return `skipped ${path}: ${reason}${detail === undefined ? "" : ` (${detail})`}`;
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
    ...skipped.map(leftOut),
    ...metadataFaults.map(({ path, detail }) => `the front matter of ${path} was ignored: ${detail}`),
  ];
  if (!nothing) printTypes(report.types);
  for (const note of notes.slice(0, SHOWN_MAX)) print(dim(note));
  if (notes.length > SHOWN_MAX) print(dim(`… and ${notes.length - SHOWN_MAX} more (--json lists all)`));
  printFields([
    ["library", relativePath(name)],
    ["root", bold(green(root))],
  ]);
}
