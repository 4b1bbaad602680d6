import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { counted } from "../../errors/index.ts";
import { tokenFrom } from "../../http/index.ts";
import { type Library, open, type PulledChange, type PullOptions, type PullReport } from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { locateLibrary, openOrMake } from "../location.ts";
import { bold, dim, green, print, printFields, printJson } from "../output.ts";
import { duration, ProgressBar } from "../progress-bar.ts";
import { withNamespaces } from "../with-namespaces.ts";

export interface PullCommandOptions {
  readonly db?: string;
  readonly namespace?: string;
  readonly data: string;
  readonly mirror?: boolean;
  readonly merge?: "ours" | "theirs" | "both";
  readonly dryRun?: boolean;
  readonly verify: "all" | "sample" | "none";
  readonly tokenFile?: string;
  readonly model?: string;
  readonly json?: boolean;
}

const SHOWN_MAX = 40;
const SIGNS: Readonly<Record<PulledChange["change"], string>> = {
  ...{ added: "+", updated: "≠", metadata: "·", removed: "-", kept: "!", undecided: "!" },
};

/** Runs `selfsame pull <source>`. */
export async function pull(source: string, options: PullCommandOptions): Promise<void> {
  const token = tokenFrom(options.tokenFile, process.env["SELFSAME_TOKEN"]);
  const bar = new ProgressBar(options.json === true);
  await interruptible(async (signal) => {
    const given: PullOptions = {
      mode: options.mirror === true ? "mirror" : "merge",
      conflicts: options.merge ?? "both",
      dryRun: options.dryRun === true,
      verify: options.verify,
      signal,
      onProgress: bar.pulled,
      ...(token === undefined ? {} : { token }),
    };
    const work = (library: Library) => pulled(library, source, given, bar, options);
    try {
      if (options.namespace !== undefined) await inNamespace(options.namespace, options, work);
      else await inLibrary(source, options, work);
    } finally {
      bar.end();
    }
  });
}

async function inNamespace(
  namespace: string,
  { data, model }: PullCommandOptions,
  work: (library: Library) => Promise<void>,
): Promise<void> {
  const opened = { data, isMade: true, ...(model === undefined ? {} : { model }) };
  await withNamespaces(opened, (namespaces) => namespaces.use(namespace, work));
}

/** A new library gets the namespace that the address names: ids are of one namespace. */
async function inLibrary(
  source: string,
  { db, model }: PullCommandOptions,
  work: (library: Library) => Promise<void>,
): Promise<void> {
  const file = locateLibrary(db);
  const named = /^https?:.*\/v1\/namespaces\/([^/]+)\/?$/.exec(source)?.[1];
  const isNew = !existsSync(file) || statSync(file).size === 0;
  const library = await openOrMake(file, (name) =>
    open(name, {
      ...(model === undefined ? {} : { model }),
      ...(isNew && named !== undefined ? { namespace: decodeURIComponent(named) } : {}),
    }),
  );
  try {
    await work(library);
  } finally {
    await library.close();
  }
}

async function pulled(
  library: Library,
  source: string,
  given: PullOptions,
  bar: ProgressBar,
  options: PullCommandOptions,
): Promise<void> {
  const started = performance.now();
  const report = await from(library, source, given, options.model);
  bar.end();
  if (options.json === true) printJson({ source, library: library.name, ...report });
  else printReport(library.name, report, given, (performance.now() - started) / 1000);
}

/** Pulls from another library's file, or from what the address names. */
async function from(
  library: Library,
  source: string,
  options: PullOptions,
  model: string | undefined,
): Promise<PullReport> {
  if (!isLibraryFile(source)) return library.pull(source, options);
  const other = await open(resolve(source), model === undefined ? {} : { model });
  try {
    return await library.pull(other, options);
  } finally {
    await other.close();
  }
}

const SQLITE = "SQLite format 3\0";

function isLibraryFile(source: string): boolean {
  if (!existsSync(source) || !statSync(source).isFile()) return false;
  const file = openSync(source, "r");
  try {
    const first = Buffer.alloc(SQLITE.length);
    readSync(file, first, 0, first.length, 0);
    return first.toString("latin1") === SQLITE;
  } finally {
    closeSync(file);
  }
}

function printReport(name: string, report: PullReport, { dryRun }: PullOptions, seconds: number): void {
  const { changes, added, updated, removed, conflicts, ahead, bytes, vectors, verified } = report;
  const inOrder = [...changes].sort((a, b) =>
    Buffer.compare(Buffer.from(a.path ?? a.documentId), Buffer.from(b.path ?? b.documentId)),
  );
  for (const { path, documentId, change, copy } of inOrder.slice(0, SHOWN_MAX)) {
    const beside = copy === null ? "" : `, the other version: ${copy}`;
    print(`${SIGNS[change]} ${path ?? documentId}${dim(explained(change) + beside)}`);
  }
  if (changes.length > SHOWN_MAX) print(dim(`… and ${changes.length - SHOWN_MAX} more (--json lists all)`));
  if (changes.length > 0)
    print(dim("(+ added, ≠ updated, · only times or metadata, - removed, ! changed on both sides)"));
  if (dryRun === true) {
    print(
      `${counted(added, "document")} would be added, ${updated} updated, ${removed} removed, ${counted(conflicts, "conflict")}. Nothing was written.`,
    );
    return;
  }
  print(changes.length === 0 ? `Nothing to pull (${duration(seconds)}).` : `Pulled in ${duration(seconds)}.`);
  if (changes.length > 0)
    printFields([
      ["added", String(added)],
      ["updated", String(updated)],
      ["removed", String(removed)],
      ["conflicts", String(conflicts)],
      ["received", `${bytes} bytes, ${counted(vectors, "vector")}, ${verified} verified here`],
    ]);
  printFields([
    ["library", name],
    ["root", bold(green(report.root))],
    [
      "source",
      report.isSame ? "equal" : `differs: ${counted(ahead, "document")} only here, or in another version`,
    ],
  ]);
}

function explained(change: PulledChange["change"]): string {
  if (change === "kept") return " (changed on both sides: ours stays)";
  return change === "undecided" ? " (changed on both sides)" : "";
}
