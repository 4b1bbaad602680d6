import { availableParallelism } from "node:os";
import { HttpEdge, refusalBody } from "../http/index.ts";
import { type Namespaces, type NamespacesOptions, openNamespaces, SelfsameError } from "../index.ts";
import { answerOf, McpEndpoint, transportError } from "../mcp/index.ts";
import { makeApp } from "./app.ts";
import { Embeddings } from "./embeddings.ts";
import { inspectDevice } from "./health.ts";
import { Hybrid } from "./hybrid.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { Log, type LogOptions } from "./log.ts";
import { Metrics } from "./metrics.ts";
import type { SearchSettings } from "./query-parameters.ts";

/** Options of `startServer`. */
export interface ServerOptions {
  /** The folder of the namespaces. */
  readonly data: string;
  /** The address to listen on; default 127.0.0.1. Any other than this device's own needs a token. */
  readonly host?: string;
  /** The port; 0 takes any free one. */
  readonly port: number;
  /** What clients must send as `Authorization: Bearer …`, except for `/healthz`. */
  readonly token?: string | undefined;
  /** Origins of web pages that may use the server. */
  readonly cors?: readonly string[];
  /** Host names by which clients reach the server, beside this device's own. */
  readonly hosts?: readonly string[];
  /** What is served instead of the namespaces in `data`, such as a cluster. It is closed with the server. */
  readonly served?: Namespaces;
  /** How namespaces are opened. Searches run in as many threads as there are cores, unless `readers` says otherwise. */
  readonly namespaces?: NamespacesOptions;
  /** What holds for all searches, unless a request says otherwise. */
  readonly search?: SearchSettings;
  /** What the configuration says and cannot do. */
  readonly notices?: readonly string[];
  /** Whether agents are served at `/mcp`; default true. */
  readonly mcp?: boolean;
  /** Whether they get the tools of contracts, too; default false. */
  readonly contracts?: boolean;
  /**
   * Whether clients may pull: fetch documents with their stored vectors as packs. Default false. It needs a token, on this
   * device's own addresses, too.
   */
  readonly allowPull?: boolean;
  /** What one request may ask for; default `LIMITS`. */
  readonly limits?: Partial<Limits>;
  /** Where the log goes, and what it has. */
  readonly log?: LogOptions;
  /** The version that health, the page and the OpenAPI document show. */
  readonly version: string;
}

/** How long running requests may take when the server stops. */
const GRACE_MS = 30_000;

/** A server that runs. */
export interface RunningServer {
  /** The address, without a path. */
  readonly url: string;
  /** Stops accepting requests, finishes those that run, and closes all namespaces. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Starts the HTTP service, as `selfsame serve` does.
 *
 * @example
 * const server = await startServer({ data: "data", port: 7338, version: "1.0.0" });
 * await server.close();
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits = { ...LIMITS, ...options.limits };
  if (options.allowPull === true && options.token === undefined) throw needsToken();
  const log = new Log(options.log);
  const { model, build, workers } = options.namespaces ?? {};
  const embedding = {
    ...(typeof model === "string" ? { model } : {}),
    ...(build === undefined ? {} : { build }),
    ...(workers === undefined ? {} : { workers }),
  };
  const device = await inspectDevice(embedding);
  for (const warning of device.warnings) log.warning("degraded", warning);
  const notices = options.notices ?? [];
  for (const notice of notices) log.warning("configuration", notice);
  const namespaces =
    options.served ??
    (await openNamespaces(options.data, {
      readers: availableParallelism(),
      onWarning: (namespace, warning) => log.warning("degraded", warning, { namespace }),
      ...options.namespaces,
    }));
  const metrics = new Metrics();
  const embeddings = new Embeddings(embedding);
  const mcp = options.mcp === false ? null : new McpEndpoint({ bodyMax: limits.bodyMax });
  const stop = new AbortController();
  const app = makeApp({
    hybrid: new Hybrid({
      namespaces,
      vectors: options.namespaces?.vectors,
      search: options.search ?? {},
      limits,
      log,
      metrics,
    }),
    maxActive: options.namespaces?.maxActive ?? 3,
    data: options.data,
    hasToken: options.token !== undefined,
    allowPull: options.allowPull === true,
    version: options.version,
    stop: stop.signal,
    ...{ embeddings, device, limits, log, metrics, mcp, notices, contracts: options.contracts === true },
  });
  const closeAll = async () => {
    await namespaces.close();
    await embeddings.close();
    metrics.close();
  };
  const edge = await HttpEdge.listen({
    host: options.host ?? "127.0.0.1",
    port: options.port,
    token: options.token,
    openPaths: ["/healthz"],
    basic: true,
    origins: "same",
    cors: options.cors ?? [],
    hosts: options.hosts ?? [],
    fetch: app.fetch,
    bodyOf: (refusal, request) =>
      isMcp(request.url) ? answerOf(transportError(refusal.reason)) : refusalBody(refusal),
    concurrentMax: limits.concurrentMax,
    isCounted: (path) => path !== "/healthz" && path !== "/metrics" && path !== "/mcp",
    log: (line) => log.error("request_failed", line),
  }).catch(async (error) => {
    await closeAll();
    throw error;
  });
  log.event("listening", { url: edge.url });
  return {
    url: edge.url,
    async close(graceMs = GRACE_MS) {
      log.event("stopping", {});
      const forced = setTimeout(() => stop.abort(), graceMs).unref();
      const closed = edge.close(graceMs);
      await mcp?.close();
      await closed;
      clearTimeout(forced);
      await closeAll();
      log.event("stopped", {});
    },
  };
}

function needsToken(): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    "expected a token for a server that allows pulls, got none",
    "Give --token-file <file> or SELFSAME_TOKEN (openssl rand -hex 16 makes one), or leave out --allow-pull",
  );
}

function isMcp(url = ""): boolean {
  return url.split("?")[0] === "/mcp";
}
