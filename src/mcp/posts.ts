import type { ServerResponse } from "node:http";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ErrorCode, isJSONRPCRequest, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { OpenRequests } from "./open-requests.ts";

/** OpenRequests that were posted together and are answered on one stream. */
interface Post {
  readonly open: Set<RequestId>;
  readonly cancelled: RequestId[];
}

/**
 * Ends the streams of cancelled requests. The SDK's transport ends a stream after the last answer, and a cancelled request gets
 * none. Create it after a server is connected to the transport.
 */
export class Posts {
  readonly #transport: StreamableHTTPServerTransport;
  readonly #requests: OpenRequests;
  readonly #posts = new Map<RequestId, Post>();

  constructor(transport: StreamableHTTPServerTransport) {
    this.#transport = transport;
    this.#requests = new OpenRequests(transport, (id, isCancelled) => this.#settle(id, isCancelled));
  }

  /** Whether a request with this id has no answer yet. */
  isOpen(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  /** Call it before the transport gets the messages. */
  begin(messages: unknown, response: ServerResponse): void {
    const ids = [messages].flat().flatMap((each) => (isJSONRPCRequest(each) ? [each.id] : []));
    const post: Post = { open: new Set(ids), cancelled: [] };
    for (const id of ids) this.#posts.set(id, post);
    response.once("close", () => {
      for (const id of ids) if (this.#posts.get(id) === post) this.#posts.delete(id);
    });
  }

  #settle(id: RequestId, isCancelled: boolean): void {
    const post = this.#posts.get(id);
    if (post === undefined) return;
    post.open.delete(id);
    if (isCancelled) post.cancelled.push(id);
    if (post.open.size > 0 || post.cancelled.length === 0) return;
    this.#transport.closeSSEStream(id);
    // Nobody receives these. The transport forgets a request when it is answered, and reports that it has no stream.
    const error = { code: ErrorCode.ConnectionClosed, message: "Cancelled" };
    for (const each of post.cancelled)
      this.#transport.send({ jsonrpc: "2.0", id: each, error }).catch(() => undefined);
  }
}
