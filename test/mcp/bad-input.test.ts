/** Whatever a client sends, the server answers, says why, and goes on. */
import { mkdirSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { scratchFolder } from "../store/scratch.ts";
import {
  type Answer,
  type Connected,
  connect,
  HttpServerProcess,
  manyFiles,
  ServerProcess,
  TRANSPORTS,
  writeFiles,
} from "./served.ts";

const folder = scratchFolder();
const HELLO = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
/** What is sent, JSON-RPC's code, and the id of the answer. */
const MALFORMED: readonly (readonly [string, number, unknown?])[] = [
  ["nonsense", -32700],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/list"', -32700],
  ["[1,2", -32700],
  ["{}", -32600],
  ["null", -32600],
  ["42", -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1],
  ['{"jsonrpc":"2.0","id":2}', -32600, 2],
  ['{"id":"three"}', -32600, "three"],
  ["[]", -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":5,"method":5}', -32600, 5],
  ['{"jsonrpc":"2.0","id":6,"result":5}', -32600],
];

beforeAll(async () => {
  mkdirSync(join(folder, "docs"), { recursive: true });
  writeFiles(folder, { "docs/a.md": "# A\n\nAlpha.\n" });
  const server = await connect("stdio", folder, "--model", "tiny");
  await server.call("reindex");
  await server.close();
});

describe("malformed JSON-RPC over stdio", () => {
  test("each line is answered with its error, then a sound one as ever, and nothing else is on standard output", async () => {
    const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
    for (const [line] of MALFORMED) server.write(line);
    for (const blank of ["", "\r", " \t "]) server.write(blank); // no message, and no fault
    server.write(JSON.stringify(HELLO));
    server.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    server.write('{"jsonrpc":"2.0","id":7,"method":"no/such/method"}');
    server.write('{"jsonrpc":"2.0","method":"no/such/notification"}');
    server.write('{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":5}}');
    server.write('{"jsonrpc":"2.0","id":9,"method":"ping"}');
    await server.until(({ output }) => output.includes('"id":9'));
    const messages = server.messages();
    const refused = messages.filter(({ error }) => [-32700, -32600].includes(error?.code));
    expect(refused.map(({ error, id }) => [error.code, id])).toStrictEqual(
      MALFORMED.map(([, code, id = null]) => [code, id]),
    );
    const answer = (id: unknown): Answer => messages.find((message) => message.id === id);
    expect(answer("hello").result.serverInfo.name).toBe("selfsame");
    expect(answer(7).error.code).toBe(-32601);
    expect(answer(8).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("params.name"),
    });
    expect(answer(9).result).toStrictEqual({});
    expect(await server.stop()).toBe(0);
  });

  test("a last line that does not end is answered; half of one is an error", async () => {
    for (const [line, answer] of [
      ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { id: 1, result: {} }],
      ['{"jsonrpc":"2.0","id":1,"meth', { id: null, error: { code: -32700 } }],
    ] as const) {
      const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
      server.process.stdin!.end(`\n${line}`);
      expect(await server.ended).toBe(0);
      expect(server.messages()).toHaveLength(1);
      expect(server.messages()[0]).toMatchObject(answer);
    }
  });

  test("a batch is refused, each of its ids with an answer", async () => {
    const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
    server.write(BATCH);
    server.write('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    await server.until(({ output }) => output.includes('"id":3'));
    expect(server.messages().map(({ id, error }) => [id, error?.code])).toStrictEqual([
      [1, -32600],
      ["two", -32600],
      [3, undefined],
    ]);
    expect(await server.stop()).toBe(0);
  });

  test("two requests with one id before the end of input are both answered", async () => {
    const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"a"}}}';
    server.process.stdin!.end(`${call}\n${call}\n`);
    expect(await server.ended).toBe(0);
    expect(server.messages().map(({ id }) => id)).toStrictEqual([1, 1]);
  });

  test("a line of 100 MB is not read, and the next one is answered", async () => {
    const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
    for (let i = 0; i < 10; i++) server.process.stdin!.write("x".repeat(10 << 20));
    server.write("");
    server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await server.until(({ output }) => output.includes('"id":1'));
    expect(server.messages()).toStrictEqual([
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: expect.stringContaining("at most 33554432 bytes") },
      },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]);
    expect(await server.stop()).toBe(0);
  });
});

const BATCH = `[${'{"jsonrpc":"2.0","id":1,"method":"ping"}'},{"jsonrpc":"2.0","id":"two","method":"tools/list"}]`;

/** Brackets inside each other, and strings with brackets, which do not count. */
const nested = (depth: number) => `${'{"]}\\"":['.repeat(depth / 2)}"[[[{"${"]}".repeat(depth / 2)}`;
/** Each is sent with its id; the answer must be that of a tool, or of the protocol with a code. */
const DEEP: readonly (readonly [string, string, "BAD_ARGUMENT" | "BAD_RECEIPT" | number])[] = [
  ["a mode nested 9,000 deep", call("search", `{"query":"a","mode":${nested(9000)}}`), "BAD_ARGUMENT"],
  [
    "filters nested 50,000 deep",
    call("search", `{"query":"a","options":{"filters":${nested(50_000)}}}`),
    "BAD_ARGUMENT",
  ],
  [
    "metadata nested 66 deep",
    call("search", `{"query":"a","options":{"filters":{"metadata":${nested(66)}}}}`),
    "BAD_ARGUMENT",
  ],
  ["a mode nested 50 deep", call("search", `{"query":"a","mode":${nested(50)}}`), "BAD_ARGUMENT"],
  ["a receipt nested 60,000 deep", call("verify", `{"receipt":${nested(60_000)}}`), "BAD_ARGUMENT"],
  [
    "a receipt nested 60,000 deep, as text",
    call("verify", `{"receipt":${JSON.stringify(nested(60_000))}}`),
    "BAD_RECEIPT",
  ],
  ["arguments that are brackets alone", call("search", "[".repeat(9000) + "]".repeat(9000)), "BAD_ARGUMENT"],
  ["300,000 members", call("search", `{"query":[${"1,".repeat(300_000)}1]}`), "BAD_ARGUMENT"],
  ["a deep cursor", `"method":"resources/list","params":{"cursor":${nested(9000)}}`, -32600],
  ["a deep member beside the params", `"method":"ping","other":${nested(9000)}`, -32600],
];

function call(tool: string, args: string): string {
  return `"method":"tools/call","params":{"name":"${tool}","arguments":${args}}`;
}

/** The code of an answer, of a tool or of the protocol. */
function codeOf({ result, error }: Answer): unknown {
  return error === undefined ? result._meta["selfsame/error"].code : error.code;
}

test("deep and large JSON over stdio: each request is answered with a code, the next message as ever", async () => {
  const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
  for (const [i, [, members]] of DEEP.entries()) server.write(`{"jsonrpc":"2.0",${members},"id":${i}}`);
  server.write('{"jsonrpc":"2.0","id":"last","method":"ping"}');
  await server.until(({ output }) => output.split("\n").length > DEEP.length + 1);
  const answer = (id: unknown): Answer => server.messages().find((message) => message.id === id);
  for (const [i, [name, , code]] of DEEP.entries())
    expect([name, codeOf(answer(i))]).toStrictEqual([name, code]);
  expect(answer("last").result).toStrictEqual({});
  expect(server.errors).toBe("");
  expect(await server.stop()).toBe(0);
});

describe("malformed JSON-RPC over HTTP", () => {
  let server: HttpServerProcess;
  let session: Record<string, string>;
  const JSON_AND_EVENTS = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(server.url, { method: "POST", body, headers: { ...JSON_AND_EVENTS, ...headers } });

  beforeAll(async () => {
    server = await HttpServerProcess.start(folder, "--model", "tiny");
    const hello = await post(JSON.stringify(HELLO));
    session = { "mcp-session-id": hello.headers.get("mcp-session-id")! };
    await hello.text();
  });
  afterAll(() => server.stop());

  test("is refused with 400 and its error, in a session and outside of one", async () => {
    for (const [body, code, id = null] of MALFORMED) {
      for (const headers of [session, {}] as Record<string, string>[]) {
        const response = await post(body, headers);
        expect(response.status, body).toBe(400);
        expect(await response.json(), body).toMatchObject({ id, error: { code } });
      }
    }
    expect(await (await post('{"jsonrpc":"2.0","id":9,"method":"ping"}', session)).text()).toContain(
      '"id":9',
    );
  });

  test("deep and large JSON: each request is answered with a code", async () => {
    for (const [i, [name, members, code]] of DEEP.entries()) {
      const response = await post(`{"jsonrpc":"2.0",${members},"id":${i}}`, session);
      const answer = JSON.parse((await response.text()).replace(/^.*data: /s, ""));
      expect([name, response.status, answer.id, codeOf(answer)]).toStrictEqual([
        name,
        typeof code === "number" ? 400 : 200,
        i,
        code,
      ]);
    }
  });

  test("every refusal has the ids of what it refuses", async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const hello = JSON.stringify({ ...HELLO, id: 1 });
    for (const [status, body, headers] of [
      [400, ping, {}],
      [404, ping, { "mcp-session-id": "unknown" }],
      [415, ping, { ...session, "content-type": "text/plain" }],
      [406, ping, { ...session, accept: "text/html" }],
      [400, ping, { ...session, "mcp-protocol-version": "1999-01-01" }],
      [400, hello, session],
      [400, `[${hello},${ping}]`, {}],
      [400, `[${ping},${ping}]`, session],
      [400, BATCH.replace("2.0", "1.0"), session],
      [400, BATCH, {}],
      [400, `[${Array.from({ length: 101 }, () => ping)}]`, session],
    ] as const) {
      const response = await post(body, headers as Record<string, string>);
      const answers = [(await response.json()) as Answer].flat();
      const ids = [JSON.parse(body)].flat().map(({ id }) => id);
      expect([body, response.status, answers.map(({ id }) => id)]).toStrictEqual([body, status, ids]);
      for (const { error } of answers) expect(error.message).not.toBe("");
    }
    const batch = await (await post(BATCH, session)).text();
    expect(batch).toContain('"id":1');
    expect(batch).toContain('"id":"two"');
  });

  test("an id that has no answer yet is refused; both requests end", async () => {
    writeFiles(folder, manyFiles(100));
    const indexing = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index"}}';
    const first = await post(indexing, session);
    const second = await post(indexing, session);
    expect([second.status, ((await second.json()) as Answer).id]).toStrictEqual([400, 1]);
    expect(await first.text()).toContain("100 added");
    expect(await (await post(indexing, session)).text()).toContain("101 unchanged");
  });

  test("other methods, paths, types and sessions are refused", async () => {
    const status = async (response: Promise<Response>) => {
      const { status, body } = await response;
      await body?.cancel();
      return status;
    };
    expect(await status(fetch(server.url.replace("/mcp", "/other"), { method: "POST" }))).toBe(404);
    expect(await status(fetch(server.url))).toBe(400);
    expect(await status(fetch(server.url, { method: "PUT", headers: session }))).toBe(405);
    expect(await status(fetch(server.url, { method: "OPTIONS" }))).toBe(400);
    expect(await status(post(JSON.stringify(HELLO), { "content-type": "text/plain" }))).toBe(415);
    expect(await status(post(JSON.stringify(HELLO), { accept: "text/html" }))).toBe(406);
    expect(
      await status(post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { "mcp-session-id": "unknown" })),
    ).toBe(404);
    expect(await status(post('{"jsonrpc":"2.0","id":1,"method":"ping"}'))).toBe(400);
  });

  test("a body of 10 MB is refused with 413 before it is read", async () => {
    const query = "x".repeat(10_000_000);
    const response = await post(
      `{"jsonrpc":"2.0","id":1,${call("search", JSON.stringify({ query }))}}`,
      session,
    );
    expect([response.status, response.headers.get("connection")]).toStrictEqual([413, "close"]);
    expect(await response.json()).toMatchObject({ error: { code: -32000 } });
    expect(await (await post('{"jsonrpc":"2.0","id":9,"method":"ping"}', session)).text()).toContain(
      '"id":9',
    );
  });

  test.each([
    ["of a length that is too large", "content-length: 999999999"],
    ["without a length", "transfer-encoding: chunked"],
  ])("after 413 for a body %s the connection is closed, though the client goes on", async (_, header) => {
    const socket = connectSocket({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => undefined); // a write after the end
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${header}\r\n\r\n`,
    );
    const part = header.startsWith("content") ? "x".repeat(1000) : `100000\r\n${"x".repeat(1 << 20)}\r\n`;
    const sending = setInterval(() => socket.write(part), 50);
    await closed;
    clearInterval(sending);
    expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*"id":null/i);
  });
});

describe.each(TRANSPORTS)("tools, over %s", (transport) => {
  let server: Connected;
  beforeAll(async () => {
    server = await connect(transport, folder, "--model", "tiny");
  });
  afterAll(() => server.close());

  test("an unknown tool is said to be unknown", async () => {
    for (const name of ["nothing", "", "__proto__", "constructor", "search_rifflux "]) {
      const { code, text, hint } = await server.refusal(name);
      expect([code, text]).toStrictEqual([
        "BAD_ARGUMENT",
        expect.stringContaining(`expected the name of a tool, got ${JSON.stringify(name)}`),
      ]);
      const { tools } = await server.client.listTools();
      expect(hint).toBe(`The tools are ${tools.map((tool) => tool.name).join(", ")}`);
    }
  });

  test("wrong types, missing and unknown arguments are named", async () => {
    for (const [tool, args, named] of [
      ["search_rifflux", {}, "query"],
      ["search_rifflux", { query: 5 }, "query"],
      ["search_rifflux", { query: null }, "query"],
      ["search_rifflux", { query: ["a"] }, "query"],
      ["search_rifflux", { query: "a", topK: 5 }, "topK"],
      ["search_rifflux", { query: "a", db_path: 5 }, "db_path"],
      ["reindex", { path: 5 }, "path"],
      ["reindex", { paths: "docs" }, "paths"],
      ["reindex", { paths: [null] }, "paths"],
      ["reindex", { force: "yes" }, "force"],
      ["reindex", { db_path: "x.db" }, "db_path"],
      ["search", { query: "a", options: { filters: { colour: "red" } } }, "colour"],
      ["search", { query: "a", options: { filters: { path: 5 } } }, "path"],
      ["search", { query: "a", options: { weights: { semantic: "much" } } }, "weights"],
      ["search", { query: "a", options: { rrf_k: -1 } }, "rrf_k"],
      ["search", { query: "a", top_k: 3, options: { page_size: 3 } }, "page_size"],
      ["search", { query: "a", top_k: 3, cursor: "x" }, "cursor"],
      ["search", { query: "a", path: "[" }, "filters.path"],
      ["search", { query: "a", path: "a", options: { filters: { path: "b" } } }, "options.filters.path"],
      ["search", { query: "a", options: { filters: { modified_after: "yesterday" } } }, "modifiedAfter"],
      ["get_chunk", { chunk_id: "xyz" }, "chunk_id"],
      ["get_chunk", { chunk_id: "0".repeat(32) }, "0".repeat(32)],
      ["verify", { receipt: "no receipt" }, "receipt"],
      ["verify", { receipt: {} }, "version"],
    ] as const) {
      const { code, text } = await server.refusal(tool, args);
      expect(text, `${tool} ${JSON.stringify(args)}`).toContain(named);
      expect(code).toBe(tool === "verify" ? "BAD_RECEIPT" : "BAD_ARGUMENT");
    }
  });

  test("what the schema refuses has its code, what was expected and came, and the way out", async () => {
    for (const [tool, args, fault] of [
      ["search", { query: "x", top_k: -1 }, "expected top_k to be at least 1, got -1"],
      ["search", { query: "x", top_k: 1e300 }, "expected top_k to be at most 10000, got 1e+300"],
      ["search", { query: "x", top_k: 1.5 }, "expected top_k to be of type integer, got 1.5"],
      ["search", { query: "x", top_k: "3" }, "expected top_k to be of type number, got string"],
      ["search", {}, "expected query to be of type string, got none"],
      [
        "search",
        { nope: 1 },
        'expected query to be of type string, got none; expected known arguments, got "nope"',
      ],
      ["search", JSON.parse('{"query":"x","__proto__":1}'), 'expected known arguments, got "__proto__"'],
      [
        "search",
        JSON.parse('{"query":"x","options":{"filters":{"metadata":{"__proto__":1}}}}'),
        'expected members with other names, got "__proto__"',
      ],
      [
        "search",
        { query: "x", mode: "fuzzy" },
        'expected mode to be hybrid or semantic or lexical, got "fuzzy"',
      ],
      [
        "search",
        { query: "x", options: { filters: { colour: 1 } } },
        'expected known members of options.filters, got "colour"',
      ],
      [
        "search",
        { query: "x", options: { filters: { path: 5 } } },
        "expected options.filters.path to be of type string or array, got number",
      ],
      [
        "search",
        { query: "x", options: { filters: { path: ["a", 5] } } },
        "expected options.filters.path.1 to be of type string, got number",
      ],
      [
        "search",
        { query: "x", options: { filters: { metadata: 5 } } },
        "expected options.filters.metadata to be of type object, got number",
      ],
      [
        "search",
        { query: "x", options: { diversify: { lambda: 2 } } },
        "expected options.diversify.lambda to be at most 1, got 2",
      ],
      ["search", { query: "x", options: { preset: "y".repeat(1000) } }, `docstokg, got "${"y".repeat(59)}…`],
      ["reindex", { path: "" }, 'expected path not to be empty, got ""'],
      ["reindex", { db_path: "new.db" }, 'expected known arguments, got "db_path"'],
      ["get_chunk", { chunk_id: "xyz" }, 'expected chunk_id to match /^[0-9a-f]{32}$/, got "xyz"'],
    ] as const) {
      const { code, text, hint } = await server.refusal(tool, args);
      expect([code, text]).toStrictEqual(["BAD_ARGUMENT", expect.stringContaining(fault)]);
      expect(text).toBe(`BAD_ARGUMENT: ${text.slice(14, text.indexOf(`. ${tool} `))}. ${hint}`);
      expect(hint).toMatch(/; tools\/list has the schema$|^search accepts in options db_path, /);
    }
    expect((await server.refusal("search", {})).hint).toMatch(
      /^search requires query and accepts top_k, mode, /,
    );
    expect((await server.refusal("library_status", { x: 1 })).hint).toMatch(
      /^library_status accepts db_path, structured;/,
    );
  });

  test("arguments and params of a wrong type are invalid params, said in a sentence", async () => {
    for (const [method, params, fault] of [
      [
        "tools/call",
        { name: "library_status", arguments: "x" },
        "arguments to be of type object, got string",
      ],
      ["tools/call", { name: "library_status", arguments: [1] }, "arguments to be of type object, got array"],
      ["tools/call", { name: "library_status", arguments: null }, "arguments to be of type object, got null"],
      ["tools/call", { name: 5 }, "name to be of type string, got number"],
      ["tools/call", {}, "name to be of type string, got none"],
      ["resources/read", { uri: 5 }, "uri to be of type string, got number"],
      ["resources/list", { cursor: 5 }, "cursor to be of type string, got number"],
    ] as const) {
      const asked = server.client.request({ method, params } as Answer, z.any());
      const error = (await asked.catch((cause) => cause)) as Answer;
      expect([method, error.code], error.message).toStrictEqual([method, -32602]);
      expect(error.message).toBe(`MCP error -32602: Invalid params: expected params.${fault}`);
    }
  });

  test("more arguments than anything has are refused", async () => {
    const paths = Array.from({ length: 20_000 }, () => "docs");
    const { code, text } = await server.refusal("reindex", { paths });
    expect([code, text]).toStrictEqual(["BAD_ARGUMENT", expect.stringContaining("more than the maximum")]);
  });

  test("strange texts are queries like any other", async () => {
    for (const query of [
      "\ud800",
      "\0",
      "\uffff",
      "🦊".repeat(1000),
      "a ".repeat(40_000),
      '"'.repeat(9999),
    ]) {
      const answer = await server.call("search_rifflux", { query });
      expect(answer.count).toBe(answer.results.length);
    }
  });
});

test("a query of 10 MB over stdio is refused with the way out, and the next one is answered", async () => {
  const server = await connect("stdio", folder, "--model", "tiny");
  for (const tool of ["search_rifflux", "search"]) {
    for (const query of ["x".repeat(10_000_000), "many words ".repeat(1_000_000)]) {
      const { code, text } = await server.refusal(tool, { query });
      expect([code, text.length < 1000]).toStrictEqual(["BAD_ARGUMENT", true]);
      expect(text).toContain("100000 characters");
    }
  }
  expect((await server.call("search_rifflux", { query: "alpha", mode: "lexical" })).count).toBe(1);
  await server.close();
});
