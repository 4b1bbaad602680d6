import { randomUUID } from "node:crypto";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { finished } from "node:stream";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { SelfsameError } from "../index.ts";
import { checkParams } from "./check-params.ts";
import { faultOfPost } from "./check-post.ts";
import { Gate } from "./gate.ts";
import { Posts } from "./posts.ts";
import { readBody } from "./read-body.ts";
import { errorAnswers, type Messages } from "./read-messages.ts";
import { createServer } from "./server.ts";
import type { Service } from "./service.ts";
import { type Session, Sessions } from "./sessions.ts";

export interface HttpOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** What clients must send as `Authorization: Bearer …`; without it any program on this device is a client. */
  readonly token?: string;
  /** The largest number of clients at once; default 64. */
  readonly sessionsMax?: number;
  /** A client that has asked nothing for this long, and is not listening, is taken for gone; default 30 minutes. */
  readonly idleMs?: number;
  /** The largest request body; default 4 MiB. */
  readonly bodyMax?: number;
}

const PATH = "/mcp";
const KEEP_ALIVE_MS = 120_000;
/** After 413 the rest of the body is discarded for at most this long. */
const LINGER_MS = 5_000;

/** The answers are data: no page may frame them, and no browser may take them for anything else. */
const SECURITY_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Serves any number of clients on 127.0.0.1, each in its own session. */
export class HttpService {
  readonly #service: Service;
  readonly #bodyMax: number;
  readonly #gate: Gate;
  readonly #http: Server;
  readonly #sessions: Sessions;

  private constructor(service: Service, options: HttpOptions) {
    this.#service = service;
    this.#gate = new Gate(options.token);
    const { sessionsMax = 64, idleMs = 30 * 60_000, bodyMax = 4 << 20 } = options;
    this.#sessions = new Sessions(sessionsMax, idleMs);
    this.#bodyMax = bodyMax;
    this.#http = createHttpServer((request, response) => {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
      this.#answer(request, response).catch((error) => {
        service.log(`a request failed: ${(error as Error)?.stack ?? String(error)}`);
        refuse(response, 500, "Internal error");
      });
    });
    // Node's default of five seconds ends connections that clients are about to use again.
    this.#http.keepAliveTimeout = KEEP_ALIVE_MS;
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

  /** Stops listening and ends every session, which cancels its requests. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    await this.#sessions.close();
    this.#http.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#gate.refusal(request);
    if (refusal !== null) return refuse(response, refusal.status, refusal.reason, refusal.headers);
    if (request.url?.split("?")[0] !== PATH)
      return refuse(response, 404, `Not found: the endpoint is ${PATH}`);
    const id = request.headers["mcp-session-id"];
    const session = id === undefined ? null : this.#sessions.use(String(id), response);
    const body = await this.#read(request, response);
    if (body === null) return;
    if (id === undefined) return this.#begin(request, response, body);
    if (session === null)
      return answer(response, 404, errorAnswers(body.messages, -32001, "Session not found"));
    if (!refusePost(request, response, body, session)) await handOver(session, request, response, body);
  }

  /** Answers a request outside of a session: the first one of a client, or a mistake. */
  async #begin(request: IncomingMessage, response: ServerResponse, body: Messages): Promise<void> {
    if (request.method !== "POST")
      return refuse(response, 400, "Bad Request: Mcp-Session-Id header is required");
    if (refusePost(request, response, body, null)) return;
    const place = this.#sessions.reserve();
    if (place === null) {
      const reason = "Too many sessions: end one, or try again later";
      return answer(response, 503, errorAnswers(body.messages, -32000, reason));
    }
    try {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => place.take(id, session, response),
      });
      const server = createServer(this.#service, () => {
        if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      });
      await server.connect(transport);
      checkParams(transport);
      const session: Session = { server, transport, posts: new Posts(transport) };
      await handOver(session, request, response, body);
      if (transport.sessionId === undefined) await server.close();
    } finally {
      place.release();
    }
  }

  /** Reads the posted messages; null if they were refused. */
  async #read(request: IncomingMessage, response: ServerResponse): Promise<Messages | null> {
    if (request.method !== "POST") return { messages: undefined };
    const body = await readBody(request, this.#bodyMax);
    if ("messages" in body) return body;
    if (body.status === 413) answerAndClose(request, response, body.status, body.answers);
    else answer(response, body.status, body.answers);
    return null;
  }
}

async function handOver(
  { posts, transport }: Session,
  request: IncomingMessage,
  response: ServerResponse,
  { messages }: Messages,
): Promise<void> {
  posts.begin(messages, response);
  await transport.handleRequest(request, response, messages);
}

/** Answers messages that the transport would refuse; false if it would not. */
function refusePost(
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: Messages,
  session: Session | null,
): boolean {
  const fault = faultOfPost(headers, body, session && ((id) => session.posts.isOpen(id)));
  if (fault !== null) answer(response, fault.status, errorAnswers(body.messages, fault.code, fault.reason));
  return fault !== null;
}

/** Refuses a request whose messages are not known. */
function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  answer(response, status, errorAnswers(undefined, -32000, reason), headers);
}

function answer(
  response: ServerResponse,
  status: number,
  answers: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(jsonOf(answers));
}

/**
 * Answers before the body has arrived, and closes the connection. Closing it with unread data would reset it, and the client
 * could lose the answer; so what still comes is discarded for a moment.
 */
function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  answers: readonly object[],
): void {
  const json = jsonOf(answers);
  const length = Buffer.byteLength(json);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": length,
    Connection: "close",
  });
  response.write(json);
  const lingering = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  finished(request.resume(), () => response.end());
  response.once("close", () => clearTimeout(lingering));
}

/** A batch of answers is a list. */
function jsonOf(answers: readonly object[]): string {
  return JSON.stringify(answers.length === 1 ? answers[0] : answers);
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected to listen on 127.0.0.1:${port}, got ${cause.message}`,
    "Give another port: --http <port>, or 0 for any free one",
    { cause },
  );
}
