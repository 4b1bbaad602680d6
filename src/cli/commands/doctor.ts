import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("doctor")
  .addOption(dbOption())
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2"))
  .option("--full", "embed every text of the library again (default: a few)")
  .option("--unlock", "first remove the library's lock files if their owners have ended")
  .addOption(jsonOption())
  .addHelpText("after", ending(["doctor"], ["0 sound, with warnings or without", "1 a problem"]))
  .action(async (options) => (await import("../doctor.ts")).doctor(options));
