import { resolve } from "node:path";
import { type AddFilesReport, type Build, open } from "../index.ts";
import { findOrPlaceLibrary } from "./location.ts";
import { bold, dim, green, print, printFields, printJson } from "./output.ts";
import { duration, ProgressBar } from "./progress-bar.ts";

export interface IndexCommandOptions {
  readonly db?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly model: string;
  readonly build: Build | "auto";
  readonly root?: string;
  readonly include?: string[];
  readonly exclude?: string[];
}

const SKIPPED_SHOWN = 10;

/** `selfsame index <paths…>` */
export async function indexFiles(paths: string[], options: IndexCommandOptions): Promise<void> {
  const name = findOrPlaceLibrary(options.db);
  const { model, build, force = false } = options;
  const started = performance.now();
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error("interrupted"));
  process.once("SIGINT", onInterrupt);
  const library = await open(name, { model, build, rebuild: force });
  const bar = new ProgressBar();
  try {
    const { root, include, exclude } = options;
    const report = await library.addFiles(
      paths.map((path) => resolve(path)) /* the current folder's, not the root's */,
      {
        force,
        signal: stop.signal,
        onProgress: bar.update,
        ...(root === undefined ? {} : { root }),
        ...(include === undefined ? {} : { include }),
        ...(exclude === undefined ? {} : { exclude }),
      },
    );
    bar.end();
    if (options.json) printJson({ library: name, ...report });
    else printReport(name, report, (performance.now() - started) / 1000);
  } finally {
    bar.end();
    process.off("SIGINT", onInterrupt);
    await library.close();
  }
}

function printReport(name: string, report: AddFilesReport, seconds: number): void {
  const { added, updated, unchanged, removed, skipped, chunks, embedded, root } = report;
  const nothing = added + updated + removed === 0;
  print(
    nothing
      ? `Nothing changed: ${unchanged} files are up to date (${duration(seconds)}).`
      : `Indexed in ${duration(seconds)}.`,
  );
  if (!nothing) {
    printFields([
      ["added", String(added)],
      ["updated", String(updated)],
      ["unchanged", String(unchanged)],
      ["removed", String(removed)],
      ["chunks", `${chunks} written, ${embedded} texts embedded`],
    ]);
  }
  for (const { path, reason, detail } of skipped.slice(0, SKIPPED_SHOWN)) {
    print(dim(`skipped ${path}: ${reason}${detail === undefined ? "" : ` (${detail})`}`));
  }
  if (skipped.length > SKIPPED_SHOWN)
    print(dim(`… and ${skipped.length - SKIPPED_SHOWN} more skipped (--json lists all)`));
  printFields([
    ["library", name],
    ["root", bold(green(root))],
  ]);
}
