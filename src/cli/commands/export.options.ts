import { Option } from "commander";
import { checked, commandNamed, dataOption, dbOption, ending, jsonOption, modelOption } from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

const HELP = `
FOLDER gets ChunkedDocTagFiles/NAME.chunk.jsonl and Embeddings/NAME.vectors.jsonl, in the order of UUIDs: fields, BM25 terms, sparse
and dense vectors as they came. From these files, selfsame ingest makes a library with the same root.`;

export const command = commandNamed("export")
  .argument("<folder>", "the folder that the files go into; made if it is missing")
  .addOption(dbOption().conflicts("namespace"))
  .addOption(
    new Option("--namespace <name>", "the namespace, below --data").argParser(
      checked("--namespace", checkNotEmpty),
    ),
  )
  .addOption(dataOption())
  .option("--name <name>", "the name of the files", "selfsame")
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", HELP)
  .addHelpText(
    "after",
    ending(
      ["export backup --namespace research", "export backup --db guides.db --name guides"],
      ["0 written", "1 failed, or there are no such chunks"],
    ),
  )
  .action(async (folder: string, options) => (await import("./export.run.ts")).exportChunks(folder, options));
