import { commandNamed, crossEncoderOption, dbOption, ending, jsonOption, modelOption } from "../options.ts";

export const command = commandNamed("verify-receipt")
  .argument("<file>", "what search --receipt wrote; - reads standard input")
  .addOption(dbOption())
  .addOption(modelOption("the library's"))
  .addOption(crossEncoderOption())
  .addOption(jsonOption())
  .addHelpText("after", ending(["verify-receipt receipt.json"], ["0 the same", "1 different or failed"]))
  .action(async (file: string, options) =>
    (await import("./verify-receipt.run.ts")).verifyReceipt(file, options),
  );
