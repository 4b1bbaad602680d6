import {
  buildOption,
  commandNamed,
  dbOption,
  ending,
  excludeOption,
  includeOption,
  metadataOption,
  modelOption,
} from "../options.ts";

export const command = commandNamed("watch")
  .argument(
    "[paths...]",
    "files and folders (default: the paths in selfsame.config.json, or the project folder)",
  )
  .addOption(dbOption())
  .option(
    "--root <folder>",
    "the folder that document paths are relative to (default: the folder that holds the library)",
  )
  .addOption(includeOption())
  .addOption(excludeOption())
  .addOption(metadataOption())
  .addOption(buildOption())
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2 for a new one"))
  .option("--json", "print each event as one line of JSON")
  .addHelpText("after", ending(["watch docs"], ["0 stopped by Ctrl-C or SIGTERM", "1 failed"]))
  .action(async (paths: string[], options) => (await import("./watch.run.ts")).watch(paths, options));
