import { Option } from "commander";
import { checked, commandNamed, dataOption, dbOption, ending, jsonOption, modelOption } from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

const HELP = `
SOURCE is one of
  https://HOST/v1/namespaces/NAME   a namespace of a server: selfsame serve --allow-pull (needs its token)
  https://HOST/FOLDER/, FOLDER      a tree that selfsame export --tree wrote, on any web server or disk
  https://HOST/FILE.pack, FILE      a pack of a whole library, or another library's file

Only documents that differ are transferred, with their vectors, and a random sample of the vectors is computed
again before anything is written. Files of this device are not changed: pull changes the library.

Without --mirror, both sides' changes are kept. What both had in common is remembered for each SOURCE, so what one
side deleted stays deleted. A document that both changed is a conflict: with "both", the newer version keeps its path
and the other one is kept beside it, as NAME.conflict-DIGEST.md.`;

export const command = commandNamed("pull")
  .argument("<source>", "an address, a folder or a file")
  .addOption(dbOption().conflicts("namespace"))
  .addOption(
    new Option("--namespace <name>", "pull into this namespace, below --data").argParser(
      checked("--namespace", checkNotEmpty),
    ),
  )
  .addOption(dataOption())
  .option("--mirror", "make the library equal to SOURCE: what SOURCE does not have is removed")
  .addOption(
    new Option(
      "--merge <resolution>",
      "which version of a document wins that both sides changed (default: both)",
    )
      .choices(["ours", "theirs", "both"])
      .conflicts("mirror"),
  )
  .option("--dry-run", "list what would change; nothing is written, and no document is transferred")
  .addOption(
    new Option("--verify <share>", "how many of the vectors are computed again before anything is written")
      .choices(["all", "sample", "none"])
      .default("sample"),
  )
  .option("--token-file <file>", "the file whose first line is the server's token; or SELFSAME_TOKEN")
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(jsonOption())
  .addHelpText("after", HELP)
  .addHelpText(
    "after",
    ending(
      [
        "pull https://example.org/notes/ --dry-run",
        "pull https://example.org/notes/ --mirror",
        "pull http://laptop:7338/v1/namespaces/notes --token-file token --merge theirs",
      ],
      ["0 done", "1 failed", "130 stopped by Ctrl-C; pulling again goes on from there"],
    ),
  )
  .action(async (source: string, options) => (await import("./pull.run.ts")).pull(source, options));
