/**
 * Many machines, joined by NATS, and still the same bits: a cluster's answer and receipt equal those of one library with
 * the same documents. Start with `connectCluster`; docs/cluster.md explains the parts. It needs the packages
 * `@nats-io/transport-node`, `@nats-io/jetstream`, `@nats-io/kv` and `@nats-io/obj`.
 *
 * @example
 * import { connectCluster } from "selfsame/cluster";
 *
 * const cluster = await connectCluster({ cluster: "papers" });
 * await cluster.ingest([{ path: "ties.md", text: "# Ties\n…" }]);
 *
 * @module cluster
 */

export type { SearchHooks } from "../library/searcher.ts";
export type { BuildEvent, BuildOptions, BuildReport } from "./build.ts";
export { Cluster, connectCluster } from "./cluster.ts";
export type { ClusterIngestOptions, ClusterIngestReport } from "./cluster-ingest.ts";
export { type ClusterAnswer, ClusterLibrary, type ClusterSearchOptions } from "./cluster-library.ts";
export { type ClusterOptions, DEFAULT_NATS } from "./connection.ts";
export type { DeadLetter } from "./dead-letters.ts";
export type { DefinitionOptions } from "./definition.ts";
export { type FileDocumentsOptions, fileDocuments } from "./file-documents.ts";
export { DEFAULT_CLUSTER } from "./names.ts";
export type { ServeEvent, ServeOptions } from "./serve-shards.ts";
export { ShardedLibrary } from "./sharded-library.ts";
export type { CanonStatus, ClusterStatus, ServerStatus, ShardStatus, WorkerStatus } from "./status.ts";
export { statusMetrics } from "./status-metrics.ts";
export type { VerifyOptions, VerifyReport, WrongJob } from "./verify.ts";
export type { WorkerEvent, WorkerOptions, WorkerReport } from "./worker.ts";
