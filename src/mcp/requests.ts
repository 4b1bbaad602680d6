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
 * The requests that came by a transport and are neither answered nor cancelled; a cancelled one gets no answer. To be made when
 * a server is connected to the transport.
 */
export class Requests {
  readonly #open = new Set<RequestId>();

  constructor(transport: Transport, onSettled: (id: RequestId, isCancelled: boolean) => void) {
    const settle = (id: RequestId, isCancelled: boolean) => {
      if (this.#open.delete(id)) onSettled(id, isCancelled);
    };
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (isJSONRPCRequest(message)) this.#open.add(message.id);
      receive?.(message, extra);
      const cancelled = cancelledBy(message);
      if (cancelled !== null) settle(cancelled, true);
    };
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(message, options);
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      if (message.id !== undefined) settle(message.id, false);
    };
  }

  get size(): number {
    return this.#open.size;
  }
}

/** The request that a message cancels. The SDK overhears that of the ids 0 and "": those are answered. */
function cancelledBy(message: JSONRPCMessage): RequestId | null {
  const { success, data } = CancelledNotificationSchema.safeParse(message);
  return (success && data.params.requestId) || null;
}
