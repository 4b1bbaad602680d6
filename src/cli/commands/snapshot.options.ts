import { commandNamed, dataOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("snapshot")
  .argument("<namespace>", "the namespace")
  .addOption(dataOption())
  .addOption(modelOption("the namespace's"))
  .addOption(jsonOption())
  .addHelpText("after", ending(["snapshot notes --data data"]))
  .action(async (namespace, options) => (await import("./snapshot.run.ts")).snapshot(namespace, options));
