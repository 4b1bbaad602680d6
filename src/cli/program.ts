// Finds the command, runs it, and reports how it ended. A command's file is loaded only when the command is called.
import { Command, CommanderError } from "commander";
import { SelfsameError } from "../errors/index.ts";
import { type CommandName, DESCRIPTIONS } from "./command-descriptions.ts";
import { interruptionOf } from "./interruption.ts";
import { nearest } from "./nearest-name.ts";
import { printError, printFailure, red } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** `src/cli/commands/` has a file for each command with its options and help. Its action loads the implementation. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<{ readonly command: Command }>>> = {
  index: () => import("./commands/index.options.ts"),
  ingest: () => import("./commands/ingest.options.ts"),
  export: () => import("./commands/export.options.ts"),
  import: () => import("./commands/import.options.ts"),
  pull: () => import("./commands/pull.options.ts"),
  search: () => import("./commands/search.options.ts"),
  get: () => import("./commands/get.options.ts"),
  ls: () => import("./commands/ls.options.ts"),
  rm: () => import("./commands/rm.options.ts"),
  recall: () => import("./commands/recall.options.ts"),
  watch: () => import("./commands/watch.options.ts"),
  root: () => import("./commands/root.options.ts"),
  stats: () => import("./commands/stats.options.ts"),
  diff: () => import("./commands/diff.options.ts"),
  "verify-receipt": () => import("./commands/verify-receipt.options.ts"),
  eval: () => import("./commands/eval.options.ts"),
  embed: () => import("./commands/embed.options.ts"),
  tokenize: () => import("./commands/tokenize.options.ts"),
  verify: () => import("./commands/verify.options.ts"),
  compact: () => import("./commands/compact.options.ts"),
  doctor: () => import("./commands/doctor.options.ts"),
  mcp: () => import("./commands/mcp.options.ts"),
  serve: () => import("./commands/serve.options.ts"),
  cluster: () => import("./commands/cluster.options.ts"),
  snapshot: () => import("./commands/snapshot.options.ts"),
  restore: () => import("./commands/restore.options.ts"),
  web: () => import("./commands/web.options.ts"),
  bench: () => import("./commands/bench.options.ts"),
  demo: () => import("./commands/demo.options.ts"),
};

const FAILED = 1;
const USAGE_ERROR = 2;

const ENDING = `
Example:
  $ selfsame index docs && selfsame search "how are ties broken?"

Defaults are read from selfsame.config.json in this folder or a parent folder. Flags override them.

Exit codes:
  0    done
  1    failed (the message says why), or different, if two things are compared
  2    the command line or selfsame.config.json is wrong
  130  stopped by Ctrl-C (143: by SIGTERM); the library is intact, and the same command resumes from there
       (watch, mcp and serve exit with 0 if they are stopped)`;

export async function run(args: readonly string[]): Promise<void> {
  exitWhereOutputEnds();
  try {
    const [first = ""] = args;
    const program = makeProgram();
    if (first === "--version" || first === "-V") return await showVersion(program, args.slice(1));
    const name = (first === "help" ? args[1] : first) ?? "";
    refuseUnknown(program, name);
    const commands = Object.hasOwn(COMMANDS, name)
      ? [(await COMMANDS[name as CommandName]()).command]
      : Object.entries(DESCRIPTIONS).map(([each, says]) => new Command(each).description(says));
    for (const command of commands)
      program.addCommand(command.exitOverride(), { hidden: command.name() === "demo" });
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    fail(error);
  }
}

function makeProgram(): Command {
  return new Command("selfsame")
    .description("Same query, same chunks, on every device, to the bit.")
    .option("-V, --version", "show the version, the SPEC version and the canon")
    .showHelpAfterError("(selfsame --help shows the commands)")
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    .addHelpText("after", ENDING)
    .exitOverride();
}

async function showVersion(program: Command, rest: readonly string[]): Promise<void> {
  const other = rest.find((each) => each !== "--json");
  if (other !== undefined)
    program.error(`error: expected nothing but --json after --version, got '${other}'`);
  await (await import("./version.ts")).version(rest.length > 0);
}

/** Refuses unknown commands. Commander would show the general help for `serch --help` and for `help serch`. */
function refuseUnknown(program: Command, name: string): void {
  if (name === "" || name === "help" || name.startsWith("-")) return;
  if (Object.hasOwn(COMMANDS, name)) return;
  const near = nearest(name, Object.keys(COMMANDS));
  program.error(`error: unknown command '${name}'${near === null ? "" : `\n(Did you mean ${near}?)`}`);
}

/** Reports the error and ends the process. */
function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    // The help, or what is wrong with the command line, was shown. The process ends by itself once all output is
    // written.
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
    return;
  }
  const interruption = interruptionOf(error);
  if (interruption !== null) {
    printError(
      `${red("selfsame:")} interrupted; finished work is kept, and the same command resumes from there`,
    );
    process.exit(interruption.exitCode);
  }
  printFailure(error);
  const isUsage =
    error instanceof UsageError || (error instanceof SelfsameError && error.code === "BAD_CONFIG");
  process.exit(isUsage ? USAGE_ERROR : FAILED);
}

/**
 * Handles errors of an output. A reader that has seen enough (`| head`) closes the pipe: that is not a failure, and
 * nobody is left to tell. An output that accepts no more data (a full disk) is a failure.
 */
function exitWhereOutputEnds(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
      if (stream === process.stdout)
        printError(`${red("selfsame:")} the output could not be written: ${error.message}`);
      process.exit(FAILED);
    });
  }
}
