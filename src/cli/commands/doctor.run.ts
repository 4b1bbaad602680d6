import { arch, availableParallelism, cpus, freemem, platform, release, totalmem } from "node:os";
import { counted } from "../../errors/index.ts";
import {
  checkDevice,
  type Finding,
  type Library,
  open,
  PACKAGE_MODELS,
  SelfsameError,
  unlock,
} from "../../index.ts";
import { checkDisk } from "../check-disk.ts";
import { findConfig } from "../config.ts";
import { findLibrary } from "../location.ts";
import { bold, dim, green, print, printJson, red, yellow } from "../output.ts";
import { relativePath } from "../relative-path.ts";
import { StatusLine } from "../status-line.ts";
import { modelOf } from "../with-model.ts";

export interface DoctorCommandOptions {
  readonly db?: string;
  readonly model?: string;
  readonly full?: boolean;
  readonly unlock?: boolean;
  readonly json?: boolean;
}

/** Memory that the model and a library of a few thousand chunks need in one thread, with some margin. */
const MEMORY_NEEDED = 512 << 20;

const SIGNS = { ok: green("✓"), warning: yellow("!"), problem: red("✗") };

/** Runs `selfsame doctor`. The exit code is 1 if there is a problem. */
export async function doctor(options: DoctorCommandOptions): Promise<void> {
  const status = new StatusLine();
  const findings: { readonly section: string; readonly finding: Finding }[] = [];
  const tell = (section: string) => (finding: Finding) => {
    status.clear();
    if (!options.json) {
      if (findings.at(-1)?.section !== section) {
        if (findings.length > 0) print("");
        print(bold(section));
      }
      printFinding(finding);
    }
    findings.push({ section, finding });
    status.show("checking …");
  };
  const config = findConfig(); // an invalid one is an error here, whatever the flags say
  const wanted = options.model ?? modelOf(config);
  if (options.unlock) for (const finding of await unlock(findLibrary(options.db))) tell("locks")(finding);
  const opened = await openLibrary(options, wanted);
  try {
    for (const finding of hostFindings()) tell("host")(finding);
    const model = options.model ?? namedModel(opened.library) ?? wanted;
    for (const finding of await checkDevice(model === undefined ? {} : { model })) tell("package")(finding);
    tell("package")(await checkDisk());
    await checkLibrary(opened, options.full ?? false, tell("library"));
  } finally {
    status.clear();
    await opened.library?.close();
  }
  const count = (verdict: Finding["verdict"]) =>
    findings.filter(({ finding }) => finding.verdict === verdict).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (options.json) {
    const flat = findings.map(({ section, finding }) => ({ section, ...finding }));
    printJson({ isSound: problems === 0, library: opened.name, findings: flat });
  } else {
    print("");
    print(summary(problems, warnings));
  }
  if (problems > 0) process.exitCode = 1;
}

function hostFindings(): Finding[] {
  const [cpu] = cpus();
  const available = availableMemory();
  const [total, free] = [totalmem(), available].map((bytes) => `${(bytes / 2 ** 30).toFixed(1)} GB`);
  const { versions } = process;
  const runtime = versions["bun"]
    ? `Bun ${versions["bun"]}`
    : versions["deno"]
      ? `Deno ${versions["deno"]}`
      : null;
  const engine = versions["v8"] === undefined ? "" : `, V8 ${versions["v8"]}`;
  const isShort = available < MEMORY_NEEDED;
  return [
    fact("runtime", `${runtime ?? `Node ${versions.node}`}${engine} on ${platform()} ${release()}`),
    fact("CPU", `${arch()}, ${cpu?.model.trim() ?? "unknown"}, ${counted(availableParallelism(), "thread")}`),
    {
      subject: "memory",
      verdict: isShort ? "warning" : "ok",
      detail: `${free} of ${total} available`,
      wayOut: isShort ? "Close other programs: each thread needs a few hundred MB for the model" : "",
    },
  ];
}

function fact(subject: string, detail: string): Finding {
  return { subject, verdict: "ok", detail, wayOut: "" };
}

/**
 * Returns the memory that this process may still use, which a container may limit. Node reports it since version 20.13.
 */
function availableMemory(): number {
  return (process as { availableMemory?: () => number }).availableMemory?.() ?? freemem();
}

/** The library, its name (null if there is none), and the problem found when opening it, if any. */
interface Opened {
  readonly name: string | null;
  readonly library: Library | null;
  readonly finding: Finding | null;
}

/** Opens the library. This comes first, because it decides which model is checked. */
async function openLibrary({ db, model }: DoctorCommandOptions, wanted: string | undefined): Promise<Opened> {
  let name: string | null = null;
  try {
    name = findLibrary(db);
    const known = wanted === undefined ? {} : { knownModels: [wanted] };
    return { name, library: await open(name, model === undefined ? known : { model }), finding: null };
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    // If no library was named, none is required.
    const isNone = name === null && db === undefined && error.code === "FILE_MISSING";
    const none = "none in this folder or a parent folder; create one with selfsame index <paths…>";
    return { name, library: null, finding: isNone ? fact("library", none) : failure(error) };
  }
}

/**
 * Returns the library's model if this package has it. Any other model is read only if the user names it, never because
 * a file does.
 */
function namedModel(library: Library | null): string | undefined {
  return library !== null && PACKAGE_MODELS.includes(library.model) ? library.model : undefined;
}

async function checkLibrary(
  { name, library, finding }: Opened,
  full: boolean,
  tell: (finding: Finding) => void,
): Promise<void> {
  if (finding !== null) tell(finding);
  if (library === null || name === null) return;
  try {
    const { documents, chunks } = await library.stats();
    const size = `${counted(documents, "document")}, ${counted(chunks, "chunk")}`;
    tell(fact("library", `${relativePath(name)}, ${size}`));
    await library.check({ full, onFinding: tell });
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    tell(failure(error));
  }
}

function failure(error: SelfsameError): Finding {
  const detail = `${error.code}: ${error.reason}`;
  return { subject: "library", verdict: "problem", detail, wayOut: error.hint };
}

const SUBJECT_WIDTH = 15;
const INDENT = " ".repeat(SUBJECT_WIDTH + 3);

function printFinding({ subject, verdict, detail, wayOut }: Finding): void {
  // Shows only the start of each compared digest; --json has all of it.
  const short = detail.replace(/(sha256 [0-9a-f]{16})[0-9a-f]{48}/g, "$1…");
  const [first = "", ...more] = wrapped(verdict === "ok" ? short : detail).map((line) =>
    verdict === "ok" ? dim(line) : line,
  );
  print(`${SIGNS[verdict]} ${subject.padEnd(SUBJECT_WIDTH)} ${first}`);
  for (const line of more) print(INDENT + line);
  if (wayOut === "") return;
  const [way = "", ...rest] = wrapped(wayOut, 2);
  print(`${INDENT}→ ${way}`);
  for (const line of rest) print(`${INDENT}  ${line}`);
}

/** Wraps a text at word boundaries to fit beside the subjects on this terminal. In a pipe it stays one line. */
function wrapped(text: string, extraIndent = 0): string[] {
  const width = (process.stdout.columns ?? Number.POSITIVE_INFINITY) - INDENT.length - extraIndent;
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function summary(problems: number, warnings: number): string {
  if (problems > 0) return red(bold(`${counted(problems, "problem")}, ${counted(warnings, "warning")}.`));
  if (warnings > 0) return yellow(bold(`No problem, ${counted(warnings, "warning")}.`));
  return `${green(bold("All is well."))} ${dim("selfsame verify runs the published vectors.")}`;
}
