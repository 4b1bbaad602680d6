import { Option } from "commander";
import { SEARCH_PARAMETERS } from "../../index.ts";
import { commandNamed, dbOption, ending, jsonOption, modelOption, wholeNumberFrom } from "../options.ts";

export const command = commandNamed("eval")
  .requiredOption(
    "--queries <file>",
    "queries, as JSON lines, as lines of id, tab and text, or as TREC topics",
  )
  .requiredOption("--qrels <file>", "judgements, as JSON lines, in TREC's four columns, or in BEIR's three")
  .addOption(dbOption())
  .addOption(
    new Option("-k <n>", "the number of results to score")
      .argParser(wholeNumberFrom(1, SEARCH_PARAMETERS.topK.maximum))
      .default(10),
  )
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", "\nJudgements name documents by path, chunks by path#number, or chunks by id.")
  .addHelpText("after", ending(["eval --queries queries.jsonl --qrels qrels.jsonl"]))
  .action(async (options) => (await import("./eval.run.ts")).evaluate(options));
