/** Who is let in, what one request may ask for, and how the server stops. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { connectHttp } from "../mcp/served.ts";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, notes, type Running, running } from "./running.ts";

const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
const TOKEN = "s3cret";

let server: Running;
beforeAll(async () => {
  server = await running({
    token: TOKEN,
    cors: ["https://app.example"],
    limits: { bodyMax: 4096, ingestBytesMax: 100_000, documentsMax: 3, concurrentMax: 2, bodyMs: 300 },
  });
});

const bearer = { authorization: `Bearer ${TOKEN}` };

/** A request with any headers, also those that `fetch` sets itself. */
function raw(path: string, headers: Record<string, string>, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(server.url + path, { method, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("the gate", () => {
  test("everything but health needs the token", async () => {
    expect((await raw("/healthz", {})).status).toBe(200);
    for (const path of ["/", "/metrics", "/openapi.json", "/v1/namespaces", "/v1/models", "/mcp", "/none"]) {
      expect([path, (await raw(path, {})).status]).toStrictEqual([path, 401]);
      expect([path, (await raw(path, { authorization: "Bearer wrong" })).status]).toStrictEqual([path, 401]);
    }
    expect((await raw("/v1/models", bearer)).status).toBe(200);
    const { status, json } = await server.send("GET", "/v1/models");
    expect([status, json.error.code]).toStrictEqual([401, "UNAUTHORIZED"]);
  });

  test("a browser may send the token as a password", async () => {
    const asked = await raw("/", { accept: "text/html" });
    expect([asked.status, asked.headers["www-authenticate"]]).toStrictEqual([
      401,
      expect.stringMatching(/^Basic/),
    ]);
    const password = Buffer.from(`anybody:${TOKEN}`).toString("base64");
    expect((await raw("/", { authorization: `Basic ${password}` })).status).toBe(200);
  });

  test("hosts and origins that are not the server's are refused: DNS rebinding", async () => {
    const { port, host } = new URL(server.url);
    for (const name of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "0.0.0.0"])
      expect([name, (await raw("/v1/models", { ...bearer, host: name })).status]).toStrictEqual([name, 403]);
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost:1",
      `http://127.0.0.1:${Number(port) + 1}`,
    ])
      expect([origin, (await raw("/v1/models", { ...bearer, origin })).status]).toStrictEqual([origin, 403]);
    for (const origin of [`http://${host}`, `https://${host}`, "https://app.example"])
      expect([origin, (await raw("/v1/models", { ...bearer, origin })).status]).toStrictEqual([origin, 200]);
  });

  test("CORS: only for the origins that were named", async () => {
    const allowed = await raw("/v1/hybrid/query", { origin: "https://app.example" }, "OPTIONS");
    expect([allowed.status, allowed.headers["access-control-allow-origin"]]).toStrictEqual([
      ...[204, "https://app.example"],
    ]);
    const own = await raw("/v1/models", { ...bearer, origin: server.url });
    expect(own.headers["access-control-allow-origin"]).toBeUndefined();
    expect((await raw("/v1/hybrid/query", { origin: "https://evil.example" }, "OPTIONS")).status).toBe(403);
  });

  test("every answer has strict headers", async () => {
    for (const path of ["/healthz", "/", "/none"]) {
      const { headers } = await raw(path, bearer);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["content-security-policy"]).not.toContain("unsafe");
      expect([headers["x-content-type-options"], headers["referrer-policy"]]).toStrictEqual([
        "nosniff",
        "no-referrer",
      ]);
    }
  });
});

describe("limits", () => {
  test("too many documents: those before are written", async () => {
    const { status, json } = await server.send("POST", "/v1/hybrid/ingest", notes(4), bearer);
    expect([status, json.error.code, json.error.message]).toStrictEqual([
      ...[400, "BAD_ARGUMENT", expect.stringContaining("at most 3 documents")],
    ]);
  });

  test("JSON that nests too deep", async () => {
    const deep = `{"query":${"[".repeat(1000)}${"]".repeat(1000)}}`;
    const { status, json } = await server.send("POST", "/v1/hybrid/query", deep, bearer);
    expect([status, json.error.code]).toStrictEqual([400, "BAD_JSON"]);
  });

  test("too many requests at once: 429, with the time to wait", async () => {
    const slow = [1, 2].map(() => openRequest("/v1/hybrid/query"));
    await Promise.all(slow.map(({ isOpen }) => isOpen));
    const refused = await raw("/v1/models", bearer);
    expect([refused.status, refused.headers["retry-after"]]).toStrictEqual([429, "1"]);
    expect((await raw("/healthz", {})).status).toBe(200);
    // Slow clients are cut off, and the places are free again.
    expect(await Promise.all(slow.map(({ answer }) => answer))).toStrictEqual([408, 408]);
    expect((await raw("/v1/models", bearer)).status).toBe(200);
  });

  test("a body that is too large, told by its length or by its bytes", async () => {
    const big = { query: "x".repeat(5000) };
    const { status, json } = await server.send("POST", "/v1/hybrid/query", big, bearer);
    expect([status, json.error.code]).toStrictEqual([413, "PAYLOAD_TOO_LARGE"]);
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(50_000).fill(0x20));
      },
    });
    const response = await fetch(`${server.url}/v1/hybrid/ingest`, {
      ...{ method: "POST", body: stream, duplex: "half" },
      headers: { ...bearer, "content-type": "application/x-ndjson" },
    } as RequestInit);
    expect(response.status).toBe(413);
    await response.text();
  });

  test.each([
    ["of a length that is too large", "content-length: 999999999"],
    ["without a length", "transfer-encoding: chunked"],
  ])("after 413 for a body %s the connection is closed, though the client goes on", async (_, header) => {
    const { hostname, port, host } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => undefined); // a write after the end
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const head = [
      "POST /v1/hybrid/query HTTP/1.1",
      `Host: ${host}`,
      `Authorization: Bearer ${TOKEN}`,
      "Content-Type: application/json",
      header,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const part = header.startsWith("content") ? "x".repeat(1000) : `2000\r\n${"x".repeat(8192)}\r\n`;
    const sending = setInterval(() => socket.write(part), 20);
    await closed;
    clearInterval(sending);
    expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*PAYLOAD_TOO_LARGE/i);
  });

  /** A request whose body never comes. */
  function openRequest(path: string): { isOpen: Promise<void>; answer: Promise<number> } {
    const { hostname, port, host } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${TOKEN}`,
      "Content-Type: application/json",
      "Content-Length: 100",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n{`);
    let text = "";
    const answer = new Promise<number>((resolve) => {
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("error", () => resolve(0));
      socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    });
    const isOpen = new Promise<void>((resolve) => socket.once("connect", () => setTimeout(resolve, 100)));
    return { isOpen, answer };
  }
});

test("agents read one namespace, at its own address", async () => {
  await server.send("POST", "/v1/hybrid/ingest?namespace=agents", notes(2), bearer);
  const agent = await connectHttp(`${server.url}/mcp?namespace=agents`, bearer);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toStrictEqual([
    ...["search", "get_document", "list_documents", "recall", "library_status", "verify"],
  ]);
  const found = await agent.call("search", { query: "equal scores" });
  expect(found.results.map(({ path }: Answer) => path)).toContain("ties/000.md");
  expect(await agent.refusal("search", { query: "x", options: { db_path: "other.db" } })).toMatchObject({
    code: "BAD_ARGUMENT",
  });
  await agent.close();
  const off = await running({ mcp: false });
  expect((await off.send("POST", "/mcp", {})).status).toBe(404);
  await off.close();
});

describe("the command", () => {
  const folder = scratchFolder();

  function start(args: string[], env: Record<string, string> = {}) {
    const child = spawn(
      process.execPath,
      [MAIN, "serve", "--port", "0", "--model", "tiny", "--data", "data", ...args],
      {
        ...{ cwd: folder, env: { ...process.env, ...env } },
      },
    );
    const seen = { output: "", errors: "" };
    child.stdout.on("data", (data) => {
      seen.output += data;
    });
    child.stderr.on("data", (data) => {
      seen.errors += data;
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    return { child, seen, ended };
  }

  function listening(child: ChildProcess, seen: { readonly errors: string }): Promise<string> {
    return new Promise((resolve, reject) => {
      child.stderr!.on("data", () => {
        const found = /listening on (http:[^\s,]+)[^\n]*\n/.exec(seen.errors)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.on("close", () => reject(new Error(seen.errors)));
    });
  }

  test("SIGTERM: finishes what runs, and exits with 0; memory does not grow with a body", async () => {
    writeFileSync(join(folder, "token"), "from-file\n");
    const { child, seen, ended } = start(["--token-file", "token"]);
    const url = await listening(child, seen);
    expect(seen.errors).toContain("for clients with the token");
    const headers = { authorization: "Bearer from-file", "content-type": "application/x-ndjson" };
    const memory = async () => {
      const text = await (await fetch(`${url}/metrics`, { headers })).text();
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / 2 ** 20;
    };
    const before = await memory();
    // Rows without a text are read, checked and rejected: what remains is the cost of reading.
    const MIB = import.meta.env.MODE === "long" ? 2048 : 32;
    const row = `${JSON.stringify({ path: "a.md", nothing: "x".repeat(5000) })}\n`;
    const block = new TextEncoder().encode(row.repeat(Math.floor(2 ** 20 / row.length)));
    let sent = 0;
    let stopped = false;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === MIB >> 1 && !stopped) {
          stopped = true;
          child.kill("SIGTERM"); // in the middle of the request
        }
        if (sent++ < MIB) controller.enqueue(block);
        else controller.close();
      },
    });
    const peak = { mib: 0 };
    const watching = setInterval(
      () =>
        void memory().then(
          (mib) => Object.assign(peak, { mib: Math.max(peak.mib, mib) }),
          () => 0,
        ),
      200,
    );
    const response = await fetch(`${url}/v1/hybrid/ingest`, {
      method: "POST",
      body,
      duplex: "half",
      headers,
    } as RequestInit);
    clearInterval(watching);
    const answer = (await response.json()) as Answer;
    expect(answer).toMatchObject({ added: 0, rejections: expect.anything() });
    expect(answer.rejected).toBe(answer.received);
    expect(answer.rejections).toHaveLength(100);
    expect(peak.mib - before).toBeLessThan(import.meta.env.MODE === "long" ? 300 : 200);
    expect(await ended).toBe(0);
    expect(
      seen.output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).event),
    ).toContain("stopped");
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  test("--snapshots: one when the server stops, from which another machine starts", async () => {
    const { child, seen, ended } = start(["--snapshots"]);
    const url = await listening(child, seen);
    const ndjson = { "content-type": "application/x-ndjson" };
    const body = '{"path": "ties.md", "text": "Equal scores stand by path."}';
    const added = await fetch(`${url}/v1/hybrid/ingest?namespace=kept`, {
      method: "POST",
      headers: ndjson,
      body,
    });
    const { root } = (await added.json()) as Answer;
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const current = readFileSync(join(folder, "data/snapshots/kept/current"), "utf8").trim();
    expect(current.endsWith(root)).toBe(true);
    rmSync(join(folder, "data/namespaces"), { recursive: true });
    const again = start([]);
    const there = await listening(again.child, again.seen);
    const query = JSON.stringify({ query: "equal scores", namespace: "kept" });
    const json = { "content-type": "application/json" };
    const asked = await fetch(`${there}/v1/hybrid/query`, { method: "POST", headers: json, body: query });
    const answer = (await asked.json()) as Answer;
    expect([answer.receipt.root, answer.results[0].doc_id]).toStrictEqual([root, "ties.md"]);
    expect(await (await fetch(`${there}/metrics`)).text()).toMatch(
      /hybrid_snapshot_age_seconds\{namespace="kept"\} \d/,
    );
    again.child.kill("SIGTERM");
    expect(await again.ended).toBe(0);
  });

  test("beyond this device only with a token, and an empty token is an error", async () => {
    const open = start(["--host", "0.0.0.0"], { SELFSAME_TOKEN: undefined as unknown as string });
    expect([await open.ended, open.seen.errors]).toStrictEqual([
      1,
      expect.stringContaining("expected a token"),
    ]);
    const empty = start([], { SELFSAME_TOKEN: "" });
    expect([await empty.ended, empty.seen.errors]).toStrictEqual([1, expect.stringContaining("empty")]);
  });
});
