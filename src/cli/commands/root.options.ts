import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("root")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["root"]))
  .action(async (options) => (await import("./root.run.ts")).root(options));
