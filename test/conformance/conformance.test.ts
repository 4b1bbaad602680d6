/** The runner of `selfsame/conformance`: what it says of sound devices, of wrong ones and of bad input. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { blake3 } from "@noble/hashes/blake3.js";
import { build as bundle } from "esbuild";
import type { ModelManifest } from "selfsame";
import { type Build, type ConformanceReport, runConformance, SUITE_NAMES } from "selfsame/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import { BUILDS } from "../engine/engines.ts";
import { readManifest, readModelFile } from "../reference/manifest.ts";

const root = join(import.meta.dirname, "../..");
const vectorFile = (file: string): string => readFileSync(join(root, "test-vectors", file), "utf8");
const wasm = (build: Build) => new Uint8Array(readFileSync(join(root, `build/engine.${build}.wasm`)));
const b3 = (text: string): string => Buffer.from(blake3(new TextEncoder().encode(text))).toString("hex");

/** Reads the vectors, one file of them changed. */
const withChange = (changed: string, change: (text: string) => string) => async (file: string) =>
  file === changed ? change(vectorFile(file)) : vectorFile(file);

const failing = ({ suites }: ConformanceReport) =>
  suites.filter(({ firstMismatch }) => firstMismatch !== null);

describe("the three builds", () => {
  const reports = new Map<Build, ConformanceReport>();
  beforeAll(async () => {
    for (const build of BUILDS) reports.set(build, await runConformance({ build, effort: "engine" }));
  });

  it.each(BUILDS)("%s passes every case", (build) => {
    const { isSame, suites, specVersion, canon, build: used } = reports.get(build)!;
    expect(suites.filter(({ passed, cases }) => passed !== cases || cases === 0)).toEqual([]);
    expect({ isSame, used, specVersion }).toEqual({ isSame: true, used: build, specVersion: "2" });
    expect(canon).toBe(JSON.parse(vectorFile("search.json")).parameters.canon);
  });

  it("compute the same: one digest a suite, and one of all", () => {
    const digests = BUILDS.map((build) =>
      reports.get(build)!.suites.map(({ suite, digest }) => [suite, digest]),
    );
    expect(digests[1]).toEqual(digests[0]);
    expect(digests[2]).toEqual(digests[0]);
    const [simd] = digests;
    expect(new Set(simd!.map(([, digest]) => digest)).size).toBe(simd!.length);
    const all = b3(simd!.map(([suite, digest]) => `${suite} ${digest}\n`).join(""));
    expect(BUILDS.map((build) => reports.get(build)!.digest)).toEqual([all, all, all]);
  });

  it("leave no file of test-vectors/ out, and say of each suite that is run in part that it is", () => {
    const { suites } = reports.get("simd")!;
    expect(new Set([...suites.map(({ file }) => file), "recall", "search"])).toEqual(new Set(SUITE_NAMES));
    expect(
      suites.filter(({ suite }) => suite.includes("first")).map(({ suite, cases }) => [suite, cases]),
    ).toEqual([
      ["forward, all-MiniLM-L6-v2, first 1", 1],
      ["embedding, all-MiniLM-L6-v2, first 3", 3],
    ]);
  });
});

describe("a suite's digest", () => {
  it("is BLAKE3 of what was got, one line of JSON a case", async () => {
    const { cases } = JSON.parse(vectorFile("digest.json")) as {
      cases: { length: number; digest: string }[];
    };
    const lines = cases.map(({ length, digest }) => `["length ${length}",["digest","${digest}"]]\n`);
    const { suites } = await runConformance({ only: ["digest"] });
    expect(suites.map(({ digest }) => digest)).toEqual([b3(lines.join(""))]);
  });

  it("does not follow what is expected", async () => {
    const right = await runConformance({ only: ["digest"] });
    const wrong = await runConformance({
      only: ["digest"],
      readVectors: withChange("digest.json", (text) => text.replace(/(?<="digest":\s*")[0-9a-f]/, "x")),
    });
    expect([right.isSame, wrong.isSame]).toEqual([true, false]);
    expect(wrong.digest).toBe(right.digest);
  });

  it("follows what a device computes: one wrong bit in a constant of exp, which no probe sees", async () => {
    const bytes = wasm("soft");
    const coefficient = Buffer.from([0x46, 0xaa, 0x2a, 0x3e]);
    const at = Buffer.from(bytes).indexOf(coefficient);
    expect(at).toBeGreaterThan(0);
    bytes[at]! ^= 1;
    const only = ["functions", "dot"];
    const right = await runConformance({ build: "soft", only });
    const wrong = await runConformance({ build: "soft", only, source: () => bytes });
    expect(failing(wrong).map(({ file }) => file)).toEqual(["functions"]);
    const { firstMismatch, cases, passed } = failing(wrong)[0]!;
    expect(firstMismatch!.case).toMatch(/^f32_exp\([0-9a-f]{8}\)$/);
    expect(firstMismatch!.expected).not.toBe(firstMismatch!.got);
    expect(passed).toBeLessThan(cases);
    expect(wrong.suites[0]!.digest).not.toBe(right.suites[0]!.digest);
    expect(wrong.suites[1]!.digest).toBe(right.suites[1]!.digest);
    expect(wrong.digest).not.toBe(right.digest);
  });
});

describe("suites", () => {
  it("search a library of the corpus from end to end", async () => {
    let embedded = 0;
    const { suites, isSame } = await runConformance({
      only: ["search"],
      onProgress: (done, total) => {
        expect([done >= embedded, done <= total]).toEqual([true, true]);
        embedded = done;
      },
    });
    expect(embedded).toBe(263);
    const { cases } = JSON.parse(vectorFile("search.json")) as { cases: unknown[] };
    expect(suites).toMatchObject([{ suite: "search", cases: cases.length + 1, passed: cases.length + 1 }]);
    expect(isSame).toBe(true);
  });

  it("that need a model that takes no part are left out, or run by the other's vocabulary", async () => {
    const only = ["tokenizer", "forward", "embedding", "search"];
    const { suites, canon } = await runConformance({ only, models: ["tiny"] });
    expect(suites.map(({ suite }) => suite)).toEqual(["tokenizer, tiny", "forward, tiny", "embedding, tiny"]);
    expect(canon).toBeNull();
  });

  it("are told of as they begin and end", async () => {
    const told: string[] = [];
    await runConformance({
      only: ["digest", "identity"],
      onStart: (file) => told.push(`${file}?`),
      onSuite: ({ suite, passed }) => told.push(`${suite} ${passed}`),
    });
    expect(told).toEqual(["digest?", "digest 35", "identity?", "identity 75"]);
  });

  it("stop at a signal", async () => {
    const stop = new AbortController();
    const run = runConformance({ signal: stop.signal, onSuite: () => stop.abort() });
    await expect(run).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("that break off are failures, and the next ones run", async () => {
    const readVectors = withChange("identity.json", () => '{ "cases": [{ "namespace": 1 }] }');
    const report = await runConformance({ only: ["identity", "root"], readVectors });
    expect(report.isSame).toBe(false);
    expect(report.suites.map(({ suite, passed, cases }) => [suite, passed === cases])).toEqual([
      ["identity", false],
      ["root", true],
    ]);
    expect(report.suites[0]!.firstMismatch).toMatchObject({ case: "the suite", expected: "no error" });
  });
});

describe("bad input", () => {
  it.each([
    [{ only: ["arithmetic"] }, /only to name arith, functions, .*, got "arithmetic"/],
    [{ models: ["gpt" as "tiny"] }, /models to name tiny/],
    [{ effort: "some" as "full" }, /effort to name full/],
    [{ only: ["search"], effort: "engine" as const }, /at least one suite to run/],
    [{ only: ["digest"], readVectors: async () => "<!doctype html>" }, /digest\.json to hold JSON/],
  ])("%o", async (options, message) => {
    await expect(runConformance(options)).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringMatching(message),
    });
  });

  it("vectors that are not there", async () => {
    const vectorsUrl = new URL("./nowhere", import.meta.url);
    await expect(runConformance({ only: ["digest"], vectorsUrl })).rejects.toMatchObject({
      code: "FILE_MISSING",
      message: expect.stringContaining("/nowhere/digest.json"),
    });
  });
});

describe("a browser's bundle", () => {
  it("has no built-in of Node, and runs where there is none", async () => {
    const { outputFiles, metafile } = await bundle({
      stdin: {
        contents: 'export { runConformance } from "./dist/conformance/index.js";',
        resolveDir: root,
      },
      bundle: true,
      platform: "browser",
      format: "iife",
      globalName: "selfsame",
      logOverride: { "empty-import-meta": "silent" },
      metafile: true,
      write: false,
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((name) => name.endsWith("engine/resources.browser.js"))).toBe(true);
    expect(inputs.filter((name) => /\.node\.js$/.test(name))).toEqual([]);
    expect(
      Object.values(metafile.inputs).flatMap(
        ({ imports }) => imports.filter((one) => one.external && one.path !== "<runtime>"), // esbuild's own
      ),
    ).toEqual([]);
    // What a worker has, and nothing else: no process, no Buffer, no require, no fetch of a file.
    const page = createContext({
      ...{ WebAssembly, TextEncoder, TextDecoder, URL, crypto, performance, setTimeout },
    });
    runInContext(outputFiles[0]!.text, page);
    const { runConformance: runInPage } = page["selfsame"] as { runConformance: typeof runConformance };
    const placeOf = (name: string) => {
      const manifest = readManifest(name);
      const [weights, tokenizer] = [readModelFile(manifest, "weights"), readModelFile(manifest, "tokenizer")];
      return { model: manifest as unknown as ModelManifest, files: { weights, tokenizer } };
    };
    const there = await runInPage({
      effort: "engine",
      source: (build) => wasm(build),
      placeOf,
      readVectors: async (file) => vectorFile(file),
    });
    const here = await runConformance({ effort: "engine" });
    expect(failing(there)).toEqual([]);
    expect(there.digest).toBe(here.digest);
    expect(there.canon).toBe(here.canon);
  });
});
