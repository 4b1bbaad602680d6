import { InvalidArgumentError, Option } from "commander";
import { PATTERNS_MAX } from "../../search/filters.ts";
import { FUSION_LIMIT } from "../../search/fuse.ts";
import { COUNT_MAX } from "../../search/parameters.ts";
import {
  buildOption,
  checked,
  collectChecked,
  commandNamed,
  dbOption,
  ending,
  jsonOption,
  modelOption,
  wholeNumberFrom,
} from "../options.ts";
import { checkDate, checkMime, checkNotEmpty, checkPattern } from "../value-checks.ts";

export const command = commandNamed("search")
  .description("find chunks by meaning, by words, or by both")
  .argument("<query...>", 'what to find; -word must not be there, "a phrase" must in what is found by words')
  .addOption(dbOption())
  .addOption(
    new Option("--mode <mode>", "which channels are searched (default: hybrid)").choices([
      "hybrid",
      "semantic",
      "lexical",
      "keyword",
    ]),
  )
  .addOption(
    new Option("--top-k <n>", "how many results (default: 10)")
      .argParser(wholeNumberFrom(1, COUNT_MAX))
      .conflicts("pageSize"),
  )
  .option(
    "--path <pattern>",
    'only documents whose path matches, such as "docs/**"; may be repeated',
    collectChecked("--path", checkPattern, PATTERNS_MAX),
  )
  .option(
    "--mime <type>",
    'only documents of a type, such as "text/markdown"; may be repeated',
    collectChecked("--mime", checkMime),
  )
  .option(
    "--after <date>",
    "only documents modified after it (UTC unless it names a zone)",
    checked("--after", checkDate),
  )
  .option("--before <date>", "only documents modified before it", checked("--before", checkDate))
  .option("--contains <text>", "only documents that hold this text", checked("--contains", checkNotEmpty))
  .option("--weights <semantic,lexical>", "how much each channel counts (default: 1,1)", weights)
  .addOption(new Option("--group-by <what>", "one result per document").choices(["path"]))
  .option("--diversify", "results unlike each other")
  .option("--exact", "compare all vectors, also in a library so large that its graph would answer")
  .addOption(
    new Option("--page-size <n>", "results in pages of this size").argParser(wholeNumberFrom(1, COUNT_MAX)),
  )
  .option("--cursor <cursor>", "where the next page begins, from the page before")
  .addOption(
    new Option("--preset <name>", "the defaults of another contract (SPEC §20.2)").choices([
      "cfs",
      "rifflux",
      "orchestration",
      "docstokg",
    ]),
  )
  .option("--explain", "show both ranked lists and how they were fused")
  .option("--receipt <file>", "write a receipt that any device can check; - prints it, and nothing else")
  .addOption(buildOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .showHelpAfterError(
    "(selfsame search --help shows the options; words that begin with - come after --: selfsame search --top-k 5 -- ties -draft)",
  )
  .addHelpText(
    "after",
    ending(
      [
        'search "how are ties broken?" --top-k 5 --explain',
        `search --path "src/**" --path "docs/**" -- '"total order" -draft'`,
      ],
      ["0 done, also if nothing was found", "1 failed"],
    ),
  )
  .action(async (words: string[], options) =>
    (await import("../search.ts")).search(words.join(" "), options),
  );

function weights(text: string): { semantic: number; lexical: number } {
  const match = /^([0-9.]+),([0-9.]+)$/.exec(text);
  const [semantic, lexical] = [Number(match?.[1]), Number(match?.[2])];
  if (!(semantic <= FUSION_LIMIT && lexical <= FUSION_LIMIT))
    throw new InvalidArgumentError(`Expected two numbers from 0 to ${FUSION_LIMIT}, such as 1,0.5.`);
  return { semantic, lexical };
}
