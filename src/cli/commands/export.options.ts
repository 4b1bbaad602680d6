import { Option } from "commander";
import { checked, commandNamed, dataOption, dbOption, ending, jsonOption, modelOption } from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

const HELP = `
FILE becomes a pack: documents with the vectors of their texts, which selfsame import takes in on another device without
computing them again. Two devices with the same documents write the same bytes.

With --jsonl, FILE is a folder that gets ChunkedDocTagFiles/NAME.chunk.jsonl and Embeddings/NAME.vectors.jsonl: the chunks
that were made elsewhere, in the order of UUIDs, as they came. From these files, selfsame ingest makes a library with the
same root.`;

export const command = commandNamed("export")
  .argument("<file>", "the pack; with --jsonl or --tree, the folder that the files go into")
  .addOption(dbOption().conflicts("namespace"))
  .addOption(
    new Option("--namespace <name>", "the namespace, below --data").argParser(
      checked("--namespace", checkNotEmpty),
    ),
  )
  .addOption(dataOption())
  .addOption(new Option("--path <globs...>", "only documents whose paths match").conflicts("jsonl"))
  .addOption(new Option("--vectors-only", "vectors by text, and no documents").conflicts("jsonl"))
  .addOption(
    new Option("--sign <key>", "sign it: a file with an Ed25519 private key, PEM or 64 hex digits").conflicts(
      "jsonl",
    ),
  )
  .option("--jsonl", "chunks that were made elsewhere, as JSONL files")
  .addOption(
    new Option(
      "--tree",
      "a folder of packs and an index, for selfsame pull and any web server; unchanged parts keep their files",
    ).conflicts(["jsonl", "path", "vectorsOnly", "sign"]),
  )
  .option("--name <name>", "with --jsonl, the name of the files", "selfsame")
  .addOption(modelOption("the library's"))
  .addOption(jsonOption())
  .addHelpText("after", HELP)
  .addHelpText(
    "after",
    ending(
      [
        "export notes.pack",
        'export guides.pack --path "guides/**" --sign key.pem',
        "export backup --jsonl --namespace research",
        "export --tree public/notes",
      ],
      ["0 written", "1 failed; no file was changed", "130 stopped by Ctrl-C"],
    ),
  )
  .action(async (file: string, options) => {
    if (options.tree) await (await import("./export-tree.run.ts")).exportTree(file, options);
    else if (options.jsonl) await (await import("./export-jsonl.run.ts")).exportChunks(file, options);
    else await (await import("./export.run.ts")).exportPack(file, options);
  });
