import type { ClusterStatus } from "./status.ts";

/** Returns the status as Prometheus reads it (text format 0.0.4). */
export function statusMetrics(status: ClusterStatus): string {
  const lines: string[] = [];
  const label = (value: string) => value.replace(/[\\"\n]/g, "_");
  const family = (
    name: string,
    help: string,
    values: readonly (readonly [labels: string, value: number])[],
  ) => {
    lines.push(`# HELP selfsame_cluster_${name} ${help}`, `# TYPE selfsame_cluster_${name} gauge`);
    for (const [labels, value] of values)
      lines.push(`selfsame_cluster_${name}{cluster="${status.cluster}"${labels}} ${value}`);
  };
  const { queue, workers, servers, canons } = status;
  family("operations", "The last operation that was acknowledged.", [["", status.operations]]);
  family("jobs_waiting", "Jobs in the queue.", [["", queue.waiting]]);
  family("jobs_taken", "Jobs that workers have.", [["", queue.taken]]);
  family("jobs_failed", "Jobs that were put aside.", [["", status.failed.length]]);
  family("workers", "Workers that are there.", [["", workers.length]]);
  const ofWorker = (id: string) => `,worker="${label(id)}"`;
  family(
    ...(["worker_texts", "Texts that a worker has embedded."] as const),
    workers.map(({ id, texts }) => [ofWorker(id), texts] as const),
  );
  family(
    ...(["worker_texts_per_second", "Texts a second while a worker works."] as const),
    workers.map(({ id, rate }) => [ofWorker(id), rate] as const),
  );
  if (status.secondsLeft !== null)
    family("seconds_left", "How long the queue will take.", [["", status.secondsLeft]]);
  family("servers", "Servers that are there.", [["", servers.length]]);
  const ofCanon = (canon: string) => `,canon="${canon}"`;
  const perCanon = (name: string, help: string, value: (canon: (typeof canons)[number]) => number) =>
    family(
      name,
      help,
      canons.map((canon) => [ofCanon(canon.canon), value(canon)] as const),
    );
  perCanon("manifest_sequence", "The last operation that the manifest contains.", ({ sequence }) => sequence);
  perCanon("documents", "Documents of the manifest.", ({ documents }) => documents);
  perCanon("chunks", "Chunks of the manifest.", ({ chunks }) => chunks);
  perCanon("shards", "Shards of the manifest.", ({ shards }) => shards.length);
  perCanon("current", "Whether searches use the canon.", ({ isCurrent }) => (isCurrent ? 1 : 0));
  family(
    ...(["shard_replicas", "Servers that answer for a shard."] as const),
    canons.flatMap(({ canon, shards }) =>
      shards.map(({ prefix, replicas }) => [`${ofCanon(canon)},prefix="${prefix}"`, replicas] as const),
    ),
  );
  return `${lines.join("\n")}\n`;
}
