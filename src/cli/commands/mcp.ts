import { type Command, InvalidArgumentError, Option } from "commander";
import {
  buildOption,
  collect,
  commandNamed,
  dbOption,
  ending,
  modelOption,
  wholeNumber,
} from "../options.ts";

/** What fusion takes. */
const RRF_K_MAX = 1_000_000;

export const command = commandNamed("mcp")
  .description("serve agents: search and index through the Model Context Protocol")
  .option("--root <folder>", "a folder that clients may reach (default: this one); may be repeated", collect)
  .addOption(dbOption())
  .option(
    "--http [port]",
    "over HTTP on 127.0.0.1 instead of standard input and output (default port: 7337)",
    port,
  )
  .option(
    "--token <token>",
    "a bearer token that HTTP clients must send; better given as SELFSAME_TOKEN",
    token,
  )
  .addOption(
    new Option("--rrf-k <n>", "the constant of fusion of search_rifflux").argParser(rrfK).default(60),
  )
  .addOption(buildOption())
  .addOption(modelOption("each library's, or all-MiniLM-L6-v2 for a new one"))
  .addHelpText(
    "after",
    ending(["mcp --root docs", "mcp --http 7337"], ["0 stopped by the client or a signal", "1 failed"]),
  )
  .action(async (options, mcp: Command) => {
    if (options.token !== undefined && options.http === undefined)
      mcp.error("error: expected --http with --token, got none: add --http, or leave the token out");
    await (await import("../mcp.ts")).mcp(options);
  });

function port(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (number >= 0 && number <= 65_535) return number;
  throw new InvalidArgumentError("Expected a port from 1 to 65535, or 0 for one that is free.");
}

function token(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected one that is not empty: openssl rand -hex 16 makes one.");
}

function rrfK(text: string): number {
  const number = wholeNumber(text);
  if (number <= RRF_K_MAX) return number;
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${RRF_K_MAX}; 60 is usual.`);
}
