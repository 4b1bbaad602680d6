import { createServer } from "node:http";
import { type Cluster, type ClusterStatus, statusMetrics } from "../../cluster/index.ts";
import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { bold, dim, print, printError, printFields, printJson, red, yellow } from "../output.ts";
import { duration } from "../progress-bar.ts";
import { stopped } from "../stopped.ts";

interface StatusFlags extends ConnectionFlags {
  readonly metrics?: boolean;
  readonly metricsPort?: number;
  readonly json?: boolean;
}

/** Runs `selfsame cluster status`. */
export async function clusterStatus(flags: StatusFlags): Promise<void> {
  await withCluster(flags, async (cluster) => {
    if (flags.metricsPort !== undefined) return answerPrometheus(cluster, flags.metricsPort);
    const status = await cluster.status();
    if (flags.metrics === true) process.stdout.write(statusMetrics(status));
    else if (flags.json === true) printJson(status);
    else show(status);
  });
}

function show(status: ClusterStatus): void {
  const { queue, workers, servers, failed, secondsLeft } = status;
  printFields([
    ["cluster", bold(status.cluster)],
    ["operations", `${status.operations} acknowledged`],
    ["queue", `${queue.waiting} jobs wait, ${queue.taken} are with workers`],
    ["workers", `${workers.length}, ${status.rate.toFixed(1)} texts/s together`],
    [
      "time left",
      secondsLeft === null ? "unknown: no worker has finished a job" : duration(secondsLeft * 1000),
    ],
    ["servers", `${servers.length}`],
  ]);
  for (const { id, texts, rate } of workers)
    print(dim(`  worker ${id}: ${texts} texts, ${rate.toFixed(1)}/s`));
  for (const { id, shards } of servers) print(dim(`  server ${id}: ${shards} shards`));
  for (const canon of status.canons) {
    const behind = status.operations - canon.sequence;
    print("");
    printFields([
      [
        "canon",
        `${canon.canon.slice(0, 16)}${canon.isCurrent ? "" : dim(" (not the one that searches use)")}`,
      ],
      ["state", canon.manifest === null ? yellow("nothing built yet") : canon.manifest.slice(0, 16)],
      ["contains", `${canon.documents} documents, ${canon.chunks} chunks`],
      ["behind", behind === 0 ? "0" : yellow(`${behind} operations`)],
      ["shards", `${canon.shards.length}`],
    ]);
    for (const { prefix, chunks, bytes, replicas } of canon.shards) {
      const copies = `${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
      const name = (prefix === "" ? "(all)" : prefix).padEnd(12);
      print(
        `  ${name} ${chunks} chunks, ${(bytes / 2 ** 20).toFixed(1)} MiB, ${replicas === 0 ? red(copies) : copies}`,
      );
    }
  }
  for (const { job, path, reason, worker, tries } of failed)
    print(`${red("failed")} ${path}: job ${job.slice(0, 16)}, ${tries} times, last by ${worker}: ${reason}`);
}

/** Answers GET /metrics on loopback until a signal comes. */
async function answerPrometheus(cluster: Cluster, port: number): Promise<void> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") return void response.writeHead(404).end();
    cluster
      .status()
      .then((status) => {
        response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4" }).end(statusMetrics(status));
      })
      .catch(() => response.writeHead(503).end());
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", ready);
  });
  const { port: taken } = server.address() as { port: number };
  printError(dim(`http://127.0.0.1:${taken}/metrics`));
  const stop = stopped();
  await new Promise<void>((done) => stop.addEventListener("abort", () => done()));
  server.close();
  server.closeAllConnections();
}
