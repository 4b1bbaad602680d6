import { Command, Option } from "commander";
import {
  checked,
  collect,
  commandNamed,
  ending,
  excludeOption,
  includeOption,
  jsonOption,
  metadataOption,
  modelOption,
  numberFrom,
  parsed,
  wholeNumberFrom,
} from "../options.ts";
import { searchOptions } from "../search-flags.ts";
import { checkNotEmpty, externalVectors } from "../value-checks.ts";

const HELP = `
A cluster is a library on many machines. They share a NATS server (Debian: nats-server) and nothing else, which is
started with: nats-server --jetstream --store_dir nats

Examples:
  $ selfsame cluster ingest docs                  documents into the cluster; acknowledged ones are not lost
  $ selfsame cluster worker                       on every machine with cores to spare: computes vectors
  $ selfsame cluster build --watch                makes shards and publishes them
  $ selfsame cluster serve                        on every machine with memory to spare: answers for shards
  $ selfsame cluster search "how are ties broken?"

Any of them can be stopped, killed and started again at any time, in any number. docs/cluster.md explains the parts.
It needs: npm install @nats-io/transport-node @nats-io/jetstream @nats-io/kv @nats-io/obj
Exit code: 0 done; each part's --help has the others`;

/** Options of every part of a cluster: how it is reached. */
function subcommand(name: string, says: string): Command {
  return new Command(name)
    .description(says)
    .showHelpAfterError(`(selfsame cluster ${name} --help shows its options)`)
    .exitOverride()
    .option("--nats <url>", "a NATS server; may be repeated (default: nats://127.0.0.1:4222)", collect)
    .addOption(
      new Option("--cluster <name>", "which cluster on it")
        .default("default")
        .argParser(checked("--cluster", checkNotEmpty)),
    )
    .option("--credentials <file>", "a file with NATS credentials")
    .option("--tls-ca <file>", "the authority of the server's certificate")
    .option("--tls-cert <file>", "this client's certificate")
    .option("--tls-key <file>", "its key")
    .option(
      "--replicas <n>",
      "how many NATS servers keep everything, when the cluster is made (default: 1)",
      wholeNumberFrom(1, 5),
    )
    .addOption(jsonOption());
}

const folderOption = () =>
  new Option("--folder <folder>", "where this machine keeps files of shards")
    .default(".selfsame/cluster")
    .argParser(checked("--folder", checkNotEmpty));

const ingest = subcommand("ingest", "store documents in the cluster, or remove some")
  .argument("[paths...]", "files and folders; with --ndjson, files of documents, or - for standard input")
  .option("--root <folder>", "the folder that document paths are relative to", ".")
  .option("--ndjson", "one JSON object a line: path, text, and perhaps format, modifiedAt, mime, metadata")
  .option("--remove <path>", "remove the document with this path; may be repeated", collect)
  .addOption(includeOption())
  .addOption(excludeOption())
  .addOption(metadataOption())
  .addHelpText(
    "after",
    ending(
      [
        "cluster ingest docs",
        "cluster ingest --ndjson documents.ndjson",
        "cluster ingest --remove docs/old.md",
      ],
      ["0 every document is acknowledged", "1 failed; those before are kept", "130 stopped by Ctrl-C"],
    ),
  )
  .action(async (paths: string[], options) =>
    (await import("./cluster-ingest.run.ts")).clusterIngest(paths, options),
  );

const worker = subcommand("worker", "compute vectors for the cluster until it is stopped")
  .option("--threads <n>", "how many threads embed (default: the number of cores)", wholeNumberFrom(1, 256))
  .option("--id <name>", "its name, which results record (default: host and process)")
  .option(
    "--until-idle <s>",
    "stop when the queue was empty for this many seconds",
    wholeNumberFrom(1, 86_400),
  )
  .addHelpText(
    "after",
    ending(
      ["cluster worker --nats nats://10.0.0.1:4222"],
      ["0 stopped by a signal", "1 failed, or this device computes other bits"],
    ),
  )
  .action(async (options) => (await import("./cluster-worker.run.ts")).clusterWorker(options));

const build = subcommand("build", "make shards of all documents and publish them as one state")
  .addOption(folderOption())
  .option("--watch", "build again whenever documents have come, until it is stopped")
  .addOption(modelOption("the cluster's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(new Option("--index <kind>", "which index answers").choices(["auto", "exact", "hnsw"]))
  .option(
    "--segment <n>",
    "the most distinct vectors of a segment of the index",
    wholeNumberFrom(1, 1_048_576),
  )
  .option("--shard-chunks <n>", "the most chunks of a shard (default: 1000000)", wholeNumberFrom(1, 1e9))
  .addOption(
    new Option("--vectors <name:dimension>", "vectors come with the chunks, from this model").argParser(
      parsed("--vectors", externalVectors),
    ),
  )
  .option("--activate", "searches use this definition from then on (for a change of model or index)")
  .option("--again", "make everything from the operations again, as if nothing had been built")
  .option("--keep <n>", "how many published states keep their files (default: 3)", wholeNumberFrom(2, 1000))
  .addHelpText(
    "after",
    `
The first build defines the cluster: model, index, segment. A later one with other values builds beside it, and
--activate then switches searches over.`,
  )
  .addHelpText(
    "after",
    ending(
      ["cluster build", "cluster build --watch", "cluster build --model gte-small --activate"],
      ["0 published, or nothing to do", "1 failed; what was computed is kept", "130 stopped by Ctrl-C"],
    ),
  )
  .action(async (options) => (await import("./cluster-build.run.ts")).clusterBuild(options));

const serve = subcommand("serve", "hold shards and answer for them until it is stopped")
  .addOption(folderOption())
  .option(
    "--id <name>",
    "its name; with the same name after a restart it keeps its shards (default: host and process)",
  )
  .option(
    "--copies <n>",
    "how many servers hold each shard, the same on all (default: 2)",
    wholeNumberFrom(1, 100),
  )
  .addHelpText("after", ending(["cluster serve --id rack1"], ["0 stopped by a signal", "1 failed"]))
  .action(async (options) => (await import("./cluster-serve.run.ts")).clusterServe(options));

const search = subcommand("search", "find chunks, as selfsame search does on one library")
  .argument("<query...>", 'what to find; -word excludes results, a "quoted phrase" is required')
  .option(
    "--receipt <file>",
    "write a receipt that any library with the same documents can verify; - prints it alone",
  )
  .option("--allow-partial", "answer from the shards that can be reached, without a receipt");
for (const option of searchOptions()) search.addOption(option);
search
  .addHelpText(
    "after",
    ending(
      ['cluster search "how are ties broken?"', 'cluster search "ties" --receipt receipt.json'],
      ["0 done, even if nothing was found", "1 failed, or no server answers for a shard"],
    ),
  )
  .action(async (words: string[], options) =>
    (await import("./cluster-search.run.ts")).clusterSearch(words.join(" "), options),
  );

const status = subcommand("status", "show the queue, workers, shards, replicas, and jobs that failed")
  .option("--metrics", "print it for Prometheus")
  .option(
    "--metrics-port <port>",
    "answer Prometheus on this port of 127.0.0.1 until stopped",
    wholeNumberFrom(0, 65_535),
  )
  .addHelpText(
    "after",
    ending(["cluster status", "cluster status --json", "cluster status --metrics-port 9464"]),
  )
  .action(async (options) => (await import("./cluster-status.run.ts")).clusterStatus(options));

const verify = subcommand("verify", "compute a random part of the cluster again and compare")
  .addOption(folderOption())
  .option(
    "--share <n>",
    "which share of the jobs is embedded again (default: 0.001)",
    numberFrom(0.000001, 1),
  )
  .option("--threads <n>", "how many threads embed (default: the number of cores)", wholeNumberFrom(1, 256))
  .option(
    "--receipt <file>",
    "re-run the search of a receipt on one library (--db) and compare, and nothing else",
  )
  .option("--db <file>", "a library with the same documents, for --receipt")
  .addHelpText(
    "after",
    ending(
      ["cluster verify", "cluster verify --share 0.01", "cluster verify --receipt receipt.json --db one.db"],
      ["0 sound", "1 different: the report names the worker"],
    ),
  )
  .action(async (options) => (await import("./cluster-verify.run.ts")).clusterVerify(options));

export const command = commandNamed("cluster")
  .addHelpText("after", HELP)
  .addCommand(ingest)
  .addCommand(worker)
  .addCommand(build)
  .addCommand(serve)
  .addCommand(search)
  .addCommand(status)
  .addCommand(verify);
