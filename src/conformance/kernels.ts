import type { Engine } from "../engine/engine.ts";
import { LEVELS_TOO_FEW, NON_FINITE } from "../engine/exports.generated.ts";
import { expandHex, parseHex, printHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

interface QuantiseCase {
  readonly kernel: "quantise";
  readonly name: string;
  readonly levels: number;
  readonly x: string;
  readonly q: string;
  readonly scale: string;
}

interface WeightsCase {
  readonly kernel: "weights";
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly w: string;
  readonly q: string;
  readonly scales: string;
  readonly levels: number;
}

interface MatmulCase {
  readonly kernel: "matmul";
  readonly name: string;
  readonly rows: number;
  readonly K: number;
  readonly N: number;
  readonly a: string;
  readonly w: string;
  readonly acc: string;
}

interface LayerNormCase {
  readonly kernel: "layernorm";
  readonly name: string;
  readonly eps: string;
  readonly x: string;
  readonly gamma: string;
  readonly beta: string;
  readonly out: string;
}

interface SoftmaxCase {
  readonly kernel: "softmax";
  readonly name: string;
  readonly scores: string;
  readonly p: string;
  readonly sum: number;
}

interface GeluCase {
  readonly kernel: "gelu";
  readonly name: string;
  readonly x: string;
  readonly out: string;
}

type Valid = QuantiseCase | WeightsCase | MatmulCase | LayerNormCase | SoftmaxCase | GeluCase;
type Refused = (Omit<QuantiseCase, "q" | "scale"> | Omit<WeightsCase, "q" | "scales" | "levels">) & {
  readonly error: string;
};

/** test-vectors/kernels.json */
export interface KernelVectors {
  readonly cases: readonly Valid[];
  readonly invalid: readonly Refused[];
}

type Part = readonly [what: string, expected: string, got: string];

/** SPEC §7 */
export function checkKernels(engine: Engine, vectors: KernelVectors): Outcome {
  const tally = new Tally("kernels");
  for (const each of vectors.cases) {
    tally.record(
      `${each.kernel}: ${each.name}`,
      engine.scope(() => run(engine, each)),
    );
  }
  for (const each of vectors.invalid) {
    const code = engine.scope(() => refuse(engine, each));
    tally.record(`${each.kernel}: ${each.name}`, [["error", each.error, ERRORS.get(code) ?? `${code}`]]);
  }
  return tally.outcome();
}

/** The negative return values of kernel_quantise_row and kernel_weight_levels. */
const ERRORS = new Map([
  [NON_FINITE, "NON_FINITE"],
  [LEVELS_TOO_FEW, "LEVELS_TOO_FEW"],
]);

function run(engine: Engine, each: Valid): Part[] {
  switch (each.kernel) {
    case "quantise":
      return quantise(engine, each);
    case "weights":
      return weights(engine, each);
    case "matmul":
      return matmul(engine, each);
    case "layernorm":
      return layerNorm(engine, each);
    case "softmax":
      return softmax(engine, each);
    case "gelu":
      return gelu(engine, each);
  }
}

/** SPEC §7.1 */
function quantise(engine: Engine, { levels, x, q, scale }: QuantiseCase): Part[] {
  const [input, n] = put32(engine, x);
  const out = engine.alloc(2 * n);
  const outScale = engine.alloc(4);
  const code = engine.exports.kernel_quantise_row(out, outScale, input, n, levels);
  return [
    ["result", "0", `${code}`],
    ["q", expandHex(q), get16(engine, out, n)],
    ["scale", scale, get32(engine, outScale, 1)],
  ];
}

/** SPEC §7.2 */
function weights(engine: Engine, { rows, columns, w, q, scales, levels }: WeightsCase): Part[] {
  const [input] = put32(engine, w);
  const out = engine.alloc(2 * rows * columns);
  const outScales = engine.alloc(4 * rows);
  const got = engine.exports.kernel_weight_levels(out, outScales, input, rows, columns);
  return [
    ["levels", `${levels}`, `${got}`],
    ["q", expandHex(q), get16(engine, out, rows * columns)],
    ["scales", expandHex(scales), get32(engine, outScales, rows)],
  ];
}

/** SPEC §7.3 */
function matmul(engine: Engine, { rows, K, N, a, w, acc }: MatmulCase): Part[] {
  const out = engine.alloc(4 * rows * N);
  engine.exports.kernel_matmul(out, put16(engine, a), put16(engine, w), rows, K, N);
  return [["acc", expandHex(acc), get32(engine, out, rows * N)]];
}

/** SPEC §7.5 */
function layerNorm(engine: Engine, { eps, x, gamma, beta, out }: LayerNormCase): Part[] {
  const [input, n] = put32(engine, x);
  const [gammaAt] = put32(engine, gamma);
  const [betaAt] = put32(engine, beta);
  const outAt = engine.alloc(4 * n);
  engine.exports.kernel_layernorm(outAt, input, gammaAt, betaAt, n, Number.parseInt(eps, 16));
  return [["out", expandHex(out), get32(engine, outAt, n)]];
}

/** SPEC §7.6 */
function softmax(engine: Engine, { scores, p, sum }: SoftmaxCase): Part[] {
  const [input, n] = put32(engine, scores);
  const out = engine.alloc(2 * n);
  const got = engine.exports.kernel_softmax(out, input, n);
  return [
    ["p", expandHex(p), get16(engine, out, n)],
    ["sum", `${sum}`, `${got}`],
  ];
}

/** SPEC §7.7 */
function gelu(engine: Engine, { x, out }: GeluCase): Part[] {
  const [input, n] = put32(engine, x);
  const outAt = engine.alloc(4 * n);
  engine.exports.kernel_gelu(outAt, input, n);
  return [["out", expandHex(out), get32(engine, outAt, n)]];
}

function refuse(engine: Engine, each: Refused): number {
  if (each.kernel === "quantise") {
    const [input, n] = put32(engine, each.x);
    return engine.exports.kernel_quantise_row(engine.alloc(2 * n), engine.alloc(4), input, n, each.levels);
  }
  const [input, size] = put32(engine, each.w);
  const [out, outScales] = [engine.alloc(2 * size), engine.alloc(4 * each.rows)];
  return engine.exports.kernel_weight_levels(out, outScales, input, each.rows, each.columns);
}

/** Writes 4-byte elements. Returns [pointer, count]. */
function put32(engine: Engine, text: string): [pointer: number, count: number] {
  const words = parseHex(text, 8);
  const pointer = engine.alloc(4 * words.length);
  const bytes = engine.bytes(pointer, 4 * words.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true);
  return [pointer, words.length];
}

/** Writes 2-byte elements. */
function put16(engine: Engine, text: string): number {
  const words = parseHex(text, 4);
  const pointer = engine.alloc(2 * words.length);
  const bytes = engine.bytes(pointer, 2 * words.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const [i, word] of words.entries()) view.setUint16(2 * i, word, true);
  return pointer;
}

function get32(engine: Engine, pointer: number, count: number): string {
  const view = new DataView(engine.read(pointer, 4 * count).buffer);
  return printHex(
    Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true)),
    8,
  );
}

function get16(engine: Engine, pointer: number, count: number): string {
  const view = new DataView(engine.read(pointer, 2 * count).buffer);
  return printHex(
    Array.from({ length: count }, (_, i) => view.getUint16(2 * i, true)),
    4,
  );
}
