import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("compact")
  .description("shrink a library, and leave nothing of removed documents in its file")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["compact"]))
  .action(async (options) => (await import("../compact.ts")).compact(options));
