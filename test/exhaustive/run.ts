/**
 * Every bit pattern of every operation with one operand, on the three builds, against the reference; of exp and erf
 * the error against binary64 as well. SPEC §2, §3
 *
 *     npm run test:exhaustive                     all of it, some hours on one core
 *     npm run test:exhaustive -- --shard 2/8      the second of eight parts, for as many processes or machines
 *     npm run test:exhaustive -- --only f32_exp   one operation
 *
 * A part that is done is written down in .cache/, with the digest of the builds, and is not done again.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Engine } from "#dist/engine/engine.js";
import { BUILDS, loadBuild } from "../engine/engines.ts";
import { floatOf } from "../reference/arith.ts";
import { OPERATIONS } from "../reference/operation.ts";
import { trueErf, trueExp, ulps } from "../reference/truth.ts";

/** A piece is all words with one upper byte; it is worked on block by block. */
const PIECES = 256;
const BLOCK = 2 ** 20;
const BLOCKS_PER_PIECE = 16;

const TRUTHS: Readonly<Record<string, (x: number) => number>> = { f32_exp: trueExp, f32_erf: trueErf };

interface Worst {
  ulps: number;
  at: string;
}

interface State {
  engines: string;
  done: Record<string, number[]>;
  worst: Record<string, Worst>;
}

const { values: options } = parseArgs({
  options: { shard: { type: "string", default: "1/1" }, only: { type: "string" } },
});
const [shard, shards] = /^(\d+)\/(\d+)$/.exec(options.shard)?.slice(1).map(Number) ?? [];
if (shard === undefined || shards === undefined || shard < 1 || shard > shards) {
  process.stderr.write(`expected --shard I/N with 1 ≤ I ≤ N, got ${options.shard}\n`);
  process.exit(2);
}
const unary = OPERATIONS.map((operation, number) => ({ ...operation, number })).filter(
  ({ name, operands }) => operands === 1 && (options.only === undefined || options.only === name),
);
if (unary.length === 0) {
  process.stderr.write(`expected --only to name an operation of one operand, got ${options.only}\n`);
  process.exit(2);
}

const root = join(import.meta.dirname, "../..");
const stateFile = join(root, ".cache", `exhaustive-${shard}-of-${shards}.json`);
const state = readState();
const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");

function readState(): State {
  const digest = createHash("sha256");
  for (const build of BUILDS) digest.update(readFileSync(join(root, `build/engine.${build}.wasm`)));
  const engines = digest.digest("hex");
  try {
    const saved = JSON.parse(readFileSync(stateFile, "utf8")) as State;
    if (saved.engines === engines) return saved;
    process.stdout.write("the builds have changed: starting again\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { engines, done: {}, worst: {} };
}

/** Written beside and renamed, so that an interruption leaves the old state or the new one. */
function writeState(): void {
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(`${stateFile}.new`, `${JSON.stringify(state)}\n`);
  renameSync(`${stateFile}.new`, stateFile);
}

interface Bench {
  readonly engine: Engine;
  readonly input: number;
  readonly output: number;
}

const benches: Bench[] = BUILDS.map((build) => {
  const engine = loadBuild(build);
  return { engine, input: engine.alloc(BLOCK * 4), output: engine.alloc(BLOCK * 4) };
});
const expected = new Uint32Array(BLOCK);

function fail(what: string, bits: number, want: number, got: number): never {
  process.stderr.write(`expected ${what}(${hex(bits)}) to be ${hex(want)}, got ${hex(got)}\n`);
  process.exit(1);
}

function checkBlock(operation: (typeof unary)[number], first: number): void {
  const { name, number, apply } = operation;
  for (let i = 0; i < BLOCK; i++) expected[i] = apply(first + i, 0);
  for (const { engine, input, output } of benches) {
    const words = new Uint32Array(engine.exports.memory.buffer);
    for (let i = 0; i < BLOCK; i++) words[input / 4 + i] = first + i;
    engine.exports.f32_many(number, output, input, input, BLOCK);
    const at = output / 4;
    for (let i = 0; i < BLOCK; i++) {
      if (words[at + i] !== expected[i])
        fail(`${engine.build} ${name}`, first + i, expected[i]!, words[at + i]!);
    }
    // Without lanes, f32_many has just called the very same function.
    if (engine.build !== "simd") continue;
    const alone: (a: number, b: number) => number = engine.exports[name];
    for (let i = 0; i < BLOCK; i++) {
      const got = alone(first + i, 0) >>> 0;
      if (got !== expected[i]) fail(`${engine.build} ${name}, alone`, first + i, expected[i]!, got);
    }
  }
}

function measureBlock(name: string, truth: (x: number) => number, first: number): void {
  state.worst[name] ??= { ulps: 0, at: "" };
  const worst = state.worst[name];
  for (let i = 0; i < BLOCK; i++) {
    const x = floatOf(first + i);
    if (Number.isNaN(x)) continue;
    const error = ulps(floatOf(expected[i]!), truth(x));
    if (error > worst.ulps) Object.assign(worst, { ulps: error, at: hex(first + i) });
  }
}

for (const operation of unary) {
  state.done[operation.name] ??= [];
  const done = state.done[operation.name]!;
  const truth = TRUTHS[operation.name];
  for (let piece = shard - 1; piece < PIECES; piece += shards) {
    if (done.includes(piece)) continue;
    const start = performance.now();
    for (let block = 0; block < BLOCKS_PER_PIECE; block++) {
      const first = (piece * BLOCKS_PER_PIECE + block) * BLOCK;
      checkBlock(operation, first);
      if (truth !== undefined) measureBlock(operation.name, truth, first);
    }
    done.push(piece);
    writeState();
    const worst = state.worst[operation.name];
    const error = worst === undefined ? "" : `, at most ${worst.ulps.toFixed(4)} ULP (at ${worst.at})`;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    process.stdout.write(`${operation.name} ${hex(piece).slice(6)}…: right, ${seconds} s${error}\n`);
  }
}
process.stdout.write(
  `every bit pattern of ${unary.map(({ name }) => name).join(", ")} (shard ${shard}/${shards}): right\n`,
);
for (const [name, { ulps: error, at }] of Object.entries(state.worst)) {
  process.stdout.write(`${name}: at most ${error.toFixed(4)} ULP, at ${at}\n`);
}
