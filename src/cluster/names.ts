import { badArgument } from "../errors/arguments.ts";

/** The cluster that is meant if none is named. */
export const DEFAULT_CLUSTER = "default";

const NAME = /^[A-Za-z0-9_-]{1,32}$/;

/** What the parts of a cluster are called in NATS. Several clusters share one server, each under its own name. */
export class ClusterNames {
  readonly cluster: string;
  /** The stream of operations. Its order decides. */
  readonly operations: string;
  readonly operationSubject: string;
  /** The work queue of texts to embed. */
  readonly jobs: string;
  readonly jobSubject: string;
  /** Jobs that failed too often. */
  readonly dead: string;
  readonly deadSubject: string;
  /** What is decided: the cluster's definition, and which manifest counts. */
  readonly decided: string;
  /** Who is there: entries that vanish if they are not renewed. */
  readonly presence: string;

  constructor(cluster: string) {
    if (typeof cluster !== "string" || !NAME.test(cluster))
      throw badArgument("cluster", "a name of 1 to 32 letters, digits, _ and -", cluster);
    this.cluster = cluster;
    this.operations = `selfsame_${cluster}_operations`;
    this.operationSubject = `selfsame.${cluster}.operations`;
    this.jobs = `selfsame_${cluster}_jobs`;
    this.jobSubject = `selfsame.${cluster}.jobs`;
    this.dead = `selfsame_${cluster}_dead`;
    this.deadSubject = `selfsame.${cluster}.dead`;
    this.decided = `selfsame_${cluster}_decided`;
    this.presence = `selfsame_${cluster}_presence`;
  }

  /** The bucket of objects of one kind. */
  bucket(kind: ObjectKind): string {
    return `selfsame_${this.cluster}_${kind}`;
  }

  /** The subject on which holders of a shard's state answer. */
  shardSubject(state: string): string {
    return `selfsame.${this.cluster}.shard.${state}`;
  }
}

/** Objects by what they are: canonical texts, results of jobs, parts of shards' files, manifests. */
export type ObjectKind = "texts" | "results" | "files" | "manifests";

/** Every kind of object. */
export const OBJECT_KINDS: readonly ObjectKind[] = ["texts", "results", "files", "manifests"];

const HEX = /^[0-9a-f]{64}$/;

/** Returns whether a value is a digest in hexadecimal. */
export function isDigest(value: unknown): value is string {
  return typeof value === "string" && HEX.test(value);
}
