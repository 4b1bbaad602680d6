import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SelfsameError } from "../../index.ts";
import { bold, dim, print, printJson } from "../output.ts";
import { type PageParts, pageParts } from "../page-parts.ts";
import { pageServer } from "../page-server.ts";

export interface WebOptions {
  readonly port: number;
  readonly open?: boolean;
  readonly json?: boolean;
}

/** Runs `selfsame web`: serves the page on this machine only, until it is stopped. */
export async function web({ port, open, json }: WebOptions): Promise<void> {
  const url = await listen(port, pageParts());
  if (json) printJson({ url });
  else {
    print(`${bold(url)}`);
    print(
      dim(
        "The page keeps its own library in your browser and does not read .selfsame/. Nothing leaves the browser. Ctrl+C stops the server.",
      ),
    );
  }
  if (open) openBrowser(url);
}

/**
 * Listens on the port. Browsers store a library per origin, which includes the port. A fixed port finds the library
 * again, so a port in use is an error.
 */
function listen(port: number, folders: PageParts): Promise<string> {
  const server = createServer(pageServer(folders));
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new SelfsameError(
          "BAD_ARGUMENT",
          `expected port ${port} to be free, got ${cause.code ?? cause.message}`,
          "Choose another: selfsame web --port 4748",
          { cause },
        ),
      ),
    );
    server.listen(port, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    );
  });
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
