import { commandNamed, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("tokenize")
  .argument("<text>", "the text; - reads standard input")
  .addOption(modelOption("the one in selfsame.config.json, or all-MiniLM-L6-v2"))
  .addOption(jsonOption())
  .addHelpText("after", ending(['tokenize "naïve café"']))
  .action(async (text: string, options) => (await import("./tokenize.run.ts")).tokenize(text, options));
