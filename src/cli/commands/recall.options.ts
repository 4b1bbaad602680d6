import { BANDS } from "../../index.ts";
import {
  buildOption,
  collect,
  commandNamed,
  crossEncoderOption,
  dbOption,
  ending,
  jsonOption,
  modelOption,
  numberFrom,
  wholeNumberFrom,
} from "../options.ts";

export const command = commandNamed("recall")
  .argument("<query...>", "what to remember: words, or a question")
  .addOption(dbOption())
  .option("--person <id>", "who asks; documents with readers must name this person or a role")
  .option("--role <name>", "a role of the person; may be repeated", collect)
  .option("--space <name>", "the space; must be the library's namespace")
  .option("--focus <document>", "a document in focus, by path or id")
  .option("--top-k <n>", "how many memories, 1 to 100 (default: 12)", wholeNumberFrom(1, 100))
  .option("--per-document <n>", "at most so many memories of one document, 1 to 100", wholeNumberFrom(1, 100))
  .option("--budget <ms>", "how much work is done, 5 to 1000 (default: 40)", numberFrom(5, 1000))
  .option(
    "--lambda <number>",
    "0: as different as possible, 1: by relevance alone (default: 0.35)",
    numberFrom(0, 1),
  )
  .option("--max-band <band>", `the highest band that may be seen: ${BANDS.join(", ")} (default: GREEN)`)
  .option("--no-shared", "leave out shared documents")
  .option("--now <time>", "the moment of asking, a date or milliseconds; the answer then has a receipt")
  .option("--use-feedback", "let what was learned from feedback change the weights")
  .addOption(crossEncoderOption())
  .option("--explain", "show the stages, the budget and every contribution")
  .option("--receipt <file>", "write a receipt that any device can verify; needs --now")
  .addOption(buildOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .showHelpAfterError("(selfsame recall --help shows the options)")
  .addHelpText(
    "after",
    ending(
      [
        'recall "birthday party balloons and candles" --person alice --explain',
        'recall "what did the doctor say" --max-band AMBER --now 2026-11-17 --receipt answer.json',
      ],
      ["0 done, even if nothing was found", "1 failed"],
    ),
  )
  .action(async (words: string[], options) =>
    (await import("./recall.run.ts")).recall(words.join(" "), options),
  );
