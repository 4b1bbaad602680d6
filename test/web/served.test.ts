/** `selfsame web --db`: the page's calls of a library, and who may make them. The page itself: test/browsers/page-served.test.ts. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { type Library, open } from "selfsame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../store/scratch.ts";

const cli = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
const file = join(scratchFolder(), "notes.db");
const DOCUMENTS = [
  { path: "ties.md", text: "# Ties\n\nEqual scores stand by path.\n" },
  { path: "tea.md", text: "# Tea\n\nThree minutes, not more.\n" },
];

interface Page {
  readonly url: string;
  readonly child: ChildProcess;
  call(name: string, body: string | Buffer, headers?: Record<string, string>): Promise<[number, string[]]>;
}

async function served(...options: string[]): Promise<Page> {
  const args = [cli, "web", "--json", "--port", "0", "--db", file, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  return {
    url,
    child,
    async call(name, body, headers = {}) {
      const response = await fetch(`${url}library/${name}`, {
        method: "POST",
        body: body as BodyInit,
        headers,
      });
      return [response.status, (await response.text()).trim().split("\n")];
    },
  };
}

async function stopped({ child }: Page): Promise<number | null> {
  child.kill("SIGTERM");
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

function filesBody(files: readonly { path: string; bytes: string }[]): Buffer {
  const list = Buffer.from(
    JSON.stringify(files.map(({ path, bytes }) => ({ path, size: Buffer.byteLength(bytes), modified: 1 }))),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  return Buffer.concat([length, list, ...files.map(({ bytes }) => Buffer.from(bytes))]);
}

let twin: Library;
beforeAll(async () => {
  const library = await open(file, { model: "tiny" });
  await library.add(DOCUMENTS);
  await library.close();
  twin = await open(":memory:", { model: "tiny" });
  await twin.add(DOCUMENTS);
});
afterAll(() => twin.close());

describe("read-only", () => {
  let page: Page;
  beforeAll(async () => {
    page = await served();
  });
  afterAll(async () => {
    expect(await stopped(page)).toBe(0);
  });

  it("describes the library beside the page", async () => {
    const response = await fetch(`${page.url}library.json`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ name: "notes.db", file, model: "tiny", isWritable: false });
    expect(await (await fetch(page.url)).text()).toContain("<script");
  });

  it("answers as the library does", async () => {
    const [status, lines] = await page.call("search", '["equal scores", {"topK": 2}]');
    expect([status, lines.length]).toStrictEqual([200, 1]);
    const { value } = JSON.parse(lines[0]!);
    const { receipt, results } = await twin.search("equal scores", { topK: 2 });
    expect([value.receipt, value.results]).toStrictEqual(JSON.parse(JSON.stringify([receipt, results])));
    expect(JSON.parse((await page.call("document", '["tea.md"]'))[1][0]!).value.text).toBe(
      DOCUMENTS[1]!.text,
    );
    expect(JSON.parse((await page.call("document", '["none.md"]'))[1][0]!).value).toBe(null);
    const [, faults] = await page.call("search", '["x", {"topK": -1}]');
    expect(JSON.parse(faults[0]!).error).toMatchObject({ code: "BAD_ARGUMENT" });
  });

  it.each([
    ["add", "[[]]", 403],
    ["addFiles", filesBody([]), 403],
    ["remove", '[["tea.md"]]', 403],
    ["feedback", "[{}]", 403],
    ["close", "[]", 404],
    ["constructor", "[]", 404],
    ["stats", "{", 400],
    ["stats", '"x"', 400],
  ] as const)("%s %s is %i", async (name, body, status) => {
    expect((await page.call(name, body))[0]).toBe(status);
  });

  it("lets in neither pages of other origins nor other host names", async () => {
    const at = (headers: Record<string, string>) =>
      page.call("stats", "[]", headers).then(([status]) => status);
    expect(await at({ origin: "https://evil.example" })).toBe(403);
    expect(await at({ origin: "http://127.0.0.1:1" })).toBe(403);
    expect(await at({ origin: page.url.slice(0, -1) })).toBe(200);
    for (const path of ["/", "/library.json", "/library/stats"]) {
      const asked = request(page.url, { path, headers: { host: "evil.example" } });
      asked.end();
      const [response] = (await once(asked, "response")) as [{ statusCode: number; resume(): void }];
      response.resume();
      expect(response.statusCode).toBe(403);
    }
    expect((await fetch(`${page.url}library/stats`)).status).toBe(405);
  });
});

it("--writable: documents and files are added with progress, and removed", async () => {
  const page = await served("--writable");
  const note = { path: "note.md", text: "# Note\n\nWritten in the page.\n" };
  const [, added] = await page.call("add", JSON.stringify([[note]]));
  expect(JSON.parse(added.at(-1)!).value).toMatchObject({ added: 1 });
  expect(added.length).toBeGreaterThan(1);
  const given = [
    { path: "page.html", bytes: "<!doctype html><title>x</title><h1>Head</h1><p>From a <b>file</b>.</p>" },
    { path: "b.md", bytes: "# B\n\nBé.\n" },
  ];
  const [, files] = await page.call("addFiles", filesBody(given));
  expect(JSON.parse(files.at(-1)!).value).toMatchObject({ added: 2, skipped: [] });
  for (const body of [Buffer.alloc(3), Buffer.alloc(4, 255), filesBody(given).subarray(0, -1)])
    expect((await page.call("addFiles", body))[0]).toBe(400);
  const [, removed] = await page.call("remove", '[["b.md", "none.md"]]');
  expect(JSON.parse(removed[0]!).value).toMatchObject({ removed: 1, missing: ["none.md"] });
  expect(await stopped(page)).toBe(0);
  const library = await open(file);
  const paths = (await library.documents()).map(({ path }) => path);
  expect(paths).toStrictEqual(["note.md", "page.html", "tea.md", "ties.md"]);
  expect((await library.document("page.html"))!.text).not.toContain("<b>");
  await library.remove(["note.md", "page.html"]);
  await library.close();
});

it("what cannot be served is an error with a way out", () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [cli, "web", ...args], { encoding: "utf8" });
  expect(run("--writable")).toMatchObject({ status: 2, stderr: expect.stringContaining("--db") });
  const missing = run("--db", join(file, "../none.db"), "--port", "0");
  expect([missing.status, missing.stderr]).toStrictEqual([1, expect.stringContaining("none.db")]);
});
