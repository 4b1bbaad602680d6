import { Option } from "commander";
import { checked, commandNamed, ending, jsonOption, wholeNumberFrom } from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

export const command = commandNamed("web")
  .addOption(
    new Option("--port <n>", "the port to listen on; 0 picks a free one")
      .argParser(wholeNumberFrom(0, 65_535))
      .default(4747),
  )
  .option("--open", "open the page in the browser")
  .addOption(
    new Option(
      "--export <folder>",
      "write the page and the model into a new folder, for any web server, and serve nothing",
    )
      .argParser(checked("--export", checkNotEmpty))
      .conflicts(["port", "open"]),
  )
  .addOption(jsonOption())
  .addHelpText("after", ending(["web --open", "web --export site"]))
  .action(async (options) =>
    options.export === undefined
      ? (await import("./web.run.ts")).web(options)
      : (await import("./web-export.run.ts")).exportPage(options.export, options),
  );
