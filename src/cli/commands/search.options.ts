import { buildOption, commandNamed, dbOption, ending, jsonOption, modelOption } from "../options.ts";
import { searchOptions } from "../search-flags.ts";

export const command = commandNamed("search")
  .argument("<query...>", 'what to find; -word excludes results, a "quoted phrase" is required')
  .addOption(dbOption());
for (const option of searchOptions()) command.addOption(option);
command
  .option(
    "--receipt <file>",
    "write a receipt that any device can verify; - prints the receipt and nothing else",
  )
  .addOption(buildOption())
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .showHelpAfterError(
    "(selfsame search --help shows the options; put words that begin with - after --: selfsame search --top-k 5 -- ties -draft)",
  )
  .addHelpText(
    "after",
    ending(
      [
        'search "how are ties broken?" --top-k 5 --explain',
        `search --path "src/**" --path "docs/**" -- '"total order" -draft'`,
        'search "release notes" --metadata lang=en --after 2026-01-01 --group-by path',
      ],
      ["0 done, even if nothing was found", "1 failed"],
    ),
  )
  .action(async (words: string[], options) =>
    (await import("./search.run.ts")).search(words.join(" "), options),
  );
