import {
  buildOption,
  commandNamed,
  dbOption,
  ending,
  excludeOption,
  includeOption,
  jsonOption,
  metadataOption,
  modelOption,
} from "../options.ts";

export const command = commandNamed("index")
  .argument(
    "[paths...]",
    "files and folders (default: the paths in selfsame.config.json, or the project folder)",
  )
  .addOption(dbOption())
  .option("--force", "read, chunk and index every file again; rebuild the library if its canon differs")
  .option(
    "--root <folder>",
    "the folder that document paths are relative to (default: the folder that holds the library)",
  )
  .option("--dry-run", "list what would be taken and what would be left out, and why; nothing is written")
  .addOption(includeOption())
  .addOption(excludeOption())
  .addOption(metadataOption())
  .addOption(buildOption())
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(jsonOption())
  .addHelpText(
    "after",
    ending(
      ["index docs notes.md", "index --dry-run", 'index . --include "**/*.md" --exclude "drafts/**"'],
      ["0 done", "1 failed", "130 stopped by Ctrl-C"],
    ),
  )
  .action(async (paths: string[], options) => (await import("./index.run.ts")).indexFiles(paths, options));
