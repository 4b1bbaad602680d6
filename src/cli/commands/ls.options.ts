import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("ls")
  .argument("[pattern]", 'only documents that match, such as "docs/**/*.md"')
  .option("--limit <n>", "at most this many")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["ls", 'ls "docs/**"'], ["0 listed, even if there are none"]))
  .action(async (pattern: string | undefined, options) => (await import("./ls.run.ts")).ls(pattern, options));
