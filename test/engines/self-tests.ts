// Engines that can only call exports without arguments: each build's self tests, against the published digests.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { blake3 } from "@noble/hashes/blake3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { checkSelfTests } from "#dist/conformance/self-test.js";
import type { Build, Engine } from "#dist/engine/engine.js";
import arith from "../../test-vectors/arith.json" with { type: "json" };
import vectors from "../../test-vectors/self-test.json" with { type: "json" };
import { run } from "./command.ts";
import { CACHE, debianProgram, pythonPackage } from "./install.ts";
import type { RowResult, Run, Suite } from "./result.ts";

const BUILDS: readonly Build[] = ["simd", "soft", "scalar"];
const root = join(import.meta.dirname, "../..");
const scripts = join(import.meta.dirname, "self-tests");
const wasm = (build: Build) => join(root, `build/engine.${build}.wasm`);

type Words = ReadonlyMap<string, number>;

/** wabt's interpreter calls every export that takes no argument, in order; of what it prints, the self tests count. */
export async function wasmInterp(): Promise<RowResult> {
  const program = await debianProgram("wasm-interp", "wabt");
  const runs = await eachBuild(BUILDS, async (build) => {
    const printed = await run(program, [wasm(build), "--run-all-exports"]);
    return wordsOf(printed, /^(self_test\w*)\(\) => i32:(\d+)$/gm, 10);
  });
  return { version: (await run(program, ["--version"])).trim(), cpu: process.arch, runs };
}

/** C by wasm2c, without contraction. Its SIMD came after the version that Debian has. */
export async function wasm2c(): Promise<RowResult> {
  const program = await debianProgram("wasm2c", "wabt");
  const gcc = await debianProgram("gcc", "gcc libc6-dev");
  const folder = join(CACHE, "wasm2c");
  mkdirSync(folder, { recursive: true });
  const runs = await eachBuild(["scalar"], async (build) => {
    await run(program, [wasm(build), "-n", "engine", "-o", join(folder, "engine.c")]);
    const runtime = "/usr/share/wabt/wasm2c";
    const sources = [join(scripts, "wasm2c.c"), join(folder, "engine.c"), join(runtime, "wasm-rt-impl.c")];
    const options = ["-O1", "-ffp-contract=off", `-I${folder}`, `-I${runtime}`];
    await run(gcc, [...options, ...sources, "-lm", "-o", join(folder, "engine")]);
    return namedWords(await run(join(folder, "engine"), []));
  });
  const refused = "this version translates no SIMD";
  const [version, compiler] = [await run(program, ["--version"]), await run(gcc, ["-dumpfullversion"])];
  return {
    version: `${version.trim()}, gcc ${compiler.trim()}`,
    cpu: process.arch,
    runs: [...runs, ...(["simd", "soft"] as const).map((build) => refusedRun(build, refused))],
  };
}

/** WebKit's engine by itself, as Debian builds it for GTK. */
export async function jsc(): Promise<RowResult> {
  const packageName = "libjavascriptcoregtk-4.0-bin";
  const program = await debianProgram("jsc", packageName);
  const runs = await eachBuild(BUILDS, async (build) =>
    namedWords(await run(program, [join(scripts, "jsc.js"), "--", wasm(build)])),
  );
  const version = (await run("dpkg-query", ["-W", packageName])).trim().split("\t")[1]!;
  return { version, cpu: process.arch, runs };
}

/** Cranelift's code. */
export async function wasmtime(): Promise<RowResult> {
  const python = await debianProgram("python3", "python3-pip");
  const folder = await pythonPackage("requirements.txt");
  const runs = await eachBuild(BUILDS, async (build) => {
    const script = [join(scripts, "by_wasmtime.py"), wasm(build)];
    return namedWords(await run("env", [`PYTHONPATH=${folder}`, python, ...script]));
  });
  const version = await run("env", [
    `PYTHONPATH=${folder}`,
    python,
    "-c",
    "from importlib.metadata import version; print(version('wasmtime'))",
  ]);
  return { version: version.trim(), cpu: process.arch, runs };
}

async function eachBuild(builds: readonly Build[], words: (build: Build) => Promise<Words>): Promise<Run[]> {
  const runs: Run[] = [];
  for (const build of builds) {
    const started = performance.now();
    const suites = suitesOf(await words(build));
    runs.push({
      build,
      effort: "engine",
      refused: null,
      suites,
      digest: suites[1]!.digest,
      millis: performance.now() - started,
    });
  }
  return runs;
}

function refusedRun(build: Build, refused: string): Run {
  return { build, effort: "engine", refused, suites: [], digest: null, millis: 0 };
}

/** The suite `self-test` as the conformance run has it, transcript and all, so that its digest is the same; and §2.14. */
function suitesOf(words: Words): Suite[] {
  const exports = Object.fromEntries([...words].map(([name, word]) => [name, () => word]));
  const { transcript, firstMismatch, ...counts } = checkSelfTests({ exports } as unknown as Engine, vectors);
  const first = hex(words.get("self_test")!);
  const isRight = first === arith.parameters.self_test;
  return [
    {
      suite: "arithmetic alone",
      cases: 1,
      passed: isRight ? 1 : 0,
      digest: first,
      mismatch: isRight ? null : `expected ${arith.parameters.self_test}, got ${first}`,
    },
    {
      ...counts,
      digest: bytesToHex(blake3(new TextEncoder().encode(transcript))),
      mismatch: firstMismatch === null ? null : JSON.stringify(firstMismatch),
    },
  ];
}

function namedWords(printed: string): Words {
  return wordsOf(printed, /^(self_test\w*) ([0-9a-f]{8})$/gm, 16);
}

function wordsOf(printed: string, pattern: RegExp, radix: number): Words {
  const words = new Map(
    [...printed.matchAll(pattern)].map(([, name, word]) => [name!, Number.parseInt(word!, radix)]),
  );
  if (words.size !== 1 + vectors.cases.length) {
    throw new Error(
      `expected ${1 + vectors.cases.length} self tests, got ${words.size}: ${printed.slice(0, 500)}`,
    );
  }
  return words;
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");
