import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";

/**
 * The open requests of a transport: received, and neither answered nor cancelled. A cancelled request gets no answer. Create it
 * after a server is connected to the transport.
 */
export class OpenRequests {
  /** How many there are with each id. */
  readonly #open = new Map<RequestId, number>();

  constructor(transport: Transport, onSettled: (id: RequestId, isCancelled: boolean) => void) {
    const settle = (id: RequestId, isCancelled: boolean) => {
      const count = this.#open.get(id);
      if (count === undefined) return;
      if (count > 1) this.#open.set(id, count - 1);
      else this.#open.delete(id);
      onSettled(id, isCancelled);
    };
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (isJSONRPCRequest(message)) this.#open.set(message.id, (this.#open.get(message.id) ?? 0) + 1);
      receive?.(message, extra);
      const cancelled = cancelledBy(message);
      if (cancelled !== null) settle(cancelled, true);
    };
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      try {
        await send(message, options);
      } finally {
        // Also if the client is gone: its request is done.
        const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
        if (isAnswer && message.id !== undefined) settle(message.id, false);
      }
    };
  }

  get size(): number {
    return this.#open.size;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }
}

/** The request that a message cancels. The SDK ignores cancellations of the ids 0 and "", so those are answered. */
function cancelledBy(message: JSONRPCMessage): RequestId | null {
  const { success, data } = CancelledNotificationSchema.safeParse(message);
  return (success && data.params.requestId) || null;
}
