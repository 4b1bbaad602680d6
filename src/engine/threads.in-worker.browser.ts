import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Threads } from "./threads-port.ts";

/**
 * Threads as seen from inside a browser's Worker: it answers and starts none. This file is separate from
 * threads.browser.ts because bundlers cannot handle a Worker that refers to itself.
 */
const threads: Threads = {
  start: (kind) => {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected the library to start a thread of kind ${kind}, got a call in such a thread`,
    );
  },
  // The starter sends requests directly, or sends a port through which somebody else sends them.
  serve(answer) {
    globalThis.addEventListener("message", async ({ data, ports: [port] }) => {
      const reply = async (request: unknown, to: { postMessage(message: unknown): void }) => {
        const answered = await answer(request);
        if (answered !== undefined) to.postMessage(answered);
      };
      if (port === undefined) await reply(data, globalThis);
      else port.onmessage = (event) => reply(event.data, port);
    });
  },
  count: 1,
  canShare: false,
};

export default threads;
