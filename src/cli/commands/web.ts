import { Option } from "commander";
import { commandNamed, ending, jsonOption, wholeNumberFrom } from "../options.ts";

export const command = commandNamed("web")
  .description(
    "serve the page on this machine: search, how rankings come about, receipts, conformance; its library is its own, in the browser",
  )
  .addOption(
    new Option("--port <n>", "where; 0 takes any free one")
      .argParser(wholeNumberFrom(0, 65_535))
      .default(4747),
  )
  .option("--open", "open it in the browser")
  .addOption(jsonOption())
  .addHelpText("after", ending(["web --open"]))
  .action(async (options) => (await import("../web.ts")).web(options));
