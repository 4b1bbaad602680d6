import { randomUUID } from "node:crypto";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { SelfsameError } from "../index.ts";
import { type Messages, readBody } from "./body.ts";
import { checkParams } from "./check-params.ts";
import { Gate } from "./gate.ts";
import { Posts } from "./posts.ts";
import { createServer } from "./server.ts";
import type { Service } from "./service.ts";

export interface HttpOptions {
  /** 0 takes one that is free. */
  readonly port: number;
  /** What clients must send as `Authorization: Bearer …`; without it any program of this device is a client. */
  readonly token?: string;
  /** At most so many clients at once. */
  readonly sessionsMax?: number;
  /** A client that has asked nothing for so long, and listens to nothing, is gone. */
  readonly idleMs?: number;
  /** Larger requests are refused. */
  readonly bodyMax?: number;
}

interface Session {
  readonly server: McpServer;
  readonly transport: StreamableHTTPServerTransport;
  readonly posts: Posts;
  /** Requests that are being answered, among them the one by which a client listens. */
  open: number;
  usedMs: number;
}

const PATH = "/mcp";
const SWEEP_MS = 60_000;
const KEEP_ALIVE_MS = 120_000;

/** Serves any number of clients on 127.0.0.1, each in a session of its own. */
export class HttpService {
  readonly #service: Service;
  readonly #options: Required<Omit<HttpOptions, "token" | "port">>;
  readonly #gate: Gate;
  readonly #http: Server;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeping: NodeJS.Timeout;

  private constructor(service: Service, options: HttpOptions) {
    this.#service = service;
    this.#gate = new Gate(options.token);
    const { sessionsMax = 64, idleMs = 30 * 60_000, bodyMax = 4 << 20 } = options;
    this.#options = { sessionsMax, idleMs, bodyMax };
    this.#http = createHttpServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        service.log(`a request failed: ${(error as Error)?.stack ?? String(error)}`);
        refuse(response, 500, "Internal error");
      });
    });
    // Node's five seconds end connections under clients that were about to use them again.
    this.#http.keepAliveTimeout = KEEP_ALIVE_MS;
    this.#sweeping = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, idleMs)).unref();
  }

  static async listen(service: Service, options: HttpOptions): Promise<HttpService> {
    const served = new HttpService(service, options);
    await new Promise<void>((resolve, reject) => {
      served.#http.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(options.port, cause)));
      served.#http.listen(options.port, "127.0.0.1", resolve);
    });
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}${PATH}`;
  }

  /** How many clients there are. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Stops listening and ends every session, which stops what they asked for. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
    this.#http.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#gate.refusal(request);
    if (refusal !== null) return refuse(response, refusal.status, refusal.reason, refusal.headers);
    if (request.url?.split("?")[0] !== PATH)
      return refuse(response, 404, `Not found: the endpoint is ${PATH}`);
    const id = request.headers["mcp-session-id"];
    if (id === undefined) return this.#begin(request, response);
    const session = this.#sessions.get(String(id));
    if (session === undefined) return refuse(response, 404, "Session not found", {}, -32001);
    this.#use(session, response);
    const body = await this.#read(request, response);
    if (body === null) return;
    session.posts.begin(body.messages, response);
    await session.transport.handleRequest(request, response, body.messages);
  }

  /** A request outside of a session: the first one of a client, or a mistake, which the transport tells apart. */
  async #begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST")
      return refuse(response, 400, "Bad Request: Mcp-Session-Id header is required");
    const body = await this.#read(request, response);
    if (body === null) return;
    if (!this.#makeRoom()) return refuse(response, 503, "Too many sessions: end one, or try again later");
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const server = createServer(this.#service, () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    });
    await server.connect(transport);
    checkParams(transport);
    const posts = new Posts(transport);
    const session: Session = { server, transport, posts, open: 0, usedMs: performance.now() };
    this.#use(session, response);
    posts.begin(body.messages, response);
    await transport.handleRequest(request, response, body.messages);
    if (transport.sessionId === undefined) await server.close();
  }

  /** The session is in use until the response is written, from before its request is read. */
  #use(session: Session, response: ServerResponse): void {
    session.open++;
    session.usedMs = performance.now();
    response.once("close", () => {
      session.open--;
      session.usedMs = performance.now();
    });
  }

  /** What is posted; null if it was refused. */
  async #read(request: IncomingMessage, response: ServerResponse): Promise<Messages | null> {
    if (request.method !== "POST") return { messages: undefined };
    const body = await readBody(request, this.#options.bodyMax);
    if ("messages" in body) return body;
    refuse(response, body.status, body.reason, {}, body.code);
    return null;
  }

  /** Ends the sessions of clients that went without a word. */
  #sweep(): void {
    const before = performance.now() - this.#options.idleMs;
    for (const { server, open, usedMs } of this.#sessions.values()) {
      if (open === 0 && usedMs < before) void server.close();
    }
  }

  /** Where the house is full, the session that has been silent longest makes room; false if all are at work. */
  #makeRoom(): boolean {
    if (this.#sessions.size < this.#options.sessionsMax) return true;
    const silent = [...this.#sessions.values()].filter(({ open }) => open === 0);
    if (silent.length === 0) return false;
    void silent.reduce((a, b) => (a.usedMs <= b.usedMs ? a : b)).server.close();
    return true;
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected to listen on 127.0.0.1:${port}, got ${cause.message}`,
    "Give another port: --http <port>, or 0 for one that is free",
    { cause },
  );
}
