import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("doctor")
  .addOption(dbOption())
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2"))
  .option("--full", "check every vector of the library (default: 64, chosen at random each time)")
  .option("--unlock", "first remove lock files whose owners are no longer running")
  .addOption(jsonOption())
  .addHelpText("after", ending(["doctor"], ["0 no problems (there may be warnings)", "1 a problem"]))
  .action(async (options) => (await import("./doctor.run.ts")).doctor(options));
