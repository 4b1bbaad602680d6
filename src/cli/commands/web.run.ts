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

/** `selfsame web`: serves the page on this machine alone, until it is stopped. */
export async function web({ port, open, json }: WebOptions): Promise<void> {
  const url = await listen(port, pageParts());
  if (json) printJson({ url });
  else {
    print(`${bold(url)}`);
    print(
      dim(
        "The page has a library of its own, in your browser, and does not read .selfsame/; nothing leaves it. Ctrl+C stops.",
      ),
    );
  }
  if (open) openBrowser(url);
}

/** The port is part of where a browser keeps a library: a fixed one finds it again, so a taken one is an error. */
function listen(port: number, folders: PageParts): Promise<string> {
  const server = createServer(pageServer(folders));
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new SelfsameError(
          "BAD_ARGUMENT",
          `expected port ${port} to be free, got ${cause.code ?? cause.message}`,
          "Give another one: selfsame web --port 4748",
          { cause },
        ),
      ),
    );
    server.listen(port, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    );
  });
}

/** Without one the address is on the terminal all the same. */
function openBrowser(url: string): void {
  const [command, ...args] = {
    darwin: ["open", url],
    win32: ["cmd", "/c", "start", "", url],
  }[process.platform as string] ?? ["xdg-open", url];
  spawn(command!, args, { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
