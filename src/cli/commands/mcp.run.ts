import { resolve } from "node:path";
import { tokenFrom } from "../../http/index.ts";
import { type Build, withDefaults } from "../../index.ts";
import { HttpService, Roots, Service, serveStdio, watchFiles } from "../../mcp/index.ts";
import { findConfig } from "../config.ts";
import { placeFolder, refuseLinks } from "../location.ts";
import { packageVersion } from "../package-version.ts";
import { modelOf } from "../with-model.ts";

export interface McpCommandOptions {
  readonly root?: string[];
  readonly db?: string;
  /** True for the default port. */
  readonly http?: number | true;
  readonly token?: string;
  readonly rrfK: number;
  readonly contracts?: boolean;
  readonly writable?: boolean;
  readonly watch?: boolean;
  readonly model?: string;
  readonly crossEncoder?: string;
  readonly build: Build | "auto";
}

const DEFAULT_PORT = 7337;
/** A server that is still running this long after a stop is ended by force. */
const STOP_MS = 10_000;

/** Runs `selfsame mcp`. Standard output belongs to the protocol; everything for people goes to standard error. */
export async function mcp(options: McpCommandOptions): Promise<void> {
  const log = (line: string) => process.stderr.write(`selfsame mcp: ${line}\n`);
  console.log = console.info = console.debug = console.error;
  const folder = process.cwd();
  const roots = await Roots.of(options.root ?? [folder], folder);
  const project = findConfig(roots.home);
  if (options.model === undefined) modelOf(project); // an unknown model is an error now, not at the first indexing
  const service = new Service({
    roots,
    project,
    searchParameters: (asked) => withDefaults(project?.search ?? {}, asked),
    ...(options.db === undefined ? {} : { db: resolve(options.db) }),
    open: {
      build: options.build,
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.crossEncoder === undefined ? {} : { crossEncoder: options.crossEncoder }),
    },
    makeFolder: placeFolder,
    checkFound: refuseLinks,
    rrfK: options.rrfK,
    offer: { contracts: options.contracts, writable: options.writable },
    version: packageVersion(),
    log,
  });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const end = new AbortController();
  const watching = options.watch === true ? watchFiles(service, end.signal) : Promise.resolve();
  watching.catch((error) => log(`--watch: ${(error as Error).stack}`));
  if (options.http === undefined) await serveStdio(service, stop.signal);
  else await serveHttp(service, options, stop.signal);
  setTimeout(() => process.exit(1), STOP_MS).unref();
  end.abort();
  await service.close();
}

/** Serves over HTTP until `stop` fires. */
async function serveHttp(service: Service, options: McpCommandOptions, stop: AbortSignal): Promise<void> {
  const token = options.token ?? tokenFrom(undefined, process.env["SELFSAME_TOKEN"]);
  const http = await HttpService.listen(service, {
    port: typeof options.http === "number" ? options.http : DEFAULT_PORT,
    token,
  });
  service.log(`listening on ${http.url}${token === undefined ? "" : ", for clients with the token"}`);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  await http.close();
}
