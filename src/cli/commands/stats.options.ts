import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("stats")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["stats --json"]))
  .action(async (options) => (await import("./stats.run.ts")).stats(options));
