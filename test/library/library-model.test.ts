/** The model that a library records is only compared and shown: no address and no path is ever read from a library. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { open, type SelfsameError } from "selfsame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAIN } from "../cli/run.ts";
import { tinyFiles, tinyManifest } from "../model/tiny-model.ts";
import { scratchFolder } from "../store/scratch.ts";
import { openTiny } from "./opened.ts";

const folder = scratchFolder();
const requests: string[] = [];
let count = 0;
let server: Server;
let base: string;

beforeAll(async () => {
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes/new.md"), "# New\n");
  server = createServer((request, response) => {
    requests.push(request.url!);
    const path = request.url!.slice(1);
    if (path === "tiny.json") response.end(JSON.stringify({ ...tinyManifest, name: "mine", limit: 32 }));
    else if (path === tinyManifest.files.weights.path) response.end(tinyFiles.weights);
    else if (path === tinyManifest.files.tokenizer.path) response.end(tinyFiles.tokenizer);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const documents = [
  { path: "ties.md", text: "# Ties\n\nTies are broken by path.\n" },
  { path: "rain.md", text: "# Rain\n\nRain and snow.\n" },
];

/** A library of the package's tiny model that records what a stranger wrote into it. */
async function crafted(settings: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, `crafted-${++count}.db`);
  const { library, parts } = await openTiny(file);
  await library.add(documents);
  const put = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)";
  parts.database.transaction(() => {
    for (const setting of Object.entries(settings)) parts.database.run(put, setting);
  });
  await library.close();
  return file;
}

/** Without blocking this process, which is the server. */
function run(...args: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, output })));
}

const UNKNOWN = { "canon.model": "5".repeat(64) };

describe("a library that records an address as its model", () => {
  it.each([
    ["http", "tiny.json", {}],
    ["http, of another model", "tiny.json", UNKNOWN],
  ])("causes no request: %s", async (_, path, settings) => {
    requests.length = 0;
    const file = await crafted({ ...settings, model: base + path });
    const isUnknown = "canon.model" in settings;
    const library = await open(file, { workers: 1 });
    const root = await library.root();
    expect(root).toMatch(/^[0-9a-f]{64}$/);
    expect((await library.stats()).documents).toBe(2);
    expect(await library.documents()).toHaveLength(2);
    expect(await library.document("rain.md")).toMatchObject({ text: documents[1]!.text });
    expect((await library.search("ties", { mode: "lexical" })).results[0]!.path).toBe("ties.md");
    const { receipt } = await library.search("ties", { mode: "lexical" });
    expect(await library.verifyReceipt(receipt)).toMatchObject({ isSame: true });
    const twin = await openTiny(":memory:");
    await twin.library.add([documents[0]!]);
    expect(await library.diff(twin.library)).toMatchObject([{ path: "rain.md", change: "only here" }]);
    await twin.library.close();
    for (const work of [
      () => library.search("ties"),
      () => library.search("ties", { mode: "semantic" }),
      () => library.add([{ path: "new.md", text: "New." }]),
    ]) {
      const error: SelfsameError = await work().catch((caught) => caught);
      expect(error).toMatchObject({ code: "CANON_MISMATCH" });
      expect(error.reason).toContain(JSON.stringify(base + path));
      expect(error.reason).toContain(isUnknown ? UNKNOWN["canon.model"] : tinyManifest.files.weights.sha256);
      expect(error.hint).toMatch(/--model, "model" in selfsame\.config\.json, or \{ model \}/);
    }
    expect((await library.check()).isSound).toBe(false);
    await library.close();

    const runs = await Promise.all([
      run("root", "--db", file),
      run("stats", "--db", file),
      run("diff", file, file),
      run("search", "ties", "--db", file),
      run("doctor", "--db", file, "--full"),
      run("index", "notes", "--db", file),
      run("index", "notes", "--db", file, "--force"),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0, 1, 1, 1, 1]);
    expect(runs[0]!.output).toContain(root);
    for (const { output } of runs.slice(3)) expect(output).toContain("CANON_MISMATCH");
    expect(requests).toEqual([]);
  });

  it.each([
    "file:///etc/passwd",
    "../../../../etc/passwd",
    "data:application/json,{}",
    "\u001b[2Jx",
    "tiny\n",
    "",
  ])("reads nothing there: %j", async (model) => {
    const file = await crafted({ ...UNKNOWN, model });
    const library = await open(file, { workers: 1 });
    expect(library.model).not.toMatch(/\p{Cc}/u);
    const error: SelfsameError = await library.search("ties").catch((caught) => caught);
    expect(error).toMatchObject({ code: "CANON_MISMATCH" });
    expect(error.message).not.toMatch(/\p{Cc}/u);
    await library.close();
  });

  it.each([
    ["a limit that is none", { "canon.limit": "many" }],
    ["a limit beyond all bounds", { "canon.limit": "1e300" }],
    ["a limit of a fraction", { "canon.limit": "2.5" }],
    ["chunks that are none", { "canon.chunking": "NaN 0 0" }],
    ["a digest that is none", { "canon.tokenizer": "\u001b[2J".repeat(1000) }],
  ])("with %s is typed", async (_, settings) => {
    const file = await crafted({ ...UNKNOWN, ...settings });
    const named: SelfsameError = await open(file, { model: "tiny", workers: 1 }).catch((caught) => caught);
    expect(named.code).toBe("CANON_MISMATCH");
    expect(named.message).not.toMatch(/\p{Cc}/u);
    const error = await open(file, { workers: 1 }).then(
      async (library) => {
        await library.root();
        const failure = await library.search("ties").catch((caught) => caught);
        await library.close();
        return failure;
      },
      (caught) => caught,
    );
    expect(error.code).toMatch(/^(CANON_MISMATCH|DATABASE_CORRUPT)$/);
    expect(error.message.length).toBeLessThan(2000);
  });
});

describe("a library of a model that the user has named", () => {
  it("is found by its digests: by URL, as a known model, by the configuration", async () => {
    const file = join(folder, "mine.db");
    const url = `${base}tiny.json`;
    const made = await open(file, { model: url, workers: 1 });
    await made.add(documents);
    const expected = await made.search("broken ties");
    expect(made.model).toBe("mine");
    await made.close();
    for (const options of [
      { model: url },
      { model: new URL(url) },
      { knownModels: ["all-MiniLM-L6-v2", url] },
    ]) {
      const library = await open(file, { ...options, workers: 1 });
      expect((await library.search("broken ties")).receipt).toEqual(expected.receipt);
      await library.close();
    }
    // Named, it is fetched; not named, it is not.
    const config = join(folder, "selfsame.config.json");
    writeFileSync(config, JSON.stringify({ model: url }));
    expect((await run("search", "broken ties", "--db", file)).status).toBe(0);
    rmSync(config);
    expect((await run("search", "broken ties", "--db", file)).output).toContain("CANON_MISMATCH");
    requests.length = 0;
    const library = await open(file, { workers: 1 });
    expect(library.model).toBe("mine");
    await expect(library.search("broken ties")).rejects.toMatchObject({ code: "CANON_MISMATCH" });
    await library.close();
    expect(requests).toEqual([]);
  });

  it("is refused if it is another one", async () => {
    const file = await crafted({});
    await expect(open(file, { model: `${base}tiny.json` })).rejects.toMatchObject({ code: "CANON_MISMATCH" });
    // One that is known beside the right one changes nothing, nor does one that cannot be read.
    const library = await open(file, { knownModels: [`${base}tiny.json`, `${base}none.json`], workers: 1 });
    expect(library.model).toBe("tiny");
    await library.close();
  });
});
