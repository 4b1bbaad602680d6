import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("compact")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["compact"]))
  .action(async (options) => (await import("./compact.run.ts")).compact(options));
