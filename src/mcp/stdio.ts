import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { checkParams } from "./check-params.ts";
import { Lines } from "./lines.ts";
import { Requests } from "./requests.ts";
import { createServer } from "./server.ts";
import type { Service } from "./service.ts";

/** Longer lines are not read; what a tool takes is far shorter and refused there, with an answer to its request. */
const LINE_LIMIT = 32 << 20;
/** What was asked before standard input ended (a pipe's, say) is still answered, if that takes no longer; a signal stops it. */
const GRACE_MS = 30_000;

/** Serves one client over standard input and output, until either ends or `stop` fires. */
export async function serveStdio(service: Service, stop: AbortSignal): Promise<void> {
  const lines = new Lines(LINE_LIMIT, () =>
    refuse(ErrorCode.InvalidRequest, `Invalid Request: expected at most ${LINE_LIMIT} bytes`),
  );
  const transport = new StdioServerTransport(process.stdin.pipe(lines), process.stdout, {
    maxBufferSize: 2 * LINE_LIMIT,
  });
  let onClose: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  const server = createServer(service, () => onClose());
  server.server.onerror = (error) => {
    if (error instanceof SyntaxError) refuse(ErrorCode.ParseError, `Parse error: ${error.message}`);
    else if (error.name === "ZodError")
      refuse(ErrorCode.InvalidRequest, "Invalid Request: no JSON-RPC message");
    else service.log(error.message);
  };
  await server.connect(transport);
  checkParams(transport);
  let grace: NodeJS.Timeout | undefined;
  const closeIfDone = () => {
    if (grace !== undefined && requests.size === 0) void server.close();
  };
  const requests = new Requests(transport, closeIfDone);
  const onEnd = () => {
    // Not unref'd: with nothing else to wait for, Node would end before anything is closed.
    grace = setTimeout(() => void server.close(), GRACE_MS);
    closeIfDone();
  };
  lines.once("end", onEnd);
  stop.addEventListener("abort", () => void server.close(), { once: true });
  await closed;
  lines.off("end", onEnd);
  clearTimeout(grace);
  process.stdin.unpipe(lines).pause();
}

/** JSON-RPC's answer to what is no message, whose id cannot be known. */
function refuse(code: ErrorCode, message: string): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`);
}
