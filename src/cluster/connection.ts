import { readFileSync } from "node:fs";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import type { MsgHdrs, NatsConnection, NodeConnectionOptions } from "@nats-io/transport-node";
import type { Engine } from "../engine/engine.ts";
import { loadEngine } from "../engine/load.ts";
import { badArgument, optionsArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { ClusterNames, DEFAULT_CLUSTER, OBJECT_KINDS, type ObjectKind } from "./names.ts";
import { loadNats } from "./nats.ts";
import { Objects } from "./objects.ts";

/** How a cluster is reached. */
export interface ClusterOptions {
  /** Addresses of NATS servers; default `nats://127.0.0.1:4222`. */
  readonly nats?: string | readonly string[];
  /** Which cluster on these servers; default `default`. */
  readonly cluster?: string;
  /** A file with NATS credentials (JWT and seed). */
  readonly credentials?: string;
  /** TLS: the authority that the server's certificate must come from, and a certificate of this client. Names of files. */
  readonly tls?: {
    /** The authority's certificate. */
    readonly ca?: string;
    /** This client's certificate. */
    readonly cert?: string;
    /** Its key. */
    readonly key?: string;
  };
  /** How many NATS servers keep each message, if this call makes the cluster's streams; default 1. */
  readonly replicas?: number;
}

/** The address of a NATS server on this machine. */
export const DEFAULT_NATS = "nats://127.0.0.1:4222";
/** The names of all options. */
export const CLUSTER_OPTIONS: Readonly<Record<keyof ClusterOptions, true>> = {
  nats: true,
  cluster: true,
  credentials: true,
  tls: true,
  replicas: true,
};

/** Entries of who is there vanish after this long, unless they are renewed. */
export const PRESENCE_MS = 15_000;
/** A job that no worker has acknowledged or kept alive for this long goes to another one. */
export const JOB_WAIT_MS = 30_000;
/** Publishing the same message id again within this time stores nothing. */
const DUPLICATE_WINDOW_MS = 120_000;
const CONNECT_MS = 5000;
const REQUEST_MS = 10_000;

/** An open connection to a cluster: its streams, its objects, and what is decided. */
export interface Connection {
  readonly names: ClusterNames;
  readonly engine: Engine;
  readonly nats: NatsConnection;
  readonly streams: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly decided: KV;
  readonly presence: KV;
  readonly objects: Readonly<Record<ObjectKind, Objects>>;
  /** Returns new headers for a message. */
  headers(): MsgHdrs;
  /** Returns a subject that nobody else has, for answers. */
  inbox(): string;
  close(): Promise<void>;
}

/** Connects to a cluster, and makes its streams if they are missing. */
export async function connect(given: ClusterOptions = {}): Promise<Connection> {
  const options = optionsArgument(given, CLUSTER_OPTIONS);
  const names = new ClusterNames(options.cluster ?? DEFAULT_CLUSTER);
  const replicas = options.replicas ?? 1;
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 5)
    throw badArgument("replicas", "a whole number from 1 to 5", replicas);
  const { core, jetstream, kv, obj } = await loadNats();
  const [{ engine }, nats] = await Promise.all([
    loadEngine(),
    reach(core.connect, connectionOptions(options, core.credsAuthenticator)),
  ]);
  try {
    const streams = jetstream.jetstream(nats, { timeout: REQUEST_MS });
    const manager = await jetstream.jetstreamManager(nats, { timeout: REQUEST_MS });
    await makeStreams(manager, names, replicas);
    const kvm = new kv.Kvm(streams);
    const objm = new obj.Objm(streams);
    const objects: Partial<Record<ObjectKind, Objects>> = {};
    for (const kind of OBJECT_KINDS)
      objects[kind] = new Objects(await objm.create(names.bucket(kind), { replicas }), manager);
    return {
      ...{ names, engine, nats, streams, manager },
      decided: await kvm.create(names.decided, { replicas, history: 64 }),
      presence: await kvm.create(names.presence, { replicas, history: 1, ttl: PRESENCE_MS }),
      objects: objects as Record<ObjectKind, Objects>,
      headers: () => core.headers(),
      inbox: () => core.createInbox(),
      close: async () => {
        await nats.close();
      },
    };
  } catch (error) {
    await nats.close();
    throw error instanceof SelfsameError ? error : unreachable(options, error);
  }
}

function connectionOptions(
  { nats = DEFAULT_NATS, credentials, tls }: ClusterOptions,
  credsAuthenticator: (creds: Uint8Array) => NodeConnectionOptions["authenticator"],
): NodeConnectionOptions {
  const authenticator = credentials === undefined ? undefined : credsAuthenticator(contents(credentials));
  return {
    servers: [nats].flat() as string[],
    name: "selfsame",
    timeout: CONNECT_MS,
    // A server that is started again is found again, however long that takes: no work is lost meanwhile.
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 10_000,
    ...(authenticator === undefined ? {} : { authenticator }),
    ...(tls === undefined
      ? {}
      : {
          tls: {
            ...(tls.ca === undefined ? {} : { caFile: tls.ca }),
            ...(tls.cert === undefined ? {} : { certFile: tls.cert }),
            ...(tls.key === undefined ? {} : { keyFile: tls.key }),
          },
        }),
  };
}

function contents(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected credentials in ${file}, got ${(cause as Error).message}`,
      "Name the file that nsc or your operator gave you",
      { cause },
    );
  }
}

async function reach(
  open: (options: NodeConnectionOptions) => Promise<NatsConnection>,
  options: NodeConnectionOptions,
): Promise<NatsConnection> {
  try {
    return await open(options);
  } catch (cause) {
    throw unreachable({ nats: options.servers as string[] }, cause);
  }
}

function unreachable({ nats = DEFAULT_NATS }: ClusterOptions, cause: unknown): SelfsameError {
  const got = cause instanceof Error ? cause.message : String(cause);
  const hint = /jetstream|503/i.test(got)
    ? "Start the server with JetStream: nats-server --jetstream --store_dir <folder>"
    : "Start one (nats-server --jetstream), or name another with --nats";
  return new SelfsameError(
    "CLUSTER_UNREACHABLE",
    `expected a NATS server with JetStream at ${[nats].flat().join(", ")}, got: ${got}`,
    hint,
    { cause },
  );
}

async function makeStreams(manager: JetStreamManager, names: ClusterNames, replicas: number): Promise<void> {
  const common = { num_replicas: replicas, duplicate_window: DUPLICATE_WINDOW_MS * 1e6 };
  await stream(manager, {
    ...{ name: names.operations, subjects: [names.operationSubject], retention: "limits", ...common },
  });
  await stream(manager, {
    ...{ name: names.jobs, subjects: [names.jobSubject], retention: "workqueue", ...common },
  });
  await stream(manager, {
    ...{ name: names.dead, subjects: [`${names.deadSubject}.*`], retention: "limits", ...common },
    max_msgs_per_subject: 1,
  });
  await manager.consumers.add(names.jobs, {
    durable_name: "workers",
    ack_policy: "explicit",
    ack_wait: JOB_WAIT_MS * 1e6,
    max_ack_pending: 10_000,
    max_deliver: -1,
  });
}

async function stream(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager["streams"]["add"]>[0],
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add(config);
  }
}

/** Returns whether an error of JetStream says that a stream, a message or an entry is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && /not found/i.test(error.message);
}
