import { Option } from "commander";
import {
  buildOption,
  checked,
  commandNamed,
  dataOption,
  dbOption,
  ending,
  jsonOption,
  modelOption,
  numberFrom,
  wholeNumberFrom,
} from "../options.ts";
import { checkNotEmpty } from "../value-checks.ts";

const HELP = `
CHUNKS is a file of chunks (one JSON object a line: uuid, doc_id, chunk_id, text, …; gzip is read, too), or a folder: one
with ChunkedDocTagFiles, Embeddings and Manifests (or with Data, which has them), or any folder with *.chunk.jsonl and
*.vectors.jsonl or *.vectors.parquet files. VECTORS are vector files, in the order of the chunk files.

A new library takes the name and the dimension of its vectors from the files. Without vector files, the library's model
embeds the texts. Nothing is changed unless everything could be read. A large ingest that was stopped goes on where it
stopped if the files are the same.`;

export const command = commandNamed("ingest")
  .argument("<chunks>", "a chunk file, or a folder of files")
  .argument("[vectors...]", "vector files: JSONL or Parquet (default: those in the folder)")
  .addOption(dbOption().conflicts("namespace"))
  .addOption(
    new Option("--namespace <name>", "the namespace that they go into, below --data").argParser(
      checked("--namespace", checkNotEmpty),
    ),
  )
  .addOption(dataOption())
  .option(
    "--dense-key <name>",
    "the dense vector's name in the files (default: Qwen3-4B, Qwen3_4B, or the only one)",
  )
  .addOption(
    new Option(
      "--vector-cache-limit <n>",
      "how many vectors may come before their chunks (default: 0)",
    ).argParser(wholeNumberFrom(0, 1_000_000_000)),
  )
  .addOption(
    new Option(
      "--dedupe-threshold <cosine>",
      "for a new library: chunks that are closer than this to another are stored and not ranked, such as 0.95",
    ).argParser(numberFrom(0, 0.999)),
  )
  .addOption(buildOption())
  .addOption(modelOption("the library's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(jsonOption())
  .addHelpText("after", HELP)
  .addHelpText(
    "after",
    ending(
      [
        "ingest Data --namespace research",
        "ingest guides.chunk.jsonl guides.vectors.parquet --db guides.db --dense-key Qwen3-4B",
      ],
      ["0 done", "1 failed; the library is unchanged", "130 stopped by Ctrl-C"],
    ),
  )
  .action(async (chunks: string, vectors: string[], options) =>
    (await import("./ingest.run.ts")).ingestFiles(chunks, vectors, options),
  );
