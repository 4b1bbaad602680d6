import type { Connection } from "./connection.ts";
import { type DeadLetter, deadLetters } from "./dead-letters.ts";
import { definedCanons } from "./definition.ts";
import { JOB_TEXTS_MAX } from "./job.ts";
import { currentManifest } from "./manifests.ts";
import { isDigest } from "./names.ts";
import { operationsThere } from "./operations.ts";
import { persistently } from "./persistently.ts";
import { whoIsThere } from "./presence.ts";

/** A worker that is there. */
export interface WorkerStatus {
  /** Its name. */
  readonly id: string;
  /** How many texts it has embedded. */
  readonly texts: number;
  /** Texts a second while it works. */
  readonly rate: number;
}

/** A server that is there. */
export interface ServerStatus {
  /** Its name. */
  readonly id: string;
  /** How many shards it answers for. */
  readonly shards: number;
}

/** A shard of the manifest that counts. */
export interface ShardStatus {
  /** The bit prefix of its document ids. */
  readonly prefix: string;
  /** How many documents it has. */
  readonly documents: number;
  /** How many chunks it has. */
  readonly chunks: number;
  /** The size of its file. */
  readonly bytes: number;
  /** How many servers answer for it. */
  readonly replicas: number;
}

/** What is known under one canon. */
export interface CanonStatus {
  /** The digest of everything that decides results. */
  readonly canon: string;
  /** Whether searches use it. */
  readonly isCurrent: boolean;
  /** The digest of its manifest; null if nothing was built yet. */
  readonly manifest: string | null;
  /** The last operation that the manifest contains. */
  readonly sequence: number;
  /** How many documents the manifest has. */
  readonly documents: number;
  /** How many chunks the manifest has. */
  readonly chunks: number;
  /** The shards of the manifest. */
  readonly shards: readonly ShardStatus[];
}

/** What a cluster is doing. */
export interface ClusterStatus {
  /** Its name. */
  readonly cluster: string;
  /** The last operation that was acknowledged. */
  readonly operations: number;
  /** What was built, under each canon. */
  readonly canons: readonly CanonStatus[];
  /** The jobs that have no result yet. */
  readonly queue: {
    /** How many no worker has. */
    readonly waiting: number;
    /** How many a worker has. */
    readonly taken: number;
  };
  /** The workers that are there. */
  readonly workers: readonly WorkerStatus[];
  /** All workers together, in texts a second. */
  readonly rate: number;
  /** How long the queue will take, in seconds; null if no worker has a rate yet. */
  readonly secondsLeft: number | null;
  /** The servers that are there. */
  readonly servers: readonly ServerStatus[];
  /** Jobs that failed too often, with a document that has such a text. */
  readonly failed: readonly DeadLetter[];
}

/** Returns what a cluster is doing. */
export async function clusterStatus(connection: Connection): Promise<ClusterStatus> {
  const { manager, names } = connection;
  const { last } = await operationsThere(connection);
  const consumer = await persistently(() => manager.consumers.info(names.jobs, "workers"));
  const workers = (await whoIsThere(connection, "worker")).map(({ key, facts }) => ({
    id: key,
    texts: count(facts["texts"]),
    jobs: count(facts["jobs"]),
    rate: count(facts["rate"]),
  }));
  const servers = (await whoIsThere(connection, "server")).map(({ key, facts }) => ({
    id: key,
    states: Array.isArray(facts["states"]) ? facts["states"].filter(isDigest) : [],
  }));
  const queue = { waiting: consumer.num_pending, taken: consumer.num_ack_pending };
  const rate = workers.reduce((sum, each) => sum + each.rate, 0);
  const [texts, jobs] = [sum(workers.map((each) => each.texts)), sum(workers.map((each) => each.jobs))];
  const perJob = jobs === 0 ? JOB_TEXTS_MAX : texts / jobs;
  const jobsLeft = queue.waiting + queue.taken;
  return {
    cluster: names.cluster,
    operations: last,
    canons: await canonStatuses(connection, servers),
    queue,
    workers: workers.map(({ id, texts: done, rate: each }) => ({ id, texts: done, rate: each })),
    rate,
    secondsLeft: jobsLeft === 0 ? 0 : rate === 0 ? null : Math.ceil((jobsLeft * perJob) / rate),
    servers: servers.map(({ id, states }) => ({ id, shards: states.length })),
    failed: await deadLetters(connection),
  };
}

async function canonStatuses(
  connection: Connection,
  servers: readonly { readonly states: readonly string[] }[],
): Promise<CanonStatus[]> {
  const { canons, current } = await persistently(() => definedCanons(connection));
  const statuses: CanonStatus[] = [];
  for (const canon of canons) {
    const found = await currentManifest(connection, canon);
    const shards = (found?.manifest.shards ?? []).map(({ facts, bytes }) => ({
      prefix: facts.prefix,
      documents: facts.counts.documents,
      chunks: facts.counts.chunks,
      bytes,
      replicas: servers.filter(({ states }) => states.includes(facts.state)).length,
    }));
    statuses.push({
      ...{ canon, isCurrent: canon === current, manifest: found?.digest ?? null, shards },
      sequence: found?.manifest.sequence ?? 0,
      documents: sum(shards.map(({ documents }) => documents)),
      chunks: sum(shards.map(({ chunks }) => chunks)),
    });
  }
  return statuses;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
