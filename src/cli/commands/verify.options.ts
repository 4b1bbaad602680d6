import { Option } from "commander";
import { buildOption, commandNamed, ending, jsonOption } from "../options.ts";

export const command = commandNamed("verify")
  .addOption(buildOption())
  .option("--only <suites...>", "only these files of test-vectors/, such as arith search")
  .addOption(
    new Option("--effort <effort>", "engine: skip the search of a whole library, for slow devices")
      .choices(["full", "engine"])
      .default("full"),
  )
  .option("--vectors <folder>", "a copy of test-vectors/ (default: the package's own)")
  .addOption(jsonOption())
  .addHelpText("after", ending(["verify --build soft"], ["0 the same", "1 different"]))
  .action(async (options) => (await import("./verify.run.ts")).verify(options));
