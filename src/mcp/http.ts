import { Hono } from "hono";
import { answerJson, type HttpBindings, HttpEdge, RESPONSE_ALREADY_SENT } from "../http/index.ts";
import { answerOf, type EndpointOptions, McpEndpoint, transportError } from "./endpoint.ts";
import { createServer } from "./server.ts";
import type { Service } from "./service.ts";

export interface HttpOptions extends EndpointOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** What clients must send as `Authorization: Bearer …`; without it any program on this device is a client. */
  readonly token?: string | undefined;
}

const PATH = "/mcp";

/** The HTTP edge with nothing but the agents' endpoint, on 127.0.0.1. */
export class HttpService {
  readonly #edge: HttpEdge;
  readonly #endpoint: McpEndpoint;

  private constructor(edge: HttpEdge, endpoint: McpEndpoint) {
    this.#edge = edge;
    this.#endpoint = endpoint;
  }

  static async listen(service: Service, options: HttpOptions): Promise<HttpService> {
    const endpoint = new McpEndpoint(options);
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.all(PATH, async ({ env: { incoming, outgoing } }) => {
      await endpoint.handle(incoming, outgoing, "", (onClose) => createServer(service, onClose));
      return RESPONSE_ALREADY_SENT;
    });
    app.notFound(({ env: { incoming, outgoing } }) => {
      const answers = transportError(`Not found: the endpoint is ${PATH}`);
      answerJson(incoming, outgoing, 404, answerOf(answers));
      return RESPONSE_ALREADY_SENT;
    });
    app.onError((error) => {
      throw error;
    });
    const edge = await HttpEdge.listen({
      port: options.port,
      token: options.token,
      origins: "local",
      fetch: app.fetch,
      bodyOf: ({ reason }) => answerOf(transportError(reason)),
      portHint: "Give another port: --http <port>, or 0 for any free one",
      log: service.log,
    });
    return new HttpService(edge, endpoint);
  }

  get url(): string {
    return `${this.#edge.url}${PATH}`;
  }

  /** How many clients there are. */
  get sessions(): number {
    return this.#endpoint.sessions;
  }

  /** Stops listening and ends every session, which cancels its requests. */
  async close(): Promise<void> {
    await this.#endpoint.close();
    await this.#edge.close();
  }
}
