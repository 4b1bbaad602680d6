import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { answerJson } from "../http/index.ts";
import { checkParams } from "./check-params.ts";
import { faultOfPost } from "./check-post.ts";
import { Posts } from "./posts.ts";
import { readBody } from "./read-body.ts";
import { errorAnswers, type Messages } from "./read-messages.ts";
import type { ClientServer } from "./server.ts";
import { type Session, Sessions } from "./sessions.ts";

export interface EndpointOptions {
  /** The largest number of clients at once; default 64. */
  readonly sessionsMax?: number;
  /** A client that has asked nothing for this long, and is not listening, is taken for gone; default 30 minutes. */
  readonly idleMs?: number;
  /** The largest request body; default 4 MiB. */
  readonly bodyMax?: number;
}

/** Makes the server of a new client. */
export type ServerMaker = (onClose: () => void) => ClientServer;

/** Streamable HTTP: any number of clients, each in its own session. The HTTP edge has let the request in. */
export class McpEndpoint {
  readonly #sessions: Sessions;
  readonly #bodyMax: number;

  constructor({ sessionsMax = 64, idleMs = 30 * 60_000, bodyMax = 4 << 20 }: EndpointOptions = {}) {
    this.#sessions = new Sessions(sessionsMax, idleMs);
    this.#bodyMax = bodyMax;
  }

  /** How many clients there are. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Ends every session, which cancels its requests. */
  close(): Promise<void> {
    return this.#sessions.close();
  }

  /**
   * Answers a request. `subject` is what the client talks about, such as a namespace: a session belongs to one, and is unknown to
   * requests about another.
   */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    subject: string,
    makeServer: ServerMaker,
  ): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const session = id === undefined ? null : this.#sessions.use(String(id), subject, response);
    const body = await this.#read(request, response);
    if (body === null) return;
    if (id === undefined) return this.#begin(request, response, body, subject, makeServer);
    if (session === null)
      return answer(request, response, 404, errorAnswers(body.messages, -32001, "Session not found"));
    if (!refusePost(request, response, body, session)) await handOver(session, request, response, body);
  }

  /** Answers a request outside of a session: the first one of a client, or a mistake. */
  async #begin(
    request: IncomingMessage,
    response: ServerResponse,
    body: Messages,
    subject: string,
    makeServer: ServerMaker,
  ): Promise<void> {
    if (request.method !== "POST")
      return answer(request, response, 400, transportError("Bad Request: Mcp-Session-Id header is required"));
    if (refusePost(request, response, body, null)) return;
    const place = this.#sessions.reserve();
    if (place === null) {
      const reason = "Too many sessions: end one, or try again later";
      return answer(request, response, 503, errorAnswers(body.messages, -32000, reason));
    }
    try {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => place.take(id, session, response),
      });
      const { server, inputs } = makeServer(() => {
        if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      });
      await server.connect(transport);
      checkParams(transport, inputs);
      const session: Session = { subject, server, transport, posts: new Posts(transport) };
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
    answer(request, response, body.status, body.answers);
    return null;
  }
}

/** The answer to a request whose messages are not known. */
export function transportError(reason: string): readonly object[] {
  return errorAnswers(undefined, -32000, reason);
}

/** A batch of answers is a list. */
export function answerOf(answers: readonly object[]): unknown {
  return answers.length === 1 ? answers[0] : answers;
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
  request: IncomingMessage,
  response: ServerResponse,
  body: Messages,
  session: Session | null,
): boolean {
  const fault = faultOfPost(request.headers, body, session && ((id) => session.posts.isOpen(id)));
  if (fault !== null)
    answer(request, response, fault.status, errorAnswers(body.messages, fault.code, fault.reason));
  return fault !== null;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  answers: readonly object[],
): void {
  answerJson(request, response, status, answerOf(answers));
}
