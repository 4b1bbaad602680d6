/** `selfsame web` serves the built page, and nothing else of the machine; the page's own lists agree. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const cli = join(root, "dist/cli.bundle/main.js");

async function start(...options: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [cli, "web", "--json", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return { child, url: (JSON.parse(line.toString()) as { url: string }).url };
}

describe("selfsame web", () => {
  let child: ChildProcess;
  let url: string;
  beforeAll(async () => {
    ({ child, url } = await start("--port", "0"));
  });
  afterAll(() => void child.kill());

  it.each([
    ["", "text/html; charset=utf-8"],
    ["service-worker.js", "text/javascript; charset=utf-8"],
    ["selfsame/index.js", "text/javascript; charset=utf-8"],
    ["selfsame/engine.simd.wasm", "application/wasm"],
    ["selfsame/models/tiny.json", "application/json"],
    ["selfsame/model/tokenizer.json", "application/json"],
    ["test-vectors/search.json", "application/json"],
    ["manifest.webmanifest", "application/manifest+json"],
  ])("serves /%s as %s", async (path, type) => {
    const response = await fetch(`${url}${path}`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
  });

  it("serves the model's weights from the installed package", async () => {
    const { headers } = await fetch(`${url}selfsame/model/model.fp16.safetensors`, { method: "HEAD" });
    expect(headers.get("content-length")).toBe("45441937");
  });

  it("lets browsers keep what cannot change, and ask about the rest", async () => {
    const page = await (await fetch(url)).text();
    const asset = /assets\/index-[^"]+\.js/.exec(page)![0];
    expect((await fetch(`${url}${asset}`)).headers.get("cache-control")).toContain("immutable");
    const first = await fetch(`${url}selfsame/index.js`);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const again = await fetch(`${url}selfsame/index.js`, {
      headers: { "if-none-match": first.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    ["GET", "/nothing.js", 404],
    ["GET", "/../package.json", 404],
    ["GET", "/%2e%2e/%2e%2e/package.json", 404],
    ["GET", "/..%2f..%2fpackage.json", 404],
    ["GET", "/selfsame/model/..%2f..%2fpackage.json", 404],
    ["GET", "/%00", 400],
    ["GET", "/%zz", 400],
    ["POST", "/", 405],
  ])("%s %s is %i", async (method, path, status) => {
    // fetch would tidy the path up.
    const asked = request(url, { method, path });
    asked.end();
    const [response] = (await once(asked, "response")) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(status);
  });

  it("forbids everything that the page does not need, in every response", async () => {
    const etag = (await fetch(`${url}selfsame/index.js`, { method: "HEAD" })).headers.get("etag")!;
    const responses = [
      await fetch(url),
      await fetch(`${url}service-worker.js`, { method: "HEAD" }),
      await fetch(`${url}selfsame/engine.simd.wasm`, { method: "HEAD" }),
      await fetch(`${url}selfsame/index.js`, { headers: { "if-none-match": etag } }),
      await fetch(`${url}nothing.js`),
      await fetch(`${url}%zz`),
      await fetch(url, { method: "POST" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 304, 404, 400, 405]);
    for (const { headers } of responses) {
      const policy = headers.get("content-security-policy")!.split("; ");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).not.toMatch(/unsafe-inline|'unsafe-eval'|\*|https?:/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  it("has no inline script or style, which the policy forbids", async () => {
    const page = await (await fetch(url)).text();
    expect(page).toContain("<script");
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|javascript:/i);
  });

  it("a port that is taken is an error with a way out", async () => {
    const second = spawn(process.execPath, [cli, "web", "--port", new URL(url).port]);
    const said: Buffer[] = [];
    second.stderr.on("data", (part: Buffer) => said.push(part));
    const [code] = (await once(second, "close")) as [number];
    expect(code).toBe(1);
    expect(Buffer.concat(said).toString()).toMatch(
      /BAD_ARGUMENT: expected to listen on .* EADDRINUSE.*--port/,
    );
  });
});

/** What the service worker keeps: every file of the page but the model's. */
function keptFiles(worker: string): { core: string[]; rest: string[] } {
  const [, list] = /JSON\.parse\((["'`])(.*?)\1\)/.exec(worker)!.slice(1);
  return JSON.parse(JSON.parse(`"${list}"`));
}

describe("selfsame web --export", () => {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-export-"));
  const site = join(folder, "some/site");
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [cli, "web", ...args], { cwd: folder, encoding: "utf8" });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("writes every file that the page asks for, and says how much that is", () => {
    const { status, stdout } = run("--export", "some/site", "--json");
    expect(status).toBe(0);
    const files = readdirSync(site, { recursive: true, encoding: "utf8" })
      .map((name) => join(site, name))
      .filter((name) => statSync(name).isFile());
    const bytes = files.reduce((sum, name) => sum + statSync(name).size, 0);
    expect(JSON.parse(stdout)).toEqual({ folder: site, files: files.length, bytes });
    const { core, rest } = keptFiles(readFileSync(join(site, "service-worker.js"), "utf8"));
    const model = ["config.json", "model.fp16.safetensors", "tokenizer.json"];
    for (const name of [...core, ...rest, ...model.map((each) => `selfsame/model/${each}`)])
      expect(files).toContain(join(site, name));
  });

  it("refuses a folder that has something in it, and says the way out", () => {
    const { status, stderr } = run("--export", "some/site");
    expect(status).toBe(1);
    expect(stderr).toMatch(/BAD_ARGUMENT: expected .*site to be new, or an empty folder, got .*Name another/);
    expect(run("--export", "").status).toBe(2);
    expect(run("--export", "other", "--open").stderr).toContain("cannot be used with");
    expect(readdirSync(folder)).toEqual(["some"]);
  });

  it("says to people what the folder needs", () => {
    const { stdout } = run("--export", "other");
    expect(stdout).toMatch(/^other: the page, \d+ files, 5\d\.\d MB\n.*https or on localhost/);
  });
});

describe("the page", () => {
  const read = (file: string) => readFileSync(join(root, file), "utf8");

  it("has one dark theme, whether the system or the person chooses it", () => {
    const [bySystem, byPerson] = [
      ...read("src/web/styles/tokens.css").matchAll(/color-scheme: dark;([^}]*)\}/g),
    ].map(([, list]) => list!.replace(/\s+/g, " "));
    expect(bySystem).toContain("--ground");
    expect(byPerson).toBe(bySystem);
  });

  it("draws lines for rows of the height that they have", () => {
    const [, row] = /const ROW = (\d+);/.exec(read("src/web/ranking-picture.ts"))!;
    expect(read("src/web/styles/tokens.css")).toContain(`--row: ${row}px;`);
  });

  it("asks no other server: every address in it is its own", () => {
    const built = read("dist/web/index.html");
    expect(built).toContain("default-src 'self'");
    expect([...built.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!.slice(0, 2))).toEqual(
      expect.arrayContaining(["./"]),
    );
    expect(built).not.toMatch(/(?:src|href)="(?!\.\/)/);
  });

  it("keeps every file that it needs for when the network is off", () => {
    const { core, rest } = keptFiles(read("dist/web/service-worker.js"));
    for (const name of [
      "index.html",
      "selfsame/index.js",
      "selfsame/library-worker.js",
      "selfsame/engine.simd.wasm",
      "selfsame/sqlite.wasm",
      "theme-first.js",
    ]) {
      expect(core).toContain(name);
    }
    expect(core.some((name) => name.endsWith(".css"))).toBe(true);
    expect(rest).toContain("test-vectors/search.json");
    expect(
      [...core, ...rest].filter((name) => name.includes("safetensors") && !name.includes("tiny")),
    ).toEqual([]);
  });
});
