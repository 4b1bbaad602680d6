import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { SelfsameError } from "../errors/index.ts";
import { Gate, type GateOptions } from "./gate.ts";
import { answerJson, type Refusal, refusalBody } from "./refusal.ts";

export interface EdgeOptions extends Omit<GateOptions, "isPublic"> {
  /** The address to listen on; default 127.0.0.1. Any other than this device's own needs a token. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Answers requests that passed the gate: the `fetch` of a hono application. */
  readonly fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>;
  /** The body of a refusal; default `{ error: { code, message, hint } }`. */
  readonly bodyOf?: (refusal: Refusal, request: IncomingMessage) => unknown;
  /** The largest number of requests that are answered at once. More get 429. Default: no limit. */
  readonly concurrentMax?: number;
  /** Whether a request counts towards that number; default: all do. */
  readonly isCounted?: (path: string) => boolean;
  /** Clients that have not sent their headers by then are cut off; default 15 s. */
  readonly headersMs?: number;
  /** Clients that have not received their answer this long after it was made are cut off; default 60 s. Streams are exempt. */
  readonly answerMs?: number;
  /** How to give another port, for the error if this one is taken. */
  readonly portHint?: string;
  /** Takes lines for people about requests that failed. */
  readonly log: (line: string) => void;
}

const KEEP_ALIVE_MS = 120_000;
const CONNECTIONS_MAX = 1_024;
const CHECK_MS = 1_000;
/** The addresses that only programs of this device reach. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** The answers are data: no page may frame them, and no browser may take them for anything else. */
const SECURITY_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID",
  "Access-Control-Max-Age": "600",
};

/**
 * The HTTP server of every command that has one. It checks host, origin and token before anything of a body is read, bounds the
 * number of requests and the patience with slow clients, sets the headers of all answers, and stops without losing what runs.
 */
export class HttpEdge {
  readonly #options: EdgeOptions;
  readonly #gate: Gate;
  readonly #http: Server;
  readonly #listener: ReturnType<typeof getRequestListener>;
  #open = 0;
  #counted = 0;
  #isClosing = false;
  #onIdle: () => void = () => undefined;

  private constructor(options: EdgeOptions) {
    this.#options = options;
    this.#gate = new Gate({ ...options, isPublic: isPublic(options.host) });
    this.#listener = getRequestListener((request, env) => this.#fetch(request, env as HttpBindings), {
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
    });
    this.#http = createServer(
      {
        headersTimeout: options.headersMs ?? 15_000,
        requestTimeout: 0, // bodies have a patience of their own, which does not count the time that the server takes
        connectionsCheckingInterval: Math.min(CHECK_MS, options.headersMs ?? CHECK_MS),
        keepAliveTimeout: KEEP_ALIVE_MS, // Node's five seconds end connections that clients are about to use again
      },
      (request, response) => this.#receive(request, response),
    );
    this.#http.maxConnections = CONNECTIONS_MAX;
  }

  /** Starts to listen. @throws {SelfsameError} BAD_ARGUMENT for an address that is taken, or public without a token */
  static async listen(options: EdgeOptions): Promise<HttpEdge> {
    const { host = "127.0.0.1", port } = options;
    if (isPublic(host) && options.token === undefined) throw needsToken(host);
    const edge = new HttpEdge(options);
    await new Promise<void>((resolve, reject) => {
      edge.#http.once("error", (cause) => reject(cannotListen(options, cause)));
      edge.#http.listen(port, host, resolve);
    });
    return edge;
  }

  /** The address, without a path. */
  get url(): string {
    const { address, family, port } = this.#http.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  /** Whether it is about to stop. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Stops accepting connections, lets running requests finish for at most `graceMs`, then ends all connections. */
  async close(graceMs = 0): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeIdleConnections();
    if (this.#open > 0 && graceMs > 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        timer = setTimeout(resolve, graceMs);
      });
      clearTimeout(timer);
    }
    this.#http.closeAllConnections();
    await closed;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (this.#isClosing) response.setHeader("Connection", "close");
    const { origin } = request.headers;
    if (this.#gate.isCrossOrigin(origin)) {
      response.setHeader("Access-Control-Allow-Origin", origin!);
      response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, Retry-After");
      response.setHeader("Vary", "Origin");
      // A preflight has no token. It asks about headers only.
      if (request.method === "OPTIONS") return void response.writeHead(204, PREFLIGHT_HEADERS).end();
    }
    const refusal = this.#gate.refusal(request) ?? this.#busy(request);
    if (refusal !== null) this.#refuse(request, response, refusal);
    else {
      this.#count(request, response);
      void this.#answer(request, response);
    }
  }

  /** Runs the application. What it throws is a bug, and is answered as one. */
  async #fetch(request: Request, env: HttpBindings): Promise<Response> {
    try {
      return await this.#options.fetch(request, env);
    } catch (error) {
      this.#options.log(`a request failed: ${(error as Error)?.stack ?? String(error)}`);
      this.#refuse(env.incoming, env.outgoing, INTERNAL);
      return RESPONSE_ALREADY_SENT;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#listener(request, response);
    const isStream = String(response.getHeader("content-type") ?? "").startsWith("text/event-stream");
    if (isStream || response.writableFinished || !response.writableEnded) return;
    const timer = setTimeout(() => request.socket.destroy(), this.#options.answerMs ?? 60_000).unref();
    response.once("close", () => clearTimeout(timer));
  }

  #busy({ url }: IncomingMessage): Refusal | null {
    const { concurrentMax = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#counted < concurrentMax || !this.#isCounted(url)) return null;
    return {
      status: 429,
      code: "TOO_MANY_REQUESTS",
      reason: `Too many requests: expected at most ${concurrentMax} at once`,
      hint: "Send the request again after the seconds that Retry-After names",
      headers: { "Retry-After": "1" },
    };
  }

  #count({ url }: IncomingMessage, response: ServerResponse): void {
    const counted = this.#isCounted(url) ? 1 : 0;
    this.#open++;
    this.#counted += counted;
    response.once("close", () => {
      this.#open--;
      this.#counted -= counted;
      if (this.#open === 0) this.#onIdle();
    });
  }

  #isCounted(url = "/"): boolean {
    return this.#options.isCounted?.(url.split("?")[0]!) ?? true;
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    const body = (this.#options.bodyOf ?? refusalBody)(refusal, request);
    answerJson(request, response, refusal.status, body, refusal.headers);
  }
}

const INTERNAL: Refusal = {
  status: 500,
  code: "INTERNAL",
  reason: "Internal error",
  hint: "The server's log says more",
};

/** Whether programs of other devices reach a server that listens on this address. */
export function isPublic(host = "127.0.0.1"): boolean {
  return !LOOPBACK.test(host);
}

function needsToken(host: string): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected a token to listen on ${host}, which other devices reach, got none`,
    "Give --token-file <file> or SELFSAME_TOKEN (openssl rand -hex 16 makes one), or listen on 127.0.0.1",
  );
}

function cannotListen({ host = "127.0.0.1", port, portHint }: EdgeOptions, cause: Error): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected to listen on ${host}:${port}, got ${cause.message}`,
    portHint ?? "Give another port: --port <port>, or 0 for any free one",
    { cause },
  );
}
