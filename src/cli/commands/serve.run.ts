import { resolve } from "node:path";
import { tokenFrom } from "../../http/index.ts";
import type { Build, ExternalVectors, Namespaces, SnapshotPolicy } from "../../index.ts";
import { loadTokenizer } from "../../library/engine-entry.ts";
import { startServer } from "../../serve/index.ts";
import { clusterOptions } from "../cluster-connection.ts";
import { packageVersion } from "../package-version.ts";
import { clampedChunking, readServiceConfig, type ServiceConfig } from "../service-config.ts";

export interface ServeCommandOptions {
  readonly data: string;
  readonly cluster?: string;
  readonly nats?: string[];
  readonly credentials?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly config?: string;
  readonly cors?: string[];
  readonly allowHost?: string[];
  readonly maxActive?: number;
  readonly maxConcurrent: number;
  readonly maxIngestMb: number;
  readonly readers?: number;
  readonly snapshots?: boolean;
  readonly vectors?: ExternalVectors;
  readonly maxIndexMb?: number;
  readonly logQueries: "true" | "false";
  readonly allowPull?: boolean;
  readonly mcp: boolean;
  readonly contracts?: boolean;
  readonly model?: string;
  readonly crossEncoder?: string;
  readonly build: Build | "auto";
}

const NO_CONFIG: ServiceConfig = { search: {}, snapshots: { isOn: false }, notices: [] };
/** A server that is still running this long after a stop is ended by force. */
const STOP_MS = 40_000;

/** Runs `selfsame serve` until a signal stops it. */
export async function serve(options: ServeCommandOptions): Promise<void> {
  const token = tokenFrom(options.tokenFile, process.env["SELFSAME_TOKEN"]);
  const config = options.config === undefined ? NO_CONFIG : readServiceConfig(resolve(options.config));
  const { model, crossEncoder } = options;
  const { chunking, notices } = await chunkingOf(config, model);
  const maxActive = options.maxActive ?? config.maxActive;
  const vectors = options.vectors ?? config.vectors;
  const stopped = signalled();
  const server = await startServer({
    data: options.data,
    ...(options.cluster === undefined ? {} : { served: await clusterServed(options) }),
    host: options.host,
    port: options.port,
    token,
    ...(options.cors === undefined ? {} : { cors: options.cors }),
    ...(options.allowHost === undefined ? {} : { hosts: options.allowHost }),
    namespaces: {
      build: options.build,
      ...(model === undefined ? {} : { model }),
      ...(crossEncoder === undefined ? {} : { crossEncoder }),
      ...(maxActive === undefined ? {} : { maxActive }),
      ...(config.index === undefined ? {} : { index: config.index }),
      ...(chunking === undefined ? {} : { chunking }),
      ...(vectors === undefined ? {} : { vectors }),
      ...(config.dedupeThreshold === undefined ? {} : { dedupeThreshold: config.dedupeThreshold }),
      ...(config.expectedVectors === undefined ? {} : { expectedVectors: config.expectedVectors }),
      ...(options.maxIndexMb === undefined ? {} : { maxIndexMemory: options.maxIndexMb * 2 ** 20 }),
      ...(options.readers === undefined ? {} : { readers: options.readers }),
      snapshots: options.snapshots === true || config.snapshots.isOn ? policyOf(config.snapshots) : false,
    },
    search: config.search,
    notices: [...config.notices, ...notices],
    allowPull: options.allowPull === true,
    mcp: options.mcp,
    contracts: options.contracts === true,
    limits: { concurrentMax: options.maxConcurrent, ingestBytesMax: options.maxIngestMb * 2 ** 20 },
    log: { queries: options.logQueries === "true" },
    version: packageVersion(),
  });
  const forWhom = token === undefined ? "" : ", for clients with the token";
  process.stderr.write(`selfsame serve: listening on ${server.url}${forWhom}\n`);
  await stopped;
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await server.close();
}

/** Opens a cluster as what is served. */
async function clusterServed(options: ServeCommandOptions): Promise<Namespaces> {
  const { connectCluster } = await import("../../cluster/index.ts");
  const cluster = await connectCluster(clusterOptions({ ...options, cluster: options.cluster! }));
  return cluster.namespaces();
}

function policyOf({ intervalSeconds, writes }: ServiceConfig["snapshots"]): SnapshotPolicy {
  return {
    ...(intervalSeconds === undefined ? {} : { intervalMs: intervalSeconds * 1000 }),
    ...(writes === undefined ? {} : { writes }),
  };
}

async function chunkingOf({ chunking }: ServiceConfig, model: string | undefined) {
  if (chunking === undefined) return { chunking: undefined, notices: [] };
  const { limit } = await loadTokenizer(model === undefined ? {} : { model });
  return clampedChunking(chunking, limit);
}

function signalled(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
}
