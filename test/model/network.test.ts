/** What is fetched has limits of size and time, and is used only with the digest that its manifest names. */

import { readdirSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { PACKAGE_MODELS, SelfsameError } from "selfsame";
import { loadModel, loadTokenizer } from "selfsame/engine";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fetchBytes } from "#dist/engine/fetch.js";
import browser from "#dist/engine/resources.browser.js";
import node from "#dist/engine/resources.node.js";
import { tinyFiles, tinyManifest } from "./tiny-model.ts";

const PIECE = Buffer.alloc(1 << 16, " ");
const BOMB = gzipSync(Buffer.alloc(64 << 20));
/** More than a manifest or the tiny model may have, with what sockets hold; far less than an endless answer. */
const SENT_MAX = 16 << 20;

let server: Server;
let base: URL;
let sent = 0;
let open = 0;

/** Writes as fast as the client reads, until it hangs up. */
function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed) {
      sent += PIECE.length;
      if (!response.write(PIECE)) return void response.once("drain", more);
    }
  };
  more();
}

/** A byte every 20 ms. */
function slow(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}

const weights = Buffer.from(tinyFiles.weights);
const other = Buffer.from(weights).fill(0);
/** By the folder that a manifest is in: what is served as its weights. */
const WEIGHTS: Record<string, (response: ServerResponse) => void> = {
  sound: (response) => response.end(weights),
  endless,
  other: (response) => response.end(other),
  short: (response) => response.end(weights.subarray(1)),
  long: (response) => response.end(Buffer.concat([weights, Buffer.of(0)])),
  // One byte too many, and the answer stays open: a client that waited for its end would wait for ever.
  open: (response) => response.write(Buffer.concat([weights, Buffer.of(0)])),
  broken: (response) => {
    response.writeHead(200, { "content-length": weights.length });
    response.write(weights.subarray(0, 1000), () => response.destroy());
  },
  bomb: (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB),
  absent: (response) => response.writeHead(404).end(),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    open++;
    response.on("close", () => open--);
    const [, folder = "", ...path] = request.url!.split("/");
    if (path.join("/") === "tiny.json") response.end(JSON.stringify(tinyManifest));
    else if (path.join("/") === tinyManifest.files.weights.path) WEIGHTS[folder]!(response);
    else if (path.join("/") === tinyManifest.files.tokenizer.path) response.end(tinyFiles.tokenizer);
    else if (folder === "endless") endless(response);
    else if (folder === "slow") slow(response);
    else if (folder === "silent") return;
    else if (folder === "stalled") response.write("{");
    else if (folder === "bomb") response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function refused(work: Promise<unknown>): Promise<SelfsameError> {
  const error = await work.then(
    () => new Error("it was accepted"),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(SelfsameError);
  return error as SelfsameError;
}

/** The client has hung up. */
async function allClosed(): Promise<void> {
  while (open > 0) await new Promise((resume) => setTimeout(resume, 5));
}

it("the package's models are those in models/", () => {
  const names = readdirSync(new URL("../../models", import.meta.url)).filter((name) =>
    name.endsWith(".json"),
  );
  expect(names.map((name) => name.slice(0, -5)).sort()).toEqual([...PACKAGE_MODELS].sort());
});

describe("a manifest", () => {
  it.each(["endless", "bomb"])("from a server that is %s is cut off", async (folder) => {
    sent = 0;
    const model = new URL(`${folder}/`, base);
    for (const load of [loadModel, loadTokenizer])
      expect((await refused(load({ model }))).code).toBe("FILE_TOO_LARGE");
    await allClosed();
    expect(sent).toBeLessThan(SENT_MAX);
  });
});

describe("a model's files", () => {
  it("are loaded from a server, by a manifest's URL or by a manifest and its folder", async () => {
    const { model } = await loadModel({ model: new URL("sound/tiny.json", base) });
    const again = await loadModel({ model: tinyManifest, modelUrl: new URL("sound", base).href });
    expect(again.model.embed("the cat")).toEqual(model.embed("the cat"));
  });

  it.each([
    ["endless", "BAD_MODEL", /expected 150088 bytes, got more/],
    ["bomb", "BAD_MODEL", /expected 150088 bytes, got more/],
    ["long", "BAD_MODEL", /expected 150088 bytes, got more/],
    ["open", "BAD_MODEL", /expected 150088 bytes, got more/],
    ["short", "BAD_MODEL", /expected 150088 bytes, got 150087/],
    ["other", "BAD_MODEL", /expected sha256 f85305d2/],
    ["broken", "FILE_MISSING", /a connection that ended/],
    ["absent", "FILE_MISSING", /status 404/],
  ])("that are %s are refused: %s", async (folder, code, message) => {
    sent = 0;
    const error = await refused(loadModel({ model: new URL(`${folder}/tiny.json`, base) }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    // Before anybody uses them, in both kinds of hosts.
    const file = tinyManifest.files.weights;
    for (const host of [node, browser]) {
      const reading = host.readPinned(new URL(`${folder}/${file.path}`, base), file);
      expect((await refused(reading)).code).toBe(code);
    }
    await allClosed();
    expect(sent).toBeLessThan(SENT_MAX);
  });

  it("are hashed as they arrive: nothing reads them again to check them", async () => {
    const file = tinyManifest.files.weights;
    const again = vi.spyOn(crypto.subtle, "digest");
    for (const host of [node, browser]) {
      const bytes = await host.readPinned(new URL(`sound/${file.path}`, base), file);
      expect(Buffer.compare(bytes, weights)).toBe(0);
    }
    expect(again).not.toHaveBeenCalled();
    again.mockRestore();
  });
});

describe("a server that takes too long", () => {
  // The other limit is far away, so that a busy machine cannot reach it first.
  const idle = { idleMs: 150, totalMs: 300_000 };
  it.each([
    ["silent", idle, /got none for 0.15 s/],
    ["stalled", idle, /got none for 0.15 s/],
    ["slow", { idleMs: 300_000, totalMs: 600 }, /got an incomplete file after 0.6 s/],
  ])("%s: the connection is closed", async (folder, times, message) => {
    const error = await refused(fetchBytes(new URL(`${folder}/`, base), 1 << 20, times));
    expect([error.code, error.message]).toEqual(["FILE_MISSING", expect.stringMatching(message)]);
    await allClosed();
  });
});
