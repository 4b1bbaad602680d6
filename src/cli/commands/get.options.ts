import { commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("get")
  .argument("<path>", "a document; path:LINE for the lines around one, path#CHUNK for a chunk")
  .option("--around <n>", "how many lines, or chunks, before and after (default: 10 lines, 0 chunks)")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText(
    "after",
    ending(
      ["get docs/ties.md", "get docs/ties.md:42 --around 5", "get docs/ties.md#3"],
      ["0 printed", "1 there is no such document, line or chunk"],
    ),
  )
  .action(async (path: string, options) => (await import("./get.run.ts")).get(path, options));
