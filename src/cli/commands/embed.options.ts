import { buildOption, commandNamed, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("embed")
  .argument("<text>", "the text; - reads standard input")
  .addOption(buildOption())
  .addOption(modelOption("the one in selfsame.config.json, or all-MiniLM-L6-v2"))
  .addOption(jsonOption())
  .addHelpText("after", ending(['embed "The quick brown fox" --build soft --json', "embed - < note.txt"]))
  .action(async (text: string, options) => (await import("./embed.run.ts")).embed(text, options));
