/** Who may talk to the server over HTTP, and what becomes of their sessions. */

import { mkdirSync } from "node:fs";
import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpOptions, HttpService } from "#dist/mcp/http.js";
import { Roots } from "#dist/mcp/roots.js";
import { Service } from "#dist/mcp/service.js";
import { scratchFolder } from "../store/scratch.ts";
import { connectHttp, HttpServerProcess, ServerProcess, writeFiles } from "./served.ts";

const folder = scratchFolder();
const JSON_AND_EVENTS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

beforeAll(() => {
  mkdirSync(join(folder, "docs"));
  writeFiles(folder, { "docs/a.md": "# A\n\nAlpha.\n" });
});

/** A request with any headers, also those that `fetch` sets itself; gives the status. */
function post(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: "POST",
        headers: { ...JSON_AND_EVENTS, ...headers },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode!);
      },
    );
    asked.on("error", reject);
    asked.end(HELLO);
  });
}

/** A server in this process, to look at its sessions. */
async function serving(options: Partial<HttpOptions> = {}) {
  const service = new Service({
    roots: await Roots.of([folder], folder),
    version: "0.0.0",
    open: { model: "tiny", workers: 1 },
    log: () => undefined,
  });
  const http = await HttpService.listen(service, { port: 0, ...options });
  return {
    http,
    async close() {
      await http.close();
      await service.close();
    },
  };
}

describe("the gate", () => {
  let server: HttpServerProcess;
  beforeAll(async () => {
    server = await HttpServerProcess.start(folder, "--model", "tiny");
  });
  afterAll(() => server.stop());

  test("listens on 127.0.0.1 alone", async () => {
    const { port } = new URL(server.url);
    expect(server.url).toBe(`http://127.0.0.1:${port}/mcp`);
    const other = new Promise((resolve) => {
      const socket = connectSocket({ host: "127.0.0.2", port: Number(port) });
      socket.on("connect", () => resolve("connected"));
      socket.on("error", () => resolve("refused"));
    });
    expect(await other).toBe("refused");
  });

  test("a host that is not this device is refused: DNS rebinding", async () => {
    const { port } = new URL(server.url);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "127.0.0.1@evil.example",
      "0.0.0.0",
    ]) {
      expect([host, await post(server.url, { host })]).toStrictEqual([host, 403]);
    }
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      "localhost",
      `[::1]:${port}`,
      "LOCALHOST",
    ]) {
      expect([host, await post(server.url, { host })]).toStrictEqual([host, 200]);
    }
  });

  test("an origin that is not this device is refused, none at all is a program's", async () => {
    for (const origin of [
      "http://evil.example",
      "https://localhost.evil.example",
      "null",
      "file://",
      "chrome-extension://abc",
      "http://127.0.0.1.evil.example",
      "",
    ]) {
      expect([origin, await post(server.url, { origin })]).toStrictEqual([origin, 403]);
    }
    for (const origin of ["http://localhost:6274", "http://127.0.0.1", "https://[::1]:8080"]) {
      expect([origin, await post(server.url, { origin })]).toStrictEqual([origin, 200]);
    }
  });
});

describe("with a token", () => {
  test.each(["--token", "SELFSAME_TOKEN"])("by %s: only clients that have it", async (way) => {
    const args = way === "--token" ? ["--token", "s3cret"] : [];
    const server = new ServerProcess(
      folder,
      ["--http", "0", "--model", "tiny", ...args],
      way === "--token" ? {} : { SELFSAME_TOKEN: "s3cret" },
    );
    const url = await server.until(({ errors }) => /listening on (\S+?),/.exec(errors)?.[1]);
    expect(server.errors).not.toContain("s3cret");
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Bearer wrong",
      "Bearer s3cret2",
      "Bearer s3cre",
      "Basic s3cret",
      "s3cret",
    ]) {
      expect([authorization, await post(url, { authorization })]).toStrictEqual([authorization, 401]);
    }
    expect(await post(url, {})).toBe(401);
    expect(await post(url, { authorization: "Bearer s3cret", host: "evil.example" })).toBe(403);
    await expect(connectHttp(url)).rejects.toThrow();
    const client = await connectHttp(url, { authorization: "Bearer s3cret" });
    expect((await client.call("library_status")).exists).toBe(false);
    await client.close();
    expect(await server.stop()).toBe(0);
  });

  test("without HTTP there is nobody to send it", async () => {
    const server = new ServerProcess(folder, ["--token", "s3cret"]);
    expect(await server.ended).toBe(2);
    expect(server.errors).toContain("add --http");
  });

  test("an empty one is an error, not an open door", async () => {
    const server = new ServerProcess(folder, ["--http", "0"], { SELFSAME_TOKEN: "" });
    expect(await server.ended).toBe(1);
    expect(server.errors).toContain("BAD_ARGUMENT");
  });
});

describe("sessions", () => {
  /** Longer than a busy machine holds up a test between two lines of it. */
  const IDLE_MS = 2000;
  const untilLeft = async (http: HttpService, left: number) => {
    while (http.sessions > left) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  test("each client has its own; one that ends it leaves nothing", async () => {
    const { http, close } = await serving();
    const clients = await Promise.all([1, 2, 3].map(() => connectHttp(http.url)));
    expect(http.sessions).toBe(3);
    await clients[0]!.close();
    expect(http.sessions).toBe(2);
    await clients[1]!.call("library_status");
    await Promise.all(clients.slice(1).map((client) => client.close()));
    expect(http.sessions).toBe(0);
    await close();
  });

  test("requests that begin none leave none", async () => {
    const { http, close } = await serving();
    for (const body of ["nonsense", '{"jsonrpc":"2.0","id":1,"method":"ping"}', `[${HELLO},${HELLO}]`]) {
      const response = await fetch(http.url, { method: "POST", body, headers: JSON_AND_EVENTS });
      expect(response.status).toBe(400);
    }
    expect(http.sessions).toBe(0);
    await close();
  });

  test("one that is silent for too long ends; its client is told to begin again", async () => {
    const { http, close } = await serving({ idleMs: IDLE_MS });
    const id = await begin(http.url);
    expect(http.sessions).toBe(1);
    await untilLeft(http, 0);
    expect(await post(http.url, { "mcp-session-id": id })).toBe(404);
    await close();
  });

  test("one that listens is not silent", async () => {
    const { http, close } = await serving({ idleMs: IDLE_MS });
    const listening = await connectHttp(http.url);
    const silent = await begin(http.url);
    await untilLeft(http, 1);
    expect(await post(http.url, { "mcp-session-id": silent })).toBe(404);
    expect((await listening.call("library_status")).exists).toBe(false);
    await listening.close();
    await close();
  });

  test("a flood of initialize does not end a session whose client came back, nor exceed the maximum", async () => {
    const { http, close } = await serving({ sessionsMax: 4 });
    const used = [await begin(http.url), await begin(http.url)];
    const ping = async (id: string) => {
      const headers = { ...JSON_AND_EVENTS, "mcp-session-id": id };
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const response = await fetch(http.url, { method: "POST", body, headers });
      return [response.status, (await response.text()).includes('"result":{}')];
    };
    for (const id of used) expect(await ping(id)).toStrictEqual([200, true]);
    for (let i = 0; i < 5; i++) {
      await Promise.all(Array.from({ length: 20 }, () => post(http.url, {})));
      expect(http.sessions).toBeLessThanOrEqual(4);
    }
    for (const id of used) expect(await ping(id)).toStrictEqual([200, true]);
    for (let i = 0; i < 2; i++) expect(await ping(await begin(http.url))).toStrictEqual([200, true]);
    const refused = await fetch(http.url, { method: "POST", body: HELLO, headers: JSON_AND_EVENTS });
    expect([refused.status, await refused.json()]).toMatchObject([503, { id: 1, error: { code: -32000 } }]);
    await close();
  });

  test("of too many, the one that was silent longest makes room; listeners keep theirs", async () => {
    const { http, close } = await serving({ sessionsMax: 2 });
    const first = await begin(http.url);
    const second = await begin(http.url);
    const third = await begin(http.url);
    expect(http.sessions).toBe(2);
    expect(await post(http.url, { "mcp-session-id": first })).toBe(404);
    expect([
      await post(http.url, { "mcp-session-id": second }),
      await post(http.url, { "mcp-session-id": third }),
    ]).toStrictEqual([400, 400]);
    const listeners = [await listen(http.url, second), await listen(http.url, third)];
    expect(await post(http.url, {})).toBe(503);
    await Promise.all(listeners.map(({ body }) => body!.cancel()));
    await close();
  });

  test("closing the server ends them all and what they wait for", async () => {
    const { http, close } = await serving();
    const client = await connectHttp(http.url);
    await close();
    await expect(client.call("library_status")).rejects.toThrow();
    await client.client.close();
  });
});

test("every response says that it is data: not to be framed, sniffed or referred from", async () => {
  const { http, close } = await serving({ bodyMax: 1000 });
  const id = await begin(http.url);
  const session = { ...JSON_AND_EVENTS, "mcp-session-id": id };
  const asked = (
    body: string | null,
    headers: Record<string, string> = session,
    method = "POST",
    url = http.url,
  ) => fetch(url, { method, body, headers });
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const responses = [
    await asked(HELLO, JSON_AND_EVENTS),
    await asked(ping),
    await asked('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
    await listen(http.url, id),
    await asked("nonsense"),
    await asked("x".repeat(2000)),
    await asked(ping, { ...session, "mcp-session-id": "unknown" }),
    await asked(null, { ...session, origin: "http://evil.example" }),
    await asked(null, session, "PUT"),
    await asked(null, session, "GET", http.url.replace("/mcp", "/")),
    await asked(null, session, "DELETE"),
  ];
  expect(responses.map(({ status }) => status)).toStrictEqual([
    200, 200, 202, 200, 400, 413, 404, 403, 405, 404, 200,
  ]);
  for (const { status, headers } of responses) {
    expect([status, headers.get("content-security-policy")]).toStrictEqual([
      status,
      "default-src 'none'; frame-ancestors 'none'",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
  await close();
});

test("a port that is taken is an error with the way out", async () => {
  const { http, close } = await serving();
  const server = new ServerProcess(folder, ["--http", new URL(http.url).port]);
  expect(await server.ended).toBe(1);
  expect(server.errors).toMatch(/BAD_ARGUMENT: expected to listen on .*--http/);
  await close();
});

/** Begins a session without listening; gives its id. */
async function begin(url: string): Promise<string> {
  const response = await fetch(url, { method: "POST", body: HELLO, headers: JSON_AND_EVENTS });
  await response.text();
  return response.headers.get("mcp-session-id")!;
}

/** Listens in a session; it does so by the time that there is a response. */
async function listen(url: string, id: string): Promise<Response> {
  const response = await fetch(url, { headers: { accept: "text/event-stream", "mcp-session-id": id } });
  expect(response.status).toBe(200);
  return response;
}
