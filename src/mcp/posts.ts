import type { ServerResponse } from "node:http";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ErrorCode, isJSONRPCRequest, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { Requests } from "./requests.ts";

/** Requests that were posted together, and are answered on one stream. */
interface Post {
  readonly open: Set<RequestId>;
  readonly cancelled: RequestId[];
}

/**
 * Ends the streams of cancelled requests: the SDK's transport ends a stream with the last answer to what was posted, and a cancelled
 * request has none. To be made when a server is connected to the transport.
 */
export class Posts {
  readonly #transport: StreamableHTTPServerTransport;
  readonly #posts = new Map<RequestId, Post>();

  constructor(transport: StreamableHTTPServerTransport) {
    this.#transport = transport;
    new Requests(transport, (id, isCancelled) => this.#settle(id, isCancelled));
  }

  /** To be told before the transport gets the messages. */
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
    // Nobody gets these: the transport forgets a request with its answer, and says that there is no stream for it.
    const error = { code: ErrorCode.ConnectionClosed, message: "Cancelled" };
    for (const each of post.cancelled)
      this.#transport.send({ jsonrpc: "2.0", id: each, error }).catch(() => undefined);
  }
}
