import { commandNamed, dataOption, ending, jsonOption, modelOption } from "../options.ts";

const HELP = `
<folder> is the folder of a snapshot, or the folder of a namespace's snapshots, whose newest is taken. The namespace's
library is replaced, at once and only if every file of the snapshot has its digest.`;

export const command = commandNamed("restore")
  .argument("<namespace>", "the namespace that the snapshot was made of")
  .argument("<folder>", "the snapshot")
  .addOption(dataOption())
  .addOption(modelOption("the snapshot's"))
  .addOption(jsonOption())
  .addHelpText("after", HELP)
  .addHelpText("after", ending(["restore notes backup/snapshots/notes --data data"]))
  .action(async (namespace, folder, options) =>
    (await import("./restore.run.ts")).restore(namespace, folder, options),
  );
