import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Build } from "#dist/engine/engine.js";
import { BUILDS, describeAttempt, loadEngine } from "#dist/engine/load.js";
import type { EngineFile } from "#dist/engine/module.js";
import browser from "#dist/engine/resources.browser.js";
import { dottingUnsigned, flushingResults } from "./faulty-device.ts";

const urlOf = (build: Build) => new URL(`../../build/engine.${build}.wasm`, import.meta.url);
const wasm = (build: Build) => new Uint8Array(readFileSync(urlOf(build)));

describe("loading", () => {
  it("takes simd of the package by itself, and says so", async () => {
    const { engine, report } = await loadEngine();
    expect(engine.build).toBe("simd");
    expect(report).toEqual({
      asked: "auto",
      build: "simd",
      attempts: [{ build: "simd", verdict: "accepted" }],
    });
  });

  it.each(BUILDS)("takes the build %s when asked", async (build) => {
    const { engine, report } = await loadEngine({ build });
    expect(engine.build).toBe(build);
    expect(report).toMatchObject({ asked: build, build });
  });

  it("takes bytes, a buffer, a file's address and a module", async () => {
    const bytes = wasm("scalar");
    const files: EngineFile[] = [bytes, bytes.buffer, urlOf("scalar"), new WebAssembly.Module(bytes)];
    for (const file of files) {
      const { engine } = await loadEngine({ build: "scalar", source: () => file });
      expect(engine.exports.f32_add(0x3f800000, 0x3f800000)).toBe(0x40000000);
    }
  });

  it("reads and compiles a build once, and gives each engine its own memory", async () => {
    let reads = 0;
    const source = (build: Build) => {
      reads++;
      return wasm(build);
    };
    const [one, two] = await Promise.all([
      loadEngine({ build: "soft", source }),
      loadEngine({ build: "soft", source }),
    ]);
    expect(reads).toBe(1);
    expect(one.engine.exports.memory).not.toBe(two.engine.exports.memory);
  });

  it("refuses a name that is no build", async () => {
    await expect(loadEngine({ build: "turbo" as Build })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

describe("over HTTP", () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/engine.soft.wasm") response.end(wasm("soft"));
      else response.writeHead(404).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it("loads from an address, with Node's resources and with the browser's", async () => {
    const url = new URL("/engine.soft.wasm", base);
    const { engine } = await loadEngine({ build: "soft", source: () => url });
    expect(engine.build).toBe("soft");
    expect(await browser.readUrl(url)).toEqual(wasm("soft"));
  });

  it("reports a file that is missing and does not fall to another build, but tries again when asked again", async () => {
    let path = "/nowhere.wasm";
    const source = () => new URL(path, base);
    await expect(loadEngine({ source })).rejects.toMatchObject({
      code: "FILE_MISSING",
      message: expect.stringContaining("status 404"),
    });
    path = "/engine.soft.wasm";
    await expect(loadEngine({ source })).resolves.toBeDefined();
  });

  it("reports a file that Node cannot read, and a server that does not answer", async () => {
    const nowhere = new URL("./nowhere.wasm", import.meta.url);
    await expect(loadEngine({ source: () => nowhere })).rejects.toMatchObject({ code: "FILE_MISSING" });
    const dead = new URL("http://127.0.0.1:9/");
    await expect(loadEngine({ source: () => dead })).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});

it("the browser's resources name the same files as Node's", () => {
  for (const build of BUILDS) {
    // Both are in dist/engine/; a bundler rewrites the browser's.
    expect(fileURLToPath(browser.engineUrl(build))).toBe(fileURLToPath(urlOf(build)));
  }
});

describe("falling to the next build", () => {
  it("goes to soft where f32x4 flushes subnormals", async () => {
    const flushing = flushingResults(wasm("simd"), "f32x4");
    const source = (build: Build) => (build === "simd" ? flushing : wasm(build));
    const { engine, report } = await loadEngine({ source });
    expect(engine.build).toBe("soft");
    expect(report.attempts.map(describeAttempt)).toEqual([
      'simd: wrong answer to "sum of subnormals" (lane 0), expected 00000002, got 00000000',
      "soft: accepted",
    ]);
  });

  it("goes to scalar where integer SIMD is wrong as well", async () => {
    const source = (build: Build) => (build === "scalar" ? wasm(build) : dottingUnsigned(wasm(build)));
    const { engine, report } = await loadEngine({ source });
    expect(engine.build).toBe("scalar");
    expect(report.attempts.map(({ verdict }) => verdict)).toEqual([
      "wrong answer",
      "wrong answer",
      "accepted",
    ]);
  });

  it("refuses a named build that answers wrong, with the way out", async () => {
    const flushing = flushingResults(wasm("simd"), "f32");
    await expect(loadEngine({ build: "simd", source: () => flushing })).rejects.toMatchObject({
      code: "ENGINE_REFUSED",
      message: expect.stringMatching(/wrong answer to "sum of subnormals" \(plain\)/),
      hint: expect.stringContaining("auto"),
    });
  });

  it("gives up, with every reason, when no build is fit", async () => {
    const source = () => new Uint8Array([1, 2, 3]);
    await expect(loadEngine({ source })).rejects.toMatchObject({
      code: "ENGINE_REFUSED",
      message: expect.stringMatching(
        /simd: cannot run here .*; soft: cannot run here .*; scalar: cannot run here/,
      ),
    });
  });

  // V8 offers wasm SIMD on x64 only with SSE 4.1: without it this is a real device that has none.
  it.runIf(process.arch === "x64")("goes to scalar on a device without SIMD", () => {
    const load = new URL("../../dist/engine/load.js", import.meta.url).href;
    const script = `import { loadEngine } from ${JSON.stringify(load)};
      console.log(JSON.stringify((await loadEngine()).report));`;
    const flags = ["--no-enable-sse4-1", "--no-enable-ssse3", "--no-enable-avx", "--input-type=module", "-e"];
    const report = JSON.parse(execFileSync(process.execPath, [...flags, script], { encoding: "utf8" }));
    expect(report.build).toBe("scalar");
    expect(report.attempts[0]).toMatchObject({
      verdict: "cannot run",
      reason: expect.stringContaining("SIMD"),
    });
  });
});
