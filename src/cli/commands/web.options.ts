import { type Command, Option } from "commander";
import { checked, commandNamed, ending, jsonOption, wholeNumberFrom } from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

export const command = commandNamed("web")
  .addOption(
    new Option("--port <n>", "the port to listen on; 0 picks a free one")
      .argParser(wholeNumberFrom(0, 65_535))
      .default(4747),
  )
  .addOption(
    new Option("--db <file>", "serve this library to the page, beside the browser's own").argParser(
      checked("--db", checkNotEmpty),
    ),
  )
  .option("--writable", "let the page change the library that --db names")
  .option("--open", "open the page in the browser")
  .addOption(
    new Option(
      "--export <folder>",
      "write the page and the model into a new folder, for any web server, and serve nothing",
    )
      .argParser(checked("--export", checkNotEmpty))
      .conflicts(["port", "open", "db", "writable"]),
  )
  .addOption(jsonOption())
  .addHelpText("after", ending(["web --open", "web --db .selfsame/library.db", "web --export site"]))
  .action(async (options, web: Command) => {
    if (options.writable === true && options.db === undefined)
      web.error(
        "error: expected --db with --writable, got --writable alone: add --db <file>, or omit --writable",
      );
    return options.export === undefined
      ? (await import("./web.run.ts")).web(options)
      : (await import("./web-export.run.ts")).exportPage(options.export, options);
  });
