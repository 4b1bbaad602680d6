import { join } from "node:path";
import type { Build } from "#dist/engine/engine.js";
import type { BrowserName } from "../browsers/harness.ts";
import { browserRow } from "./browser.ts";
import { run } from "./command.ts";
import { debianProgram, foreignLibraries, npmEngines } from "./install.ts";
import type { Row, RowResult } from "./result.ts";
import { jsc, wasm2c, wasmInterp, wasmtime } from "./self-tests.ts";

export interface Engine {
  readonly name: string;
  readonly kind: Row["kind"];
  /** Rows of the common matrix run in CI, where each must be there. */
  readonly isCommon: boolean;
  /** Builds that the probe must refuse here, where others must not be refused. */
  readonly refuses: readonly Build[];
  /** Suites that are known not to run here, with a word why. */
  readonly without: Readonly<Record<string, string>>;
  /** Makes sure of the engine and asks it; rejects with a NotThere if it cannot be had. */
  ask(log: (line: string) => void): Promise<RowResult>;
}

const SCRIPT = join(import.meta.dirname, "row.cli.mjs");

type Log = (line: string) => void;

const NO_EXCEPTIONS: Pick<Engine, "refuses" | "without"> = { refuses: [], without: {} };

/** One that runs scripts with Node's built-ins, from a pinned npm package. */
export interface Runtime {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
}

export const RUNTIMES: readonly Runtime[] = [
  { name: "Node 20 (V8)", binary: "node-20/bin/node", args: [] },
  { name: "Node 22 (V8)", binary: "node-22/bin/node", args: [] },
  { name: "Node 24 (V8)", binary: "node-24/bin/node", args: [] },
  { name: "Deno (V8)", binary: "@deno/linux-x64-glibc/deno", args: ["run", "--allow-all"] },
  { name: "Bun (JavaScriptCore)", binary: "@oven/bun-linux-x64-baseline/bin/bun", args: [] },
];

function runtime({ name, binary, args }: Runtime): Engine {
  const ask = async (log: Log) => {
    const program = join(await npmEngines("common"), binary);
    return answerOf(await run(program, [...args, SCRIPT, "full"], { onLine: log }));
  };
  return { name, kind: "package", isCommon: true, ...NO_EXCEPTIONS, ask };
}

interface Cpu {
  /** For people. */
  readonly name: string;
  /** As npm, qemu and Debian call it. */
  readonly npm: string;
  readonly qemu: string;
  readonly debian: string;
}

/** Node for another CPU, by qemu's user mode. */
function foreign(name: string, cpu: Cpu, exceptions: Partial<typeof NO_EXCEPTIONS> = {}): Engine {
  const ask = async (log: Log) => {
    const emulator = await debianProgram(`qemu-${cpu.qemu}-static`, "qemu-user-static");
    const node = join(await npmEngines("foreign"), `node-linux-${cpu.npm}/bin/node`);
    const libraries = await foreignLibraries(cpu.debian);
    const printed = await run(emulator, ["-L", libraries, node, SCRIPT, "engine"], {
      onLine: log,
      minutes: 60,
    });
    return { ...answerOf(printed), cpu: `${cpu.name} (qemu)` };
  };
  return { name, kind: "package", isCommon: false, ...NO_EXCEPTIONS, ...exceptions, ask };
}

function browser(name: string, which: BrowserName): Engine {
  const ask = (log: Log) => browserRow(which, log);
  return { name, kind: "package", isCommon: true, ...NO_EXCEPTIONS, ask };
}

function caller(
  name: string,
  ask: () => Promise<RowResult>,
  exceptions: Partial<Pick<Engine, "isCommon" | "refuses">> = {},
): Engine {
  return { name, kind: "self tests", isCommon: false, ...NO_EXCEPTIONS, ...exceptions, ask };
}

function answerOf(printed: string): RowResult {
  return JSON.parse(printed) as RowResult;
}

/** In the order of docs/engines.md. */
export const ENGINES: readonly Engine[] = [
  ...RUNTIMES.map(runtime),
  browser("Chromium (V8)", "chromium"),
  browser("Firefox (SpiderMonkey)", "firefox"),
  foreign("Node 24 on arm64", { name: "arm64", npm: "arm64", qemu: "aarch64", debian: "arm64" }),
  foreign(
    "Node 20 on s390x",
    { name: "s390x, big-endian", npm: "s390x", qemu: "s390x", debian: "s390x" },
    { without: { "library, tiny": "the JavaScript around SQLite's wasm is for little-endian devices" } },
  ),
  // Its f32x4 flushes subnormal numbers to zero.
  foreign(
    "Node 20 on 32-bit ARM",
    { name: "armv7l", npm: "armv7l", qemu: "arm", debian: "armhf" },
    { refuses: ["simd"] },
  ),
  // V8 has no SIMD there.
  foreign(
    "Node 20 on ppc64le",
    { name: "ppc64le", npm: "ppc64le", qemu: "ppc64le", debian: "ppc64el" },
    { refuses: ["simd", "soft"] },
  ),
  caller("wabt's wasm-interp", wasmInterp, { isCommon: true }),
  caller("wabt's wasm2c and gcc", wasm2c, { refuses: ["simd", "soft"] }),
  caller("Wasmtime (Cranelift)", wasmtime),
  caller("JavaScriptCore's jsc", jsc),
];
