import type { Cluster, ClusterOptions } from "../cluster/index.ts";

/** The flags by which a cluster is reached. */
export interface ConnectionFlags {
  readonly nats?: string[];
  readonly cluster: string;
  readonly credentials?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly replicas?: number;
}

/** Returns the options that flags stand for. */
export function clusterOptions(flags: ConnectionFlags): ClusterOptions {
  const { nats, cluster, credentials, tlsCa, tlsCert, tlsKey, replicas } = flags;
  const tls = {
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
    ...(tlsCert === undefined ? {} : { cert: tlsCert }),
    ...(tlsKey === undefined ? {} : { key: tlsKey }),
  };
  return {
    cluster,
    ...(nats === undefined ? {} : { nats }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(replicas === undefined ? {} : { replicas }),
  };
}

/** Runs work with a connection to the cluster that flags name. */
export async function withCluster<T>(
  flags: ConnectionFlags,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const { connectCluster } = await import("../cluster/index.ts");
  const cluster = await connectCluster(clusterOptions(flags));
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
  }
}
