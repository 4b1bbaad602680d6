import { spawn } from "node:child_process";
import { HttpEdge, RESPONSE_ALREADY_SENT } from "../../http/index.ts";
import { openForPage } from "../../library/page-entry.ts";
import { findConfig } from "../config.ts";
import { findLibrary } from "../location.ts";
import { bold, dim, print, printJson, warn } from "../output.ts";
import { pageParts } from "../page-parts.ts";
import { pageServer } from "../page-server.ts";
import { relativePath } from "../relative-path.ts";
import { ServedLibrary } from "../served-library.ts";
import { modelOf } from "../with-model.ts";

export interface WebOptions {
  readonly port: number;
  readonly open?: boolean;
  readonly json?: boolean;
  readonly db?: string;
  readonly writable?: boolean;
}

/** Runs `selfsame web`: serves the page on this machine only, until it is stopped. */
export async function web({ port, open, json, db, writable = false }: WebOptions): Promise<void> {
  const file = db === undefined ? null : findLibrary(db);
  const page = pageServer(pageParts());
  const library = file === null ? null : await servedLibrary(file, writable);
  // Browsers store a library per origin, which includes the port. A fixed port finds the library again, so a port in use
  // is an error.
  const edge = await HttpEdge.listen({
    port,
    origins: "same",
    fetch: (_, { incoming, outgoing }) => {
      if (library?.answer(incoming, outgoing) !== true) page(incoming, outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    portHint: "Choose another: selfsame web --port 4748",
    log: warn,
  });
  const url = `${edge.url}/`;
  const stop = async () => {
    await edge.close(1000);
    await library?.close();
  };
  if (library !== null)
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
  if (json) printJson({ url, ...(file === null ? {} : { library: file, writable }) });
  else {
    print(`${bold(url)}`);
    print(dim(file === null ? OWN : `${served(file, writable)} ${BESIDE}`));
  }
  if (open) openBrowser(url);
}

const OWN =
  "The page keeps its own library in your browser and does not read .selfsame/ (--db serves a library). Nothing leaves the browser. Ctrl+C stops the server.";
const BESIDE = "Beside it the page has its own library in your browser. Ctrl+C stops the server.";

function served(file: string, isWritable: boolean): string {
  const may = isWritable
    ? "Everybody who opens this address on this device may change it."
    : "It is only read.";
  return `The page searches ${relativePath(file)}. ${may}`;
}

async function servedLibrary(file: string, isWritable: boolean): Promise<ServedLibrary> {
  const known = modelOf(findConfig());
  const page = await openForPage(file, known === undefined ? {} : { knownModels: [known] });
  return new ServedLibrary(page, isWritable);
}

/** Opens the page in a browser. If that fails, the address is still on the terminal. */
function openBrowser(url: string): void {
  const [command, ...args] = {
    darwin: ["open", url],
    win32: ["cmd", "/c", "start", "", url],
  }[process.platform as string] ?? ["xdg-open", url];
  spawn(command!, args, { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
