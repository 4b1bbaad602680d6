import { Option } from "commander";
import { SEARCH_PARAMETERS } from "../../index.ts";
import { commandNamed, dbOption, ending, jsonOption, modelOption, wholeNumberFrom } from "../options.ts";

export const command = commandNamed("eval")
  .requiredOption("--queries <file>", "queries: JSON lines, an id and a tab before each, or TREC topics")
  .requiredOption("--qrels <file>", "judgements: JSON lines, TREC's four columns, or BEIR's three")
  .addOption(dbOption())
  .addOption(
    new Option("-k <n>", "how many results count")
      .argParser(wholeNumberFrom(1, SEARCH_PARAMETERS.topK.maximum))
      .default(10),
  )
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", "\nJudged are documents by path, chunks by path#number, or chunks by id.")
  .addHelpText("after", ending(["eval --queries queries.jsonl --qrels qrels.jsonl"]))
  .action(async (options) => (await import("./eval.run.ts")).evaluate(options));
