import type { IncomingMessage } from "node:http";
import { type Context, Hono } from "hono";
import { answerJson, bodyPieces, RESPONSE_ALREADY_SENT, type Refusal, refusalBody } from "../http/index.ts";
import { createReadingServer, type McpEndpoint } from "../mcp/index.ts";
import { lineRows, listRows } from "./document-rows.ts";
import type { Embeddings } from "./embeddings.ts";
import { refusalOf, refused } from "./failure.ts";
import { type Device, healthOf } from "./health.ts";
import { DEFAULT_NAMESPACE, type Hybrid } from "./hybrid.ts";
import type { Limits } from "./limits.ts";
import type { Log } from "./log.ts";
import { NamespaceAccess } from "./mcp-access.ts";
import type { Metrics } from "./metrics.ts";
import { openApiDocument } from "./openapi.ts";
import { INGEST_TYPES, OPERATIONS } from "./operations.ts";
import { pageOf } from "./page.ts";
import { PAGE_POLICY } from "./page-style.ts";
import { addPullRoutes } from "./pull.ts";
import { receiptJson, rounded } from "./query-answer.ts";
import { checked, type Env, readAnyJson, readJson, requireType } from "./read-request.ts";
import { deleteRequest, embeddingsRequest, ingestQuery, namespaceQuery } from "./schemas.ts";
import { SpooledBody } from "./spooled-body.ts";

export interface AppOptions {
  readonly hybrid: Hybrid;
  readonly embeddings: Embeddings;
  readonly device: Device;
  readonly limits: Limits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** null leaves out `/mcp`. */
  readonly mcp: McpEndpoint | null;
  /** Whether texts and vectors may leave the server as packs. */
  readonly allowPull: boolean;
  /** Whether agents get the tools of contracts, too. */
  readonly contracts: boolean;
  readonly version: string;
  readonly hasToken: boolean;
  /** What the configuration says and cannot do. */
  readonly notices: readonly string[];
  readonly maxActive: number;
  /** The folder of the namespaces. Large bodies are kept there until they are whole. */
  readonly data: string;
  /** Stops long requests when the server stops by force. */
  readonly stop: AbortSignal;
}

type C = Context<Env>;

/** The routes of the service. The HTTP edge has checked who asks. */
export function makeApp(options: AppOptions): Hono<Env> {
  const { hybrid, embeddings, limits, log, metrics, version, mcp, contracts } = options;
  const { namespaces } = hybrid;
  const openApi = openApiDocument(version, options.hasToken);
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    const began = performance.now();
    await next();
    const path = placeOf(c.req.path);
    const isSent = c.res.headers.has("x-hono-already-sent");
    const status = isSent ? c.env.outgoing.statusCode : c.res.status;
    metrics.requested(path, status);
    const error = c.get("error");
    if (c.get("isLogged") === true && error === undefined) return;
    log.event("request", {
      method: c.req.method,
      path: c.req.path,
      status,
      ...(error === undefined ? {} : { error }),
      timings_ms: { total: rounded(performance.now() - began) },
    });
  });

  app.post("/v1/hybrid/query", async (c) => {
    c.set("isLogged", true);
    return c.json(await hybrid.query(await readAnyJson(c.env.incoming, limits), c.env.incoming.headers));
  });

  app.post("/v1/recall", async (c) => {
    c.set("isLogged", true);
    return c.json(await hybrid.recall(await readAnyJson(c.env.incoming, limits)));
  });

  app.post("/v1/hybrid/ingest", async (c) => {
    const asked = checked(c.req.query(), ingestQuery);
    c.set("isLogged", true);
    const { incoming } = c.env;
    const type = requireType(incoming, INGEST_TYPES);
    const pieces = bodyPieces(incoming, { max: limits.ingestBytesMax, patienceMs: limits.bodyMs });
    const read = type === "application/json" ? listRows : lineRows;
    const rowsOf = (given: AsyncIterable<Uint8Array>) => read(given, limits.documentBytesMax);
    const body = new SpooledBody(pieces, options.data);
    try {
      return c.json(await hybrid.ingest(body, rowsOf, asked, options.stop));
    } finally {
      await body.close();
    }
  });

  app.delete("/v1/hybrid/documents", async (c) => {
    const { namespace = DEFAULT_NAMESPACE, paths } = await readJson(c.env.incoming, deleteRequest, limits);
    c.set("isLogged", true);
    return c.json(await hybrid.remove(namespace, paths));
  });

  app.get("/v1/hybrid/stats", async (c) => {
    const stats = await namespaces.stats();
    return c.json({
      namespaces: stats,
      lexical: hybrid.lexicalLatencies(),
      configuration: { max_active_namespaces: options.maxActive, notices: options.notices },
      degraded: !options.device.hasWeights || Object.values(stats).some(({ degraded }) => degraded),
    });
  });

  app.get("/healthz", async (c) => {
    const health = healthOf(options.device, await hybrid.recentStats(), version);
    return c.json(health, health.status === "broken" ? 503 : 200);
  });

  app.get("/metrics", async (c) => {
    const { type, body } = await metrics.text(await snapshotAges(hybrid));
    return c.body(body, 200, { "Content-Type": type });
  });

  app.post("/v1/embeddings", async (c) => {
    const request = await readJson(c.env.incoming, embeddingsRequest, limits);
    return c.json(await embeddings.embed(request, options.stop));
  });

  app.get("/v1/models", (c) => c.json(embeddings.models()));

  app.get("/v1/namespaces", async (c) => {
    const all = Object.entries(await namespaces.stats());
    return c.json({ namespaces: all.map(([name, stats]) => ({ name, ...stats })) });
  });

  app.delete("/v1/namespaces/:name", async (c) => c.json(await hybrid.drop(c.req.param("name"))));

  app.get("/v1/namespaces/:name/root", async (c) => {
    const namespace = c.req.param("name");
    return c.json(
      await hybrid.existing(namespace, async (library) => {
        const { root, metadataRoot, canon, documents, chunks } = await library.stats();
        return { namespace, root, metadata_root: metadataRoot, canon, documents, chunks };
      }),
    );
  });

  app.post("/v1/namespaces/:name/verify-receipt", async (c) => {
    const namespace = c.req.param("name");
    const receipt = JSON.stringify(await readAnyJson(c.env.incoming, limits));
    return c.json(
      await hybrid.existing(namespace, async (library) => {
        const { isSame, differences, actual, warnings } = await library.verifyReceipt(receipt);
        return { namespace, is_same: isSame, differences, actual: receiptJson(actual), warnings };
      }),
    );
  });

  addPullRoutes(app, { hybrid, limits, isAllowed: options.allowPull, stop: options.stop });

  app.get("/openapi.json", (c) => c.json(openApi));

  app.get("/", async (c) => {
    const { namespace, query = "" } = c.req.query();
    const all = await listed(hybrid);
    c.set("isLogged", query.trim() !== "");
    const asked = { namespace: namespace ?? all[0]?.name ?? DEFAULT_NAMESPACE, query: query.trim() };
    const answer =
      asked.query === ""
        ? null
        : await hybrid.query(asked, c.env.incoming.headers).catch((error: unknown) => {
            const refusal = refusalOf(error);
            if (refusal === null) throw error;
            return { error: refusal.reason };
          });
    const page = pageOf({ version, namespaces: all, asked, answer, hasMcp: mcp !== null });
    return c.html(page, 200, { "Content-Security-Policy": PAGE_POLICY });
  });

  if (mcp !== null) {
    app.all("/mcp", async (c) => {
      const { incoming, outgoing } = c.env;
      const { namespace = DEFAULT_NAMESPACE } = checked(c.req.query(), namespaceQuery);
      await namespaces.has(namespace); // refuses a name that no namespace can have
      const access = new NamespaceAccess(namespaces, namespace, {
        version,
        log: (line) => log.warning("mcp", line),
      });
      await mcp.handle(incoming, outgoing, namespace, (onClose) =>
        createReadingServer(access, { contracts }, onClose),
      );
      return RESPONSE_ALREADY_SENT;
    });
  }

  app.notFound((c) => fail(c, unknownPath(c.req.method, c.req.path, mcp !== null)));
  app.onError((error, c) => {
    if (refusalOf(error) === null) log.error("request_failed", error.message, { stack: error.stack });
    return fail(c, error);
  });
  return app;
}

const PLACES = new Set(["/", "/mcp", "/openapi.json", ...OPERATIONS.map(({ path }) => path)]);

/** The path as a metric's label: names are left out, and unknown paths are one, so that clients cannot make series. */
function placeOf(path: string): string {
  const general = path.replace(/^(\/v1\/namespaces\/)[^/]+/, "$1{name}");
  return PLACES.has(general) ? general : "other";
}

async function listed(hybrid: Hybrid) {
  return Object.entries(await hybrid.recentStats()).map(([name, stats]) => ({
    name,
    ...stats,
    warnings: [...stats.warnings],
  }));
}

async function snapshotAges(hybrid: Hybrid): Promise<Map<string, number>> {
  const ages = new Map<string, number>();
  for (const [name, stats] of Object.entries(await hybrid.recentStats())) {
    const { last_snapshot: at } = stats;
    if (at !== null) ages.set(name, Math.max(0, (Date.now() - Date.parse(at)) / 1000));
  }
  return ages;
}

function unknownPath(method: string, path: string, hasMcp: boolean) {
  const known = OPERATIONS.filter((each) => each.path === path).map((each) => each.method.toUpperCase());
  const isPlace = path === "/" || path === "/openapi.json";
  if (known.length > 0 || isPlace)
    return refused(
      405,
      "METHOD_NOT_ALLOWED",
      `expected ${known.join(" or ") || "GET"} ${path}, got ${method}`,
    );
  const places = ["/openapi.json", "/v1/hybrid/query", "/v1/hybrid/ingest", ...(hasMcp ? ["/mcp"] : [])];
  return refused(
    404,
    "NOT_FOUND",
    `expected a path of this server, got ${path}`,
    `Such as ${places.join(", ")}`,
  );
}

/** Answers with an error. A body that is still coming is discarded, so that the client gets the answer. */
function fail(c: C, error: unknown): Response {
  const refusal = refusalOf(error) ?? INTERNAL;
  c.set("error", refusal.code);
  answerJson(
    c.env.incoming as IncomingMessage,
    c.env.outgoing,
    refusal.status,
    refusalBody(refusal),
    refusal.headers,
  );
  return RESPONSE_ALREADY_SENT;
}

const INTERNAL: Refusal = {
  status: 500,
  code: "INTERNAL",
  reason: "Internal error",
  hint: "The server's log says more",
};
