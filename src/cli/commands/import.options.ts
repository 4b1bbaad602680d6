import { Option } from "commander";
import { checked, commandNamed, dataOption, dbOption, ending, jsonOption, modelOption } from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

const HELP = `
Ids, chunks and the root are derived here and compared with what the pack says. Vectors are taken on trust: before anything
is written, a random sample of them is computed here (at least 16, at least 1 %). One that differs by a bit refuses the
whole pack. selfsame stats shows how many are verified; a process that stays (serve, mcp, watch) verifies the rest when it is
idle.

The library keeps what else it has. If it does not exist, it is made with the settings of the pack.`;

export const command = commandNamed("import")
  .argument("<file>", "the pack")
  .addOption(dbOption().conflicts("namespace"))
  .addOption(
    new Option("--namespace <name>", "the namespace that it goes into, below --data").argParser(
      checked("--namespace", checkNotEmpty),
    ),
  )
  .addOption(dataOption())
  .addOption(
    new Option("--verify <vectors>", "how many vectors are computed here first")
      .choices(["all", "sample", "none"])
      .default("sample"),
  )
  .option("--replace", "remove documents that are not in the pack: the library becomes equal to it")
  .option("--as <name>", "take a pack of another namespace: NAME is this library's, whose ids are derived")
  .option(
    "--require-signature <key>",
    "the Ed25519 public key that must have signed it: 64 hex digits, or a file with them or PEM",
  )
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(jsonOption())
  .addHelpText("after", HELP)
  .addHelpText(
    "after",
    ending(
      ["import notes.pack", "import notes.pack --replace --require-signature laptop.pub"],
      ["0 imported", "1 failed", "130 stopped by Ctrl-C; the same command goes on"],
    ),
  )
  .action(async (file: string, options) => (await import("./import.run.ts")).importPack(file, options));
