// What happens if the engine's memory cannot grow: every call that needs room returns NO_MEMORY, which the host throws as
// OUT_OF_MEMORY, and nothing is written through a pointer that an allocation did not return.
import { describe, expect, it } from "vitest";
import type { Engine } from "#dist/engine/engine.js";
import { IDS_REFUSED, NO_MEMORY } from "#dist/engine/exports.generated.js";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { loadBert } from "#dist/model/bert.js";
import { canonicalText } from "#dist/text/canonical.js";
import { Tokenizer } from "#dist/text/tokenizer.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import { splitmix32 } from "../reference/prng.ts";
import { limitedEngine, pagesOf } from "./limited-engine.ts";
import { loadEngine } from "./load-engine.ts";

const SHAPES = import.meta.env.MODE === "long" ? 4000 : 400;
const EPS = 0x2b8cbccc; // 1e-12

interface Shape {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly intermediate: number;
  readonly vocabulary: number;
  readonly positions: number;
  readonly limit: number;
}

/** Wide and short: the last buffers of a model are then of very different sizes, and a small one fits where a large one does not. */
function randomShape(next: () => number): Shape {
  const heads = 1 + (next() % 2);
  const limit = 2 + (next() % 16);
  return {
    hidden: heads * 8 * (1 + (next() % 32)),
    layers: 1 + (next() % 2),
    heads,
    intermediate: 8 * (1 + (next() % 16)),
    vocabulary: 1 + (next() % 100),
    positions: limit + (next() % 64),
    limit,
  };
}

function createModel(engine: Engine, shape: Shape): number {
  const { hidden, layers, heads, intermediate, vocabulary, positions, limit } = shape;
  return engine.exports.model_create(
    hidden,
    layers,
    heads,
    intermediate,
    vocabulary,
    positions,
    limit,
    EPS,
    0,
    1,
  );
}

/** Weights of this shape, all 0. */
function tensorsOf({ hidden, layers, intermediate, vocabulary, positions }: Shape) {
  const tensors = new Map<string, { dtype: string; shape: number[]; bytes: Uint8Array }>();
  const put = (name: string, ...shape: number[]) =>
    tensors.set(name, {
      dtype: "F32",
      shape,
      bytes: new Uint8Array(4 * shape.reduce((product, size) => product * size, 1)),
    });
  const linear = (name: string, n: number, k: number) => {
    put(`${name}.weight`, n, k);
    put(`${name}.bias`, n);
  };
  const norm = (name: string) => {
    put(`${name}.weight`, hidden);
    put(`${name}.bias`, hidden);
  };
  put("embeddings.word_embeddings.weight", vocabulary, hidden);
  put("embeddings.position_embeddings.weight", positions, hidden);
  put("embeddings.token_type_embeddings.weight", 2, hidden);
  norm("embeddings.LayerNorm");
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`;
    for (const part of ["query", "key", "value"]) linear(`${layer}.attention.self.${part}`, hidden, hidden);
    linear(`${layer}.attention.output.dense`, hidden, hidden);
    norm(`${layer}.attention.output.LayerNorm`);
    linear(`${layer}.intermediate.dense`, intermediate, hidden);
    linear(`${layer}.output.dense`, hidden, intermediate);
    norm(`${layer}.output.LayerNorm`);
  }
  return tensors;
}

function expectLowMemoryUntouched(engine: Engine): void {
  expect(engine.bytes(0, 16)).toEqual(new Uint8Array(16));
}

/** The code of the error that `work` throws, or what it returns. */
function outcomeOf(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
}

describe("a model", () => {
  it(`of any of ${SHAPES} shapes is refused where memory is one page short`, () => {
    const next = splitmix32(12);
    const atStart = pagesOf(loadEngine("simd"));
    let short = 0;
    for (let i = 0; i < SHAPES; i++) {
      const shape = randomShape(next);
      const roomy = loadEngine("simd");
      expect(createModel(roomy, shape)).toBe(0);
      const pages = pagesOf(roomy);
      if (pages === atStart) continue;
      short++;

      const engine = limitedEngine("simd", pages - 1);
      const mark = engine.exports.memory_mark();
      expect(createModel(engine, shape), JSON.stringify(shape)).toBe(NO_MEMORY);
      expect(engine.exports.memory_mark()).toBe(mark);
      const out = engine.exports.alloc(16);
      expect(engine.exports.embed(out, out, 1)).toBe(IDS_REFUSED);
      expectLowMemoryUntouched(engine);

      const manifest = { ...shape, types: 2, layerNormEps: 1e-12 } as Parameters<typeof loadBert>[1];
      const host = limitedEngine("simd", pages - 1);
      expect(outcomeOf(() => String(loadBert(host, manifest, tensorsOf(shape), "weights")))).toBe(
        "OUT_OF_MEMORY",
      );
      expectLowMemoryUntouched(host);
    }
    expect(short).toBeGreaterThan(0.9 * SHAPES);
  });

  it("whose table is larger than any memory is refused", () => {
    const shape = { hidden: 4096, layers: 1, heads: 8, intermediate: 8, positions: 2, limit: 2 };
    // 2^20 rows of 2^14 bytes: the product is 0 in 32 bits.
    expect(createModel(loadEngine("simd"), { ...shape, vocabulary: 1 << 20 })).toBe(NO_MEMORY);
  });
});

const bytesOf = (length: number, seed: number) => {
  const next = splitmix32(seed);
  return Uint8Array.from({ length }, () => next() & 0x3f);
};

/** Work that takes several buffers, and a result that does not depend on where they are. */
const WORKS: readonly [name: string, work: (engine: Engine) => string][] = [
  ["canonical text", (engine) => canonicalText(engine, "e\u0301\u0323\u0345".repeat(20_000))],
  ["normal form of one long run of marks", (engine) => canonicalText(engine, "\u0301\u0323".repeat(40_000))],
  ["a vocabulary", vocabularyWork],
  ["an index with a graph", (engine) => indexWork(engine, true)],
  ["an index without a graph", (engine) => indexWork(engine, false)],
  ["diversification", diversityWork],
  ["fusion", fusionWork],
  ["weights of a linear layer", weightsWork],
  ["a product of matrices", productWork],
  ["the self test of the kernels", ({ exports }) => codeOf(exports.self_test_kernels())],
  ["the self test of the model", ({ exports }) => codeOf(exports.self_test_forward())],
  ["the self test of the graph", ({ exports }) => codeOf(exports.self_test_graph())],
];

function codeOf(code: number): string {
  if (code === NO_MEMORY) throw new SelfsameError("OUT_OF_MEMORY", "expected room, got none");
  return `${code}`;
}

function vocabularyWork(engine: Engine): string {
  const tokens = ["[UNK]", "[CLS]", "[SEP]", ...Array.from({ length: 20_000 }, (_, i) => `t${i}`)];
  const records = tokens.flatMap((token) => [token.length, 0, ...new TextEncoder().encode(token)]);
  const tokenizer = new Tokenizer(engine, {
    tokens,
    records: Uint8Array.from(records),
    unk: 0,
    cls: 1,
    sep: 2,
  });
  return [...tokenizer.tokenize("t7 t19999 none", 100).ids].join();
}

function indexWork(engine: Engine, graph: boolean): string {
  const index = VectorIndex.create(engine, { dim: 64, graph });
  const vector = (i: number) => Int16Array.from(bytesOf(64, i));
  const id = (i: number) => bytesOf(16, 1_000_000 + i);
  for (let i = 0; i < (graph ? 200 : 1200); i++) index.add(id(i), vector(i));
  const hits = [...(graph ? index.search(vector(5), { k: 5 }) : []), ...index.exact(vector(6), { k: 5 })];
  return hits.map(({ dot }) => dot).join();
}

function diversityWork(engine: Engine): string {
  const items = 3000;
  const rows = engine.write(bytesOf(items * 16, 3));
  const out = engine.alloc(40);
  codeOf(engine.exports.rank_diversify(out, rows, rows, items, 16, 500, 10));
  return engine.read(out, 40).join();
}

function fusionWork(engine: Engine): string {
  const items = 30_000;
  const list = Uint32Array.from({ length: items }, (_, i) => i);
  const lists = engine.write(new Uint8Array(list.buffer));
  const lengths = engine.write(new Uint8Array(Uint32Array.of(items).buffer));
  const weights = engine.write(new Uint8Array(Float32Array.of(1).buffer));
  const [scores, channels] = [engine.alloc(items * 4), engine.alloc(items * 4)];
  codeOf(engine.exports.rank_fuse(scores, channels, items, lists, lengths, weights, 1, 0x42700000));
  return engine.read(scores, 400).join();
}

function weightsWork(engine: Engine): string {
  const [n, k] = [64, 256];
  const w = engine.write(new Uint8Array(Float32Array.from(bytesOf(n * k, 4)).buffer));
  const [q, scales] = [engine.alloc(n * k * 2), engine.alloc(n * 4)];
  const levels = codeOf(engine.exports.kernel_weight_levels(q, scales, w, n, k));
  return `${levels} ${engine.read(q, 200).join()}`;
}

function productWork(engine: Engine): string {
  const [rows, k, n] = [64, 256, 64];
  const a = engine.write(bytesOf(rows * k * 2, 5));
  const w = engine.write(bytesOf(n * k * 2, 6));
  const out = engine.alloc(rows * n * 4);
  codeOf(engine.exports.kernel_matmul(out, a, w, rows, k, n));
  return engine.read(out, 400).join();
}

describe.each(WORKS)("%s", (_, work) => {
  it("has the same result or none, however many pages there are", () => {
    const roomy = loadEngine("simd");
    const atStart = pagesOf(roomy);
    const expected = work(roomy);
    const needed = pagesOf(roomy);
    for (let pages = atStart; pages <= needed; pages++) {
      const engine = limitedEngine("simd", pages);
      const got = outcomeOf(() => work(engine));
      if (pages === needed || got !== "OUT_OF_MEMORY") expect(got === expected, `${pages} pages`).toBe(true);
      expectLowMemoryUntouched(engine);
    }
  });
});
