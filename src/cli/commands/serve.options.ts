import { Option } from "commander";
import {
  buildOption,
  collect,
  commandNamed,
  crossEncoderOption,
  dataOption,
  ending,
  modelOption,
  parsed,
  wholeNumberFrom,
} from "../options.ts";
import { externalVectors } from "../value-checks.ts";

const HELP = `
Endpoints: POST /v1/hybrid/query, POST /v1/hybrid/ingest, GET /v1/hybrid/stats, GET /healthz, GET /metrics,
POST /v1/embeddings, GET /v1/namespaces, …; GET /openapi.json describes all of them, and GET / is a page for people.
Log lines go to standard output, one JSON object each.`;

export const command = commandNamed("serve")
  .addOption(dataOption())
  .option("--cluster <name>", "serve a cluster, as the namespaces default and <name>, instead of --data")
  .option(
    "--nats <url>",
    "a NATS server of the cluster; may be repeated (default: nats://127.0.0.1:4222)",
    collect,
  )
  .option("--credentials <file>", "a file with NATS credentials")
  .option("--tls-ca <file>", "the authority of the NATS server's certificate")
  .option("--tls-cert <file>", "this client's certificate")
  .option("--tls-key <file>", "its key")
  .option("--host <address>", "the address to listen on; any beyond this device needs a token", "127.0.0.1")
  .addOption(
    new Option("--port <port>", "0 takes any free port").argParser(wholeNumberFrom(0, 65_535)).default(7338),
  )
  .option(
    "--token-file <file>",
    "the file whose first line clients must send as Authorization: Bearer <token>; or SELFSAME_TOKEN",
  )
  .option(
    "--config <file>",
    "a configuration of contract 5 in YAML: chunking, dense, fusion, retrieval, routing",
  )
  .option("--cors <origin>", "a web page's origin that may use the server; may be repeated", collect)
  .option("--allow-host <name>", "a host name by which clients reach the server; may be repeated", collect)
  .option("--max-active <n>", "how many namespaces are open at once (default: 3)", wholeNumberFrom(1, 10_000))
  .option("--readers <n>", "how many threads search (default: the number of cores)", wholeNumberFrom(1, 256))
  .addOption(
    new Option("--max-concurrent <n>", "how many requests are answered at once; more get 429")
      .argParser(wholeNumberFrom(1, 100_000))
      .default(64),
  )
  .addOption(
    new Option("--max-ingest-mb <n>", "the largest body of one ingest, in MiB")
      .argParser(wholeNumberFrom(1, 1 << 20))
      .default(4096),
  )
  .addOption(
    new Option(
      "--vectors <name:dimension>",
      "new namespaces take vectors of this model, such as Qwen3-4B:2560 (default: as their first chunk says)",
    ).argParser(parsed("--vectors", externalVectors)),
  )
  .option(
    "--max-index-mb <n>",
    "the most memory for the vectors of a namespace, in MiB (default: no limit)",
    wholeNumberFrom(1, 1 << 20),
  )
  .option("--snapshots", "write a snapshot of a namespace after enough writes, and when the server stops")
  .addOption(
    new Option("--log-queries <flag>", "whether the log has the text of queries")
      .choices(["true", "false"])
      .default("true"),
  )
  .option(
    "--allow-pull",
    "let clients with the token pull documents and their vectors (selfsame pull); needs a token on any address",
  )
  .option("--no-mcp", "do not serve agents at /mcp?namespace=NAME")
  .option("--contracts", "offer agents the tools of the Rifflux contract, too")
  .addOption(buildOption())
  .addOption(modelOption("each namespace's, or all-MiniLM-L6-v2 for a new one"))
  .addOption(crossEncoderOption())
  .addHelpText("after", HELP)
  .addHelpText(
    "after",
    ending(
      [
        "serve --data data",
        "serve --cluster papers --nats nats://10.0.0.1:4222",
        "serve --host 0.0.0.0 --token-file token",
      ],
      ["0 stopped by a signal, after running requests have ended", "1 failed"],
    ),
  )
  .action(async (options) => {
    await (await import("./serve.run.ts")).serve(options);
  });
