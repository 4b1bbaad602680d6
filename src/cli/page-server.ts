import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import type { PageParts } from "./page-parts.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** What the page may load: its own scripts, wasm, styles, workers and data, and images embedded in its styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The headers of every response. */
const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** File names in this folder contain the digest of their content. */
const HASHED = "/assets/";

/** Serves folders by path prefix. The first match wins: `[["/model/", "/path/of/model"], ["/", "/path/of/page"]]`. */
export function pageServer(folders: PageParts): RequestListener {
  return (request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    answer(request, response, folders).catch(() => refuse(response, 500, "The file could not be read."));
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, folders: PageParts): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return refuse(response, 405, "Only GET and HEAD are supported.");
  const path = pathOf(request);
  if (path === null) return refuse(response, 400, "This is not an address of the page.");
  const file = fileOf(path, folders);
  const found = file === null ? null : await stat(file).catch(() => null);
  if (file === null || !found?.isFile()) return refuse(response, 404, "There is no such file.");
  const tag = `"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"`;
  const headers = {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "cache-control": path.startsWith(HASHED) ? "public, max-age=31536000, immutable" : "no-cache",
    etag: tag,
  };
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, "content-length": found.size });
  if (request.method === "HEAD") response.end();
  else
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
}

function pathOf(request: IncomingMessage): string | null {
  try {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://page").pathname);
    return path.includes("\0") ? null : path.endsWith("/") ? `${path}index.html` : path;
  } catch {
    return null;
  }
}

/** Returns null for a file outside the folder. `join` resolves an encoded `..` before the check. */
function fileOf(path: string, folders: PageParts): string | null {
  const [place, folder] = folders.find(([each]) => path.startsWith(each)) ?? [];
  if (place === undefined || folder === undefined) return null;
  const file = join(folder, path.slice(place.length));
  return file.startsWith(folder + sep) ? file : null;
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}
