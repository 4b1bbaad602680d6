/** The end of a server: at once, with exit code 0, and with the library whole. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open } from "selfsame";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, HttpServerProcess, manyFiles, ServerProcess, writeFiles } from "./served.ts";

const scratch = scratchFolder();
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const REINDEX =
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reindex","arguments":{},"_meta":{"progressToken":5}}}';
const HELLO =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}';
let folders = 0;

function newFolder(files: number): string {
  const folder = join(scratch, String(++folders));
  mkdirSync(folder);
  writeFiles(folder, manyFiles(files));
  return folder;
}

describe("stdio", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("%s ends it with 0", async (signal) => {
    const server = new ServerProcess(newFolder(1), ["--model", "tiny", "--contracts"]);
    server.write(PING);
    await server.until(({ output }) => output.includes('"id":1'));
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(server.errors).toBe("");
  });

  test("the end of standard input ends it with 0, after what was asked was answered", async () => {
    const server = new ServerProcess(newFolder(3), ["--model", "tiny", "--contracts"]);
    server.process.stdin!.end(`${HELLO}\n${PING}\n${REINDEX}\n`);
    expect(await server.ended).toBe(0);
    const answered = server.messages().filter(({ id }) => id !== undefined);
    expect(answered.map(({ id }: Answer) => id).sort()).toStrictEqual([0, 1, 2]);
    expect(answered.find(({ id }: Answer) => id === 2).result.structuredContent.indexed_files).toBe(3);
  });

  test("cancelled requests get no answer, nothing is said of them, and the end of standard input ends it with 0", async () => {
    const calls = Array.from({ length: 20 }, (_, i) => [
      `{"jsonrpc":"2.0","id":${10 + i},"method":"tools/call","params":{"name":"${i % 2 ? "reindex" : "search"}","arguments":${i % 2 ? "{}" : '{"query":"x"}'}}}`,
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${10 + i}}}`,
    ]);
    const server = new ServerProcess(newFolder(3), ["--model", "tiny", "--contracts"]);
    server.process.stdin!.end(`${[HELLO, ...calls.flat(), PING].join("\n")}\n`);
    expect(await server.ended).toBe(0);
    expect(server.errors).toBe("");
    expect(server.messages().map(({ id }: Answer) => id)).toStrictEqual([0, 1]);
  });

  test("a reindex that is cancelled while another is at work: the other is answered before the end", async () => {
    const server = new ServerProcess(newFolder(3), ["--model", "tiny", "--contracts"]);
    const second = REINDEX.replace('"id":2', '"id":3');
    const cancel =
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"enough"}}';
    server.process.stdin!.end(`${[HELLO, REINDEX, second, cancel].join("\n")}\n`);
    expect(await server.ended).toBe(0);
    expect(server.errors).toBe("");
    const answered = server.messages().filter(({ id }) => id !== undefined);
    expect(answered.map(({ id }: Answer) => id)).toStrictEqual([0, 2]);
  });

  test("a reader that is gone ends it", async () => {
    const server = new ServerProcess(newFolder(1), ["--model", "tiny", "--contracts"]);
    server.write(PING);
    await server.until(({ output }) => output.includes('"id":1'));
    server.process.stdout!.destroy();
    server.write(PING);
    expect(await server.ended).toBe(0);
  });

  test("in the middle of indexing: the library is whole, and the next start goes on", async () => {
    const folder = newFolder(400);
    const server = new ServerProcess(folder, ["--model", "tiny", "--contracts"]);
    server.write(HELLO);
    server.write(REINDEX);
    await server.until(({ output }) => /"progress":[1-9]/.test(output));
    server.process.kill("SIGINT");
    expect(await server.ended).toBe(0);
    expect(server.messages().find(({ id }) => id === 2)).toBeUndefined();
    const library = await open(join(folder, ".selfsame/library.db"), { model: "tiny" });
    expect(await library.check()).toMatchObject({ isSound: true });
    const { documents } = await library.stats();
    expect(documents).toBeGreaterThan(0);
    expect(documents).toBeLessThan(400);
    expect((await library.addFiles([folder])).added).toBe(400 - documents);
    await library.close();
  });
});

describe("HTTP", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("%s ends it with 0, with clients connected", async (signal) => {
    const server = await HttpServerProcess.start(newFolder(3), "--model", "tiny");
    const { client, call } = await server.connect();
    await call("reindex");
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(server.output).toBe("");
    await client.close();
  });
});
