import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("rm")
  .argument("<paths...>", 'documents, or patterns such as "drafts/**"')
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText(
    "after",
    ending(
      ["rm notes/old.md", 'rm "drafts/**"'],
      ["0 removed", "1 a document was not found; none is removed then"],
    ),
  )
  .action(async (paths: string[], options) => (await import("./rm.run.ts")).rm(paths, options));
