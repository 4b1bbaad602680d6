#!/usr/bin/env node
// The command line: parses, calls the library, prints. Each command is loaded when it is called.
import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { failed } from "./output.ts";

const version = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  .version as string;

/** Exit codes: 0 done, 1 failed (the message says why), 2 the command line itself is wrong. */
const USAGE_ERROR = 2;

const program = new Command("selfsame")
  .description("Same query, same chunks, on every device, to the bit.")
  .version(version)
  .showHelpAfterError("(selfsame --help shows the commands)")
  .configureHelp({ sortSubcommands: false });

const build = new Option("--build <build>", "which build of the engine; all give the same bits")
  .choices(["auto", "simd", "soft", "scalar"])
  .default("auto");
const model = new Option("--model <name>", "a model of models/, by name").default("all-MiniLM-L6-v2");
const json = new Option("--json", "one JSON document on standard output, nothing else");

program
  .command("embed")
  .description("turn a text into its vector")
  .argument("<text>", "the text; - reads standard input")
  .addOption(build)
  .addOption(model)
  .addOption(json)
  .addHelpText("after", '\nExample:\n  $ selfsame embed "The quick brown fox" --build soft --json')
  .action(async (text: string, options) => (await import("./embed.ts")).embed(text, options));

program
  .command("tokenize")
  .description("show the tokens of a text, with the bytes that each covers")
  .argument("<text>", "the text; - reads standard input")
  .addOption(model)
  .addOption(json)
  .addHelpText("after", '\nExample:\n  $ selfsame tokenize "naïve café"')
  .action(async (text: string, options) => (await import("./tokenize.ts")).tokenize(text, options));

const db = new Option(
  "--db <file>",
  "the library; default: .selfsame/library.db of this folder or one above it",
);

program
  .command("index")
  .description("bring a library up to date with files: new, changed and removed ones")
  .argument("<paths...>", "files and folders")
  .addOption(db)
  .option("--force", "read, chunk and index every file again; make a library of another canon anew")
  .option("--root <folder>", "the folder that paths count from; default: the one that holds the library")
  .option("--include <patterns...>", 'only files that match one, such as "docs/**/*.md"')
  .option("--exclude <patterns...>", "no file that matches one")
  .addOption(build)
  .addOption(model)
  .addOption(json)
  .addHelpText("after", "\nExample:\n  $ selfsame index docs notes.md")
  .action(async (paths: string[], options) => (await import("./index-files.ts")).indexFiles(paths, options));

program
  .command("search")
  .description("find chunks by meaning, by words, or by both")
  .argument("<query>", 'words; "a phrase" must be there, -word must not')
  .addOption(db)
  .addOption(
    new Option("--mode <mode>", "which channels are searched")
      .choices(["hybrid", "semantic", "lexical", "keyword"])
      .default("hybrid"),
  )
  .addOption(new Option("--top-k <n>", "how many results").argParser(wholeNumber).default(10))
  .option("--path <patterns...>", 'only documents whose path matches, such as "docs/**"')
  .option("--mime <types...>", 'only documents of a type, such as "text/markdown"')
  .option("--after <date>", "only documents modified after it (UTC unless it names a zone)")
  .option("--before <date>", "only documents modified before it")
  .option("--contains <text>", "only documents that hold this text")
  .option("--diversify", "results unlike each other")
  .option("--explain", "show both ranked lists and how they were fused")
  .option("--receipt <file>", "write a receipt that any device can check")
  .addOption(build)
  .addOption(model)
  .addOption(json)
  .addHelpText("after", '\nExample:\n  $ selfsame search "how are ties broken?" --top-k 5 --explain')
  .action(async (query: string, options) => (await import("./search.ts")).search(query, options));

program
  .command("verify-receipt")
  .description("make the search of a receipt again: does this library answer the same?")
  .argument("<file>", "what search --receipt wrote; - reads standard input")
  .addOption(db)
  .addOption(model)
  .addOption(json)
  .addHelpText(
    "after",
    "\nExample:\n  $ selfsame verify-receipt receipt.json\n\nExit code: 0 the same, 1 different",
  )
  .action(async (file: string, options) =>
    (await import("./verify-receipt.ts")).verifyReceipt(file, options),
  );

program
  .command("eval")
  .description("measure how well each mode finds what people judged relevant")
  .requiredOption("--queries <file>", "queries: JSON lines, an id and a tab before each, or TREC topics")
  .requiredOption("--qrels <file>", "judgements: JSON lines, TREC's four columns, or BEIR's three")
  .addOption(db)
  .addOption(new Option("-k <n>", "how many results count").argParser(wholeNumber).default(10))
  .addOption(model)
  .addOption(json)
  .addHelpText(
    "after",
    "\nJudged are documents by path, chunks by path#number, or chunks by id.\n" +
      "\nExample:\n  $ selfsame eval --queries queries.jsonl --qrels qrels.jsonl",
  )
  .action(async (options) => (await import("./eval.ts")).evaluate(options));

program
  .command("mcp")
  .description("serve agents: search and index through the Model Context Protocol")
  .option(
    "--root <folder>",
    "a folder that clients may reach, once for each; default: this one",
    (folder: string, folders: string[] = []) => [...folders, folder],
  )
  .addOption(db)
  .option("--http [port]", "over HTTP on 127.0.0.1 instead of standard input and output; default port 7337")
  .option("--token <token>", "a bearer token that HTTP clients must send; better given as SELFSAME_TOKEN")
  .addOption(
    new Option("--rrf-k <n>", "the constant of fusion of search_rifflux").argParser(wholeNumber).default(60),
  )
  .addOption(build)
  .addOption(model)
  .addHelpText("after", "\nExample:\n  $ selfsame mcp --root docs")
  .action(async (options) => (await import("./mcp.ts")).mcp(options, version));

program
  .command("demo", { hidden: true })
  .argument("[question]", "", "how are ties broken?")
  .action(async (question: string) => (await import("./demo.ts")).demo(question));

program
  .command("root")
  .description("print the root: equal on every device with the same documents")
  .addOption(db)
  .addOption(model)
  .addOption(json)
  .addHelpText("after", "\nExample:\n  $ selfsame root")
  .action(async (options) => (await import("./inspect.ts")).root(options));

program
  .command("diff")
  .description("show the documents in which two libraries differ")
  .argument("<a>", "a library")
  .argument("<b>", "another one")
  .addOption(model)
  .addOption(json)
  .addHelpText("after", "\nExample:\n  $ selfsame diff laptop.db phone.db\n\nExit code: 0 equal, 1 different")
  .action(async (a: string, b: string, options) => (await import("./inspect.ts")).diff(a, b, options));

program
  .command("stats")
  .description("count what a library holds")
  .addOption(db)
  .addOption(model)
  .addOption(json)
  .addHelpText("after", "\nExample:\n  $ selfsame stats --json")
  .action(async (options) => (await import("./inspect.ts")).stats(options));

program
  .command("verify")
  .description("run the published test vectors: does this device compute the same bits?")
  .addOption(build)
  .option("--only <rooms...>", "only these files of test-vectors/, such as arith search")
  .addOption(
    new Option("--effort <effort>", "engine: for slow devices, without the search of a whole library")
      .choices(["full", "engine"])
      .default("full"),
  )
  .option("--vectors <folder>", "a copy of test-vectors/; default: the package's own")
  .addOption(json)
  .addHelpText("after", "\nExample:\n  $ selfsame verify --build soft\n\nExit code: 0 the same, 1 different")
  .action(async (options) => (await import("./verify.ts")).verify(options));

program
  .command("doctor")
  .description("check this device, the installed files, and the library if there is one")
  .addOption(db)
  .addOption(model)
  .option("--full", "embed every text of the library again; default: a few")
  .addOption(json)
  .addHelpText(
    "after",
    "\nExample:\n  $ selfsame doctor\n\nExit code: 0 sound (warnings or not), 1 a problem",
  )
  .action(async (options) => (await import("./doctor.ts")).doctor(options));

program
  .command("web")
  .description("serve the page on this machine: search, how rankings come about, receipts, conformance")
  .addOption(new Option("--port <n>", "where; 0 takes any free one").argParser(wholeNumber).default(4747))
  .option("--open", "open it in the browser")
  .addOption(json)
  .addHelpText("after", "\nExample:\n  $ selfsame web --open")
  .action(async (options) => (await import("./web.ts")).web(options));

function wholeNumber(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

// A reader that has seen enough (`| head`) closes the pipe: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
program.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE_ERROR));
for (const command of program.commands) {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE_ERROR));
}
await program.parseAsync().catch(failed);
