import { type Build, SelfsameError } from "../index.ts";
import { HttpService } from "../mcp/http.ts";
import { Service } from "../mcp/service.ts";
import { serveStdio } from "../mcp/stdio.ts";
import { packageVersion } from "./package-version.ts";

export interface McpCommandOptions {
  readonly root?: string[];
  readonly db?: string;
  readonly http?: string | true;
  readonly token?: string;
  readonly rrfK: number;
  readonly model?: string;
  readonly build: Build | "auto";
}

const DEFAULT_PORT = 7337;
/** What has not ended by itself this long after a stop is ended. */
const STOP_MS = 10_000;

/** `selfsame mcp`: standard output is the protocol's alone. */
export async function mcp(options: McpCommandOptions): Promise<void> {
  if (options.token !== undefined && options.http === undefined) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected --http with --token, got none",
      "Standard input needs no token",
    );
  }
  const log = (line: string) => process.stderr.write(`selfsame mcp: ${line}\n`);
  console.log = console.info = console.debug = console.error;
  const service = await Service.start({
    folder: process.cwd(),
    ...(options.root === undefined ? {} : { roots: options.root }),
    ...(options.db === undefined ? {} : { db: options.db }),
    open: { build: options.build, ...(options.model === undefined ? {} : { model: options.model }) },
    rrfK: options.rrfK,
    version: packageVersion(),
    log,
  });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  if (options.http === undefined) await serveStdio(service, stop.signal);
  else await serveHttp(service, options, stop.signal);
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await service.close();
}

/** Serves until `stop` fires. */
async function serveHttp(service: Service, options: McpCommandOptions, stop: AbortSignal): Promise<void> {
  const token = options.token ?? process.env["SELFSAME_TOKEN"];
  if (token === "") {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a token, got an empty one",
      "Check --token and SELFSAME_TOKEN",
    );
  }
  const http = await HttpService.listen(service, {
    port: portOf(options.http),
    ...(token === undefined ? {} : { token }),
  });
  service.log(`listening on ${http.url}${token === undefined ? "" : ", for clients with the token"}`);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  await http.close();
}

function portOf(http: string | true | undefined): number {
  if (http === true || http === undefined) return DEFAULT_PORT;
  const port = /^[0-9]{1,5}$/.test(http) ? Number(http) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new SelfsameError("BAD_ARGUMENT", `expected a port from 0 to 65535, got ${JSON.stringify(http)}`);
}
