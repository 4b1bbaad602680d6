import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { checkParams } from "./check-params.ts";
import { Lines } from "./lines.ts";
import { OpenRequests } from "./open-requests.ts";
import { errorAnswers, readMessages } from "./read-messages.ts";
import { createServer } from "./server.ts";
import type { Service } from "./service.ts";

/** Longer lines are not kept. The longest useful argument, a query, is far shorter and has its own limit. */
const LINE_LIMIT = 32 << 20;
/** After the end of standard input (a pipe's, for example) open requests are answered for at most this long. */
const GRACE_MS = 30_000;

/** Serves one client over standard input and output, until either ends or `stop` fires. */
export async function serveStdio(service: Service, stop: AbortSignal): Promise<void> {
  const lines = new Lines(LINE_LIMIT, {
    onTooLong: () => refuse(undefined, `expected at most ${LINE_LIMIT} bytes`),
    accepts: isMessage,
  });
  const transport = new StdioServerTransport(process.stdin.pipe(lines), process.stdout, {
    maxBufferSize: 2 * LINE_LIMIT,
  });
  let onClose: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  const { server, inputs } = createServer(service, () => onClose());
  server.server.onerror = (error) => service.log(error.message);
  await server.connect(transport);
  checkParams(transport, inputs);
  let grace: NodeJS.Timeout | undefined;
  const closeIfDone = () => {
    if (grace !== undefined && requests.size === 0) void server.close();
  };
  const requests = new OpenRequests(transport, closeIfDone);
  const onEnd = () => {
    // Not unref'd: if nothing else were pending, Node would end before the libraries are closed.
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

/** Whether a line holds one sound message. Any other line is answered here, every id of a batch by itself. */
function isMessage(line: Buffer): boolean {
  const read = readMessages(line);
  if ("answers" in read) write(read.answers);
  else if (Array.isArray(read.messages)) refuse(read.messages, "expected one message per line, got a batch");
  else return true;
  return false;
}

function refuse(messages: unknown, reason: string): void {
  write(errorAnswers(messages, ErrorCode.InvalidRequest, `Invalid Request: ${reason}`));
}

function write(answers: readonly object[]): void {
  for (const answer of answers)
    process.stdout.write(`${JSON.stringify(answer)}
`);
}
