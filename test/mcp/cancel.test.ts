/** Cancelled requests over HTTP: no answer, nothing on standard error, and the end of their streams. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, HttpServerProcess, manyFiles, writeFiles } from "./served.ts";

const folder = join(scratchFolder(), "docs");
let server: HttpServerProcess;
let session: Record<string, string>;

beforeAll(async () => {
  mkdirSync(folder);
  writeFiles(folder, manyFiles(400)); // so many that a cancel comes before the end
  server = await HttpServerProcess.start(folder, "--model", "tiny");
  const hello = await post({
    id: "hello",
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  });
  session = { "mcp-session-id": hello.headers.get("mcp-session-id")! };
  await hello.text();
});
afterAll(() => server.stop());

/** By the time that there is a response the server has the messages. */
function post(...messages: readonly object[]): Promise<Response> {
  const sent = messages.map((each) => ({ jsonrpc: "2.0", ...each }));
  return fetch(server.url, {
    method: "POST",
    body: JSON.stringify(sent.length === 1 ? sent[0] : sent),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...session,
    },
  });
}
const call = (id: number, name: string, args = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const cancel = (requestId: number) => ({ method: "notifications/cancelled", params: { requestId } });
const answers = async (response: Response): Promise<Answer[]> =>
  [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!));

test("the stream of a cancelled request ends without an answer, and the others are answered", async () => {
  const ids = Array.from({ length: 6 }, (_, i) => 100 + i);
  const responses = await Promise.all(ids.map((id) => post(call(id, "reindex", { force: true }))));
  const cancelled = ids.filter((id) => id % 2 === 1);
  for (const id of cancelled) expect((await post(cancel(id))).status).toBe(202);
  for (const [i, id] of ids.entries()) {
    const found = (await answers(responses[i]!)).map((each) => each.id);
    expect(found).toStrictEqual(cancelled.includes(id) ? [] : [id]);
  }
  expect(await answers(await post(call(100, "library_status")))).toMatchObject([{ id: 100 }]);
  expect(server.errors.replace(/^selfsame mcp: listening on .*\n/, "")).toBe("");
});

test("a stream of several requests ends when each is answered or cancelled, whichever is last", async () => {
  const cancelledLast = await post(call(1, "reindex", { force: true }), call(2, "library_status"));
  await post(cancel(1));
  expect((await answers(cancelledLast)).map(({ id }) => id)).toStrictEqual([2]);
  const cancelledFirst = await post(
    call(3, "library_status"),
    cancel(3),
    call(4, "reindex"),
    call(5, "search", { query: "number" }),
    cancel(5),
  );
  expect((await answers(cancelledFirst)).map(({ id }) => id)).toStrictEqual([4]);
  expect(await answers(await post(call(6, "reindex"), cancel(6)))).toStrictEqual([]);
});

test("a client of the SDK that cancels goes on", async () => {
  const { client, call: ask, close } = await server.connect();
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  for (let i = 0; i < 5; i++) {
    const stop = new AbortController();
    const asked = client.callTool({ name: "reindex", arguments: { force: true } }, undefined, {
      signal: stop.signal,
    });
    setTimeout(() => stop.abort("enough"), 20 * i);
    // The answer may be on its way already, or have come: both are the protocol's.
    await asked.catch((error: unknown) => expect(String(error)).toContain("enough"));
  }
  expect((await ask("library_status")).exists).toBe(true);
  expect(
    errors.filter(({ message }) => !message.includes("a response for an unknown message ID")),
  ).toStrictEqual([]);
  await close();
});
