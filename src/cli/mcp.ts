import type { Build } from "../index.ts";
import { Service } from "../mcp/service.ts";
import { serveStdio } from "../mcp/stdio.ts";

export interface McpCommandOptions {
  readonly root?: string[];
  readonly db?: string;
  readonly http?: string | true;
  readonly token?: string;
  readonly rrfK: number;
  readonly model: string;
  readonly build: Build | "auto";
}

/** What has not ended by itself this long after a stop is ended. */
const STOP_MS = 10_000;

/** `selfsame mcp`: standard output is the protocol's alone. */
export async function mcp(options: McpCommandOptions, version: string): Promise<void> {
  const log = (line: string) => process.stderr.write(`selfsame mcp: ${line}\n`);
  console.log = console.info = console.debug = console.error;
  const service = await Service.start({
    folder: process.cwd(),
    ...(options.root === undefined ? {} : { roots: options.root }),
    ...(options.db === undefined ? {} : { db: options.db }),
    open: { model: options.model, build: options.build },
    rrfK: options.rrfK,
    version,
    log,
  });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  await serveStdio(service, stop.signal);
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await service.close();
}
