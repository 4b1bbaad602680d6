import { buildOption, commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("bench")
  .addOption(dbOption())
  .addOption(buildOption())
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["bench"]))
  .action(async (options) => (await import("./bench.run.ts")).bench(options));
