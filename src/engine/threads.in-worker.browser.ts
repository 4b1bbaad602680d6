import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Threads } from "./threads-port.ts";

/**
 * Threads as a browser's own thread sees them: it answers and starts none. This file stands apart from
 * threads.browser.ts because bundlers cannot handle a Worker that refers to itself.
 */
const threads: Threads = {
  start: (kind) => {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected the library to start a thread of kind ${kind}, got a call in such a thread`,
    );
  },
  // The starter sends requests directly, or sends a port for somebody else to send them through.
  serve(answer) {
    globalThis.addEventListener("message", async ({ data, ports: [port] }) => {
      if (port === undefined) globalThis.postMessage(await answer(data));
      else port.onmessage = async (event) => port.postMessage(await answer(event.data));
    });
  },
  count: 1,
};

export default threads;
