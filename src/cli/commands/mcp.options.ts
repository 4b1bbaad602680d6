import { type Command, InvalidArgumentError, Option } from "commander";
import { SEARCH_PARAMETERS } from "../../index.ts";
import {
  buildOption,
  collect,
  commandNamed,
  crossEncoderOption,
  dbOption,
  ending,
  modelOption,
  wholeNumberFrom,
} from "../options.ts";

export const command = commandNamed("mcp")
  .option(
    "--root <folder>",
    "a folder that clients may access (default: the current folder); may be repeated",
    collect,
  )
  .addOption(dbOption())
  .option("--watch", "keep the library up to date with the files while the server runs")
  .option("--writable", "let clients change documents: the tools add_note and remove")
  .option("--contracts", "offer the tools of the Rifflux contract, too: search_rifflux, reindex, get_chunk")
  .option(
    "--http [port]",
    "serve over HTTP on 127.0.0.1 instead of standard input and output (default port: 7337; 0 takes any free port)",
    wholeNumberFrom(0, 65_535),
  )
  .option("--token <token>", "the bearer token that HTTP clients must send; SELFSAME_TOKEN is safer", token)
  .addOption(
    new Option("--rrf-k <n>", "the RRF constant k of search_rifflux")
      .argParser(wholeNumberFrom(0, SEARCH_PARAMETERS.rrfK.maximum))
      .default(60),
  )
  .addOption(buildOption())
  .addOption(modelOption("each library's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(crossEncoderOption())
  .addHelpText(
    "after",
    ending(
      ["mcp --root docs --watch", "mcp --http 7337"],
      ["0 stopped by the client or a signal", "1 failed"],
    ),
  )
  .action(async (options, mcp: Command) => {
    if (options.token !== undefined && options.http === undefined)
      mcp.error("error: expected --http with --token, got --token alone: add --http, or omit --token");
    await (await import("./mcp.run.ts")).mcp(options);
  });

function token(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected a token, got an empty string. To make one: openssl rand -hex 16.");
}
