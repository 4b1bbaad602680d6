import { commandNamed, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("diff")
  .argument("<a>", "a library")
  .argument("<b>", "another one")
  .addOption(modelOption("each library's own"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["diff laptop.db phone.db"], ["0 equal", "1 different or failed"]))
  .action(async (a: string, b: string, options) => (await import("./diff.run.ts")).diff(a, b, options));
