import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Hono } from "hono";
import { RESPONSE_ALREADY_SENT } from "../http/index.ts";
import { refused } from "./failure.ts";
import type { Hybrid } from "./hybrid.ts";
import type { Limits } from "./limits.ts";
import { type Env, readJson } from "./read-request.ts";
import { nodesRequest, packRequest, pathsRequest } from "./schemas.ts";

export interface PullRoutesOptions {
  readonly hybrid: Hybrid;
  readonly limits: Limits;
  /** Whether vectors and texts may leave the server as packs. */
  readonly isAllowed: boolean;
  /** Stops long answers when the server stops by force. */
  readonly stop: AbortSignal;
}

/** A client that takes no byte for so long is cut off. */
const STALLED_MS = 60_000;

/**
 * The endpoints that `selfsame pull` asks. They are the one place where stored vectors leave the server, so they are off unless
 * the operator allows them. SPEC §28.7
 */
export function addPullRoutes(app: Hono<Env>, { hybrid, limits, isAllowed, stop }: PullRoutesOptions): void {
  const allow = () => {
    if (isAllowed) return;
    throw refused(
      403,
      "PULL_NOT_ALLOWED",
      "expected a server that allows pulls, got one that does not",
      "Start it with selfsame serve --allow-pull and a token",
    );
  };

  app.post("/v1/namespaces/:name/nodes", async (c) => {
    allow();
    const { tree, prefixes } = await readJson(c.env.incoming, nodesRequest, limits);
    const nodes = await hybrid.existing(c.req.param("name"), (library) => library.nodes(prefixes, tree));
    return c.json({ nodes: nodes.map((node) => Buffer.from(node).toString("base64")) });
  });

  app.post("/v1/namespaces/:name/paths", async (c) => {
    allow();
    const { ids } = await readJson(c.env.incoming, pathsRequest, limits);
    return c.json({ paths: await hybrid.existing(c.req.param("name"), (library) => library.paths(ids)) });
  });

  app.post("/v1/namespaces/:name/pack", async (c) => {
    allow();
    const { prefixes, vectors = true } = await readJson(c.env.incoming, packRequest, limits);
    const { outgoing } = c.env;
    await hybrid.existing(c.req.param("name"), async (library) => {
      const isOwn = library.canonParts.vectors !== "model";
      const pack = library.exportPack({ prefixes, vectors: vectors || isOwn, signal: stop });
      for await (const piece of pack) await send(outgoing as ServerResponse, piece);
    });
    outgoing.end();
    return RESPONSE_ALREADY_SENT;
  });
}

/** Sends a piece, and waits until the client has taken enough of it. */
async function send(response: ServerResponse, piece: Uint8Array): Promise<void> {
  if (!response.headersSent) response.writeHead(200, { "Content-Type": "application/octet-stream" });
  if (response.write(piece)) return;
  const ended = new AbortController();
  const stalled = setTimeout(() => response.destroy(), STALLED_MS);
  try {
    const { signal } = ended;
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    clearTimeout(stalled);
    ended.abort();
  }
  if (response.destroyed) throw refused(499, "CLIENT_GONE", "expected a client that reads, got none");
}
