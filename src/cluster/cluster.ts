import type { DocumentInput } from "../library/document-input.ts";
import type { Namespaces } from "../namespaces/namespaces-port.ts";
import { type BuildOptions, type BuildReport, buildCluster } from "./build.ts";
import {
  type ClusterIngestOptions,
  type ClusterIngestReport,
  ingestDocuments,
  removeDocuments,
} from "./cluster-ingest.ts";
import { ClusterLibrary } from "./cluster-library.ts";
import { ClusterNamespaces } from "./cluster-namespaces.ts";
import { type ClusterOptions, type Connection, connect } from "./connection.ts";
import { type ServeOptions, serveShards } from "./serve-shards.ts";
import { type ClusterStatus, clusterStatus } from "./status.ts";
import { type VerifyOptions, type VerifyReport, verifyCluster } from "./verify.ts";
import { runWorker, type WorkerOptions, type WorkerReport } from "./worker.ts";

/**
 * Documents on many machines, joined by NATS. Any number of processes may connect to the same cluster and do any of this
 * at the same time. A search gives the answer, and the receipt, of one library with the same documents.
 */
export class Cluster {
  readonly #connection: Connection;

  /** @internal Use `connectCluster`. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The cluster's name. */
  get name(): string {
    return this.#connection.names.cluster;
  }

  /**
   * Stores documents. A document that was acknowledged is not lost; the next build makes it searchable. Of two documents
   * with the same path, the later one counts, in the order in which NATS stored them.
   *
   * @example
   * await cluster.ingest([{ path: "ties.md", text: "# Ties\n…" }]);
   */
  ingest(
    documents: readonly DocumentInput[],
    options: ClusterIngestOptions = {},
  ): Promise<ClusterIngestReport> {
    return ingestDocuments(this.#connection, documents, options);
  }

  /** Removes documents by path; the next build takes them out. */
  remove(paths: readonly string[], options: ClusterIngestOptions = {}): Promise<ClusterIngestReport> {
    return removeDocuments(this.#connection, paths, options);
  }

  /**
   * Embeds texts for the cluster until it is stopped. Before the first job the published vectors are run on this device: one
   * that computes other bits takes no job.
   */
  work(options: WorkerOptions = {}): Promise<WorkerReport> {
    return runWorker(this.#connection, options);
  }

  /**
   * Brings the shards up to date with all documents that were acknowledged before, and publishes them. Workers must be
   * there for new texts. Several builders may run; none loses what another has published.
   */
  build(options: BuildOptions): Promise<BuildReport> {
    return buildCluster(this.#connection, options);
  }

  /**
   * Holds shards and answers for them until it is stopped. The placement says which: all servers know it from each
   * other's names.
   */
  serve(options: ServeOptions): Promise<void> {
    return serveShards(this.#connection, options);
  }

  /**
   * Opens the cluster's documents for reading.
   *
   * @example
   * const library = await cluster.open();
   * const { results, receipt } = await library.search("how are ties broken?");
   */
  open(): Promise<ClusterLibrary> {
    return ClusterLibrary.open(this.#connection);
  }

  /**
   * Returns the cluster as namespaces (`default` and its own name), so that the HTTP service answers from it. Closing them
   * closes this connection.
   *
   * @example
   * await startServer({ data: ".", served: await cluster.namespaces(), port: 7338, version: "1" }); // "selfsame/serve"
   */
  async namespaces(): Promise<Namespaces> {
    return new ClusterNamespaces(this, await this.open());
  }

  /** Returns what the cluster is doing. */
  status(): Promise<ClusterStatus> {
    return clusterStatus(this.#connection);
  }

  /** Computes a random part of the cluster again and compares. */
  verify(options: VerifyOptions): Promise<VerifyReport> {
    return verifyCluster(this.#connection, options);
  }

  /** Closes the connection. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}

/**
 * Connects to a cluster, and makes it if it does not exist. It needs the packages of NATS, which are not installed with
 * Selfsame, and a NATS server with JetStream. docs/cluster.md
 *
 * @example
 * const cluster = await connectCluster({ nats: "nats://127.0.0.1:4222", cluster: "papers" });
 * await cluster.ingest([{ path: "ties.md", text: "# Ties\n…" }]);
 * await cluster.build({ folder: "/var/lib/selfsame", definition: {} }); // while workers run
 */
export async function connectCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return new Cluster(await connect(options));
}
