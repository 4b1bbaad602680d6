import { existsSync, statSync } from "node:fs";
import { counted } from "../../errors/index.ts";
import {
  type Build,
  type IngestProgress,
  type IngestReport,
  type Library,
  type OpenOptions,
  open,
  openNamespaces,
  vectorsOfFiles,
} from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { locateLibrary, openOrMake } from "../location.ts";
import { bold, dim, green, print, printFields, printJson } from "../output.ts";
import { duration } from "../progress-bar.ts";
import { relativePath } from "../relative-path.ts";
import { StatusLine } from "../status-line.ts";

const SHOW_EVERY_MS = 100;

interface IngestCommandOptions {
  readonly db?: string;
  readonly namespace?: string;
  readonly data: string;
  readonly denseKey?: string;
  readonly vectorCacheLimit?: number;
  readonly dedupeThreshold?: number;
  readonly build: Build | "auto";
  readonly model?: string;
  readonly json?: boolean;
}

/** Runs `selfsame ingest <chunks> [vectors…]`. */
export async function ingestFiles(
  chunks: string,
  vectors: readonly string[],
  options: IngestCommandOptions,
): Promise<void> {
  const files = { chunks, vectors };
  const { denseKey, vectorCacheLimit } = options;
  const reading = {
    ...(denseKey === undefined ? {} : { denseKey }),
    ...(vectorCacheLimit === undefined ? {} : { vectorCacheLimit }),
  };
  const started = performance.now();
  const status = new StatusLine();
  let shown = 0;
  await interruptible(async (signal) => {
    // The files are looked at before a library is created for them.
    const external = await vectorsOfFiles(files, reading);
    const fresh = {
      ...(external === null ? {} : { vectors: external }),
      ...(options.dedupeThreshold === undefined ? {} : { dedupeThreshold: options.dedupeThreshold }),
    };
    await withLibrary(options, fresh, async (library, name) => {
      try {
        const report = await library.ingest(files, {
          ...reading,
          signal,
          onProgress: (event) => {
            if (performance.now() - shown < SHOW_EVERY_MS) return;
            shown = performance.now();
            status.show(line(event));
          },
        });
        status.clear();
        if (options.json) printJson({ library: name, ...report });
        else printReport(name, report, (performance.now() - started) / 1000);
      } finally {
        status.clear();
      }
    });
  });
}

/** Opens the library or the namespace. What belongs to a new one is given only if it does not exist. */
async function withLibrary(
  { db, namespace, data, build, model }: IngestCommandOptions,
  fresh: OpenOptions,
  work: (library: Library, name: string) => Promise<void>,
): Promise<void> {
  const given = { build, ...(model === undefined ? {} : { model }) };
  if (namespace !== undefined) {
    const namespaces = await openNamespaces(data, { ...given, ...fresh });
    try {
      await namespaces.use(namespace, (library) => work(library, namespace));
    } finally {
      await namespaces.close();
    }
    return;
  }
  const file = locateLibrary(db);
  const isNew = !existsSync(file) || statSync(file).size === 0;
  const library = await openOrMake(file, (name) => open(name, { ...given, ...(isNew ? fresh : {}) }));
  try {
    await work(library, relativePath(file));
  } finally {
    await library.close();
  }
}

function line({ step, chunks, chunksPerSecond, share, secondsLeft }: IngestProgress): string {
  if (step !== "reading") return `${counted(chunks, "chunk")}, ${step}`;
  const done = share === null ? "" : ` (${(100 * share).toFixed(0)} %)`;
  const left = secondsLeft === null ? "" : `, ${duration(secondsLeft)} left`;
  return `${counted(chunks, "chunk")}${done}, ${chunksPerSecond.toFixed(0)}/s${left}`;
}

const SHOWN_MAX = 5;

function printReport(name: string, report: IngestReport, seconds: number): void {
  const { added, updated, unchanged, chunks, embedded, duplicates, root } = report;
  if (added + updated === 0) print(`Nothing changed: ${counted(unchanged, "document")} up to date.`);
  else print(`Ingested in ${duration(seconds)}.`);
  printFields([
    ["added", counted(added, "document")],
    ["updated", counted(updated, "document")],
    ["unchanged", counted(unchanged, "document")],
    ["chunks", `${chunks} written${embedded > 0 ? `, ${counted(embedded, "text")} embedded` : ""}`],
    ...(duplicates.length > 0
      ? [["not ranked", `${counted(duplicates.length, "near-duplicate")}`] as const]
      : []),
  ]);
  for (const id of duplicates.slice(0, SHOWN_MAX)) print(dim(`near-duplicate ${id}`));
  if (duplicates.length > SHOWN_MAX)
    print(dim(`… and ${duplicates.length - SHOWN_MAX} more (--json lists all)`));
  printFields([
    ["library", name],
    ["root", bold(green(root))],
  ]);
}
