import { SelfsameError } from "selfsame";
import { BUILDS, loadEngine, VectorIndex } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { checkDot, checkHnsw, type DotVectors, type HnswVectors } from "#dist/conformance/vectors.js";
import type { Engine } from "#dist/engine/engine.js";
import dotVectors from "../../test-vectors/dot.json" with { type: "json" };
import hnswVectors from "../../test-vectors/hnsw.json" with { type: "json" };
import { generate as generateDot } from "../reference/dot.vectors.ts";
import { generate as generateHnsw } from "../reference/hnsw.vectors.ts";
import { splitmix32 } from "../reference/prng.ts";
import { exactSearch } from "../reference/vectors.ts";
import { clusteredItems, drawVector, idOf } from "./vector-items.ts";

const fresh = async (build: (typeof BUILDS)[number] = "simd"): Promise<Engine> =>
  (await loadEngine({ build })).engine;

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
  return "none";
}

describe("the vectors", () => {
  it("are what the reference gives", () => {
    expect(generateDot()).toEqual(dotVectors);
    expect(generateHnsw()).toEqual(hnswVectors);
  });

  it.each(BUILDS)("pass on the build %s", async (build) => {
    const engine = await fresh(build);
    const dot = checkDot(engine, dotVectors);
    expect(dot).toMatchObject({ passed: dot.cases, firstMismatch: null });
    expect(dot.cases).toBe(dotVectors.cases.length + dotVectors.admission.length);
    const hnsw = await checkHnsw(engine, hnswVectors as HnswVectors);
    expect(hnsw).toMatchObject({ passed: hnsw.cases, firstMismatch: null });
    expect(hnsw.cases).toBe(
      hnswVectors.cases.length + hnswVectors.drawn.length + hnswVectors.segmented.length,
    );
  });

  it("are compared to the last edge", async () => {
    const engine = await fresh();
    const wrongDot = structuredClone(dotVectors) as { cases: { dot: number }[] };
    wrongDot.cases[3]!.dot++;
    expect(checkDot(engine, wrongDot as unknown as DotVectors).firstMismatch?.what).toBe("dot");
    const wrong = structuredClone(hnswVectors) as { cases: { nodes: { adjacency: string[] }[] }[] };
    wrong.cases.at(-1)!.nodes.at(-1)!.adjacency[0] += " 99";
    expect((await checkHnsw(engine, wrong as unknown as HnswVectors)).firstMismatch?.what).toMatch(/^Adj of/);
    const split = structuredClone(hnswVectors) as { segmented: { segments: { prefix: string }[] }[] };
    split.segmented[1]!.segments[0]!.prefix += "0";
    expect((await checkHnsw(engine, split as unknown as HnswVectors)).firstMismatch?.what).toBe("segments");
  });
});

describe.each(BUILDS)("exact search of the build %s", (build) => {
  it("equals the reference, with ties, duplicates and candidates", async () => {
    const next = splitmix32(1);
    const engine = await fresh(build);
    for (const [dim, span, count] of [
      [8, 1, 300],
      [384, 1000, 1500],
      [40, 3, 2100],
    ] as const) {
      const index = VectorIndex.create(engine, { dim, graph: false });
      const items = Array.from({ length: count }, (_, i) => ({
        id: idOf(i),
        vector: drawVector(next, dim, span),
      }));
      for (const { id, vector } of items) index.add(id, vector);
      for (const { id } of items.splice(100, 50)) index.remove(id);
      for (let round = 0; round < 20; round++) {
        const query = drawVector(next, dim, span);
        const k = 1 + (next() % (round === 0 ? 5000 : 40));
        expect(index.exact(query, { k }).map(plain)).toEqual(exactSearch(items, query, k));
        const some = items.filter(() => next() % 5 === 0);
        const unknown = [idOf(-1), idOf(-2)];
        const candidates = [...some, ...some.slice(0, 3)].map(({ id }) => id).concat(unknown);
        expect(index.exact(query, { k, candidates }).map(plain)).toEqual(exactSearch(some, query, k));
      }
      index.close();
    }
  });
});

const plain = ({ id, dot }: { id: Uint8Array; dot: number }) => ({ id, dot });

describe("an index", () => {
  it("gives similarities in binary64", async () => {
    const index = VectorIndex.create(await fresh(), { dim: 8 });
    const vector = Int16Array.of(32767, 0, 0, 0, 0, 0, 0, 0);
    index.add(idOf(1), vector);
    expect(index.search(vector)).toEqual([{ id: idOf(1), dot: 1073676289, similarity: 1 }]);
    expect(index.search(vector.map((x) => -x))[0]!.similarity).toBe(-1);
  });

  it("adds, updates and removes", async () => {
    const index = VectorIndex.create(await fresh(), { dim: 8 });
    const [a, b] = [Int16Array.of(1, 0, 0, 0, 0, 0, 0, 0), Int16Array.of(0, 1, 0, 0, 0, 0, 0, 0)];
    const empty = index.digest();
    expect(index.add(idOf(1), a)).toBe("added");
    expect(index.add(idOf(1), a)).toBe("unchanged");
    expect(index.add(idOf(2), a)).toBe("added");
    expect(index.add(idOf(1), b)).toBe("updated");
    expect([index.size, index.distinct]).toEqual([2, 2]);
    expect(index.vector(idOf(1))).toEqual(b);
    expect(index.vector(idOf(3))).toBeUndefined();
    expect(index.has(idOf(2))).toBe(true);
    expect(index.remove(idOf(3))).toBe(false);
    expect(index.remove(idOf(2))).toBe(true);
    expect(index.remove(idOf(1))).toBe(true);
    expect(index.search(a)).toEqual([]);
    expect(index.exact(a)).toEqual([]);
    expect(index.exact(a, { candidates: [idOf(1)] })).toEqual([]);
    expect(index.digest()).toEqual(empty);
  });

  it("takes the zero vector, whose similarity to anything is 0", async () => {
    const index = VectorIndex.create(await fresh(), { dim: 8 });
    index.add(idOf(1), new Int16Array(8));
    index.add(idOf(2), Int16Array.of(5, 0, 0, 0, 0, 0, 0, 0));
    expect(index.search(Int16Array.of(-1, 0, 0, 0, 0, 0, 0, 0)).map(({ similarity }) => similarity)).toEqual([
      0,
      -5 / 1073676289,
    ]);
    const byId = [idOf(1), idOf(2)].sort(Buffer.compare);
    expect(index.search(new Int16Array(8)).map(({ id }) => id)).toEqual(byId);
  });

  it("gives all hits when k is above its size", async () => {
    const items = clusteredItems(500, 64, 3);
    const index = VectorIndex.create(await fresh(), { dim: 64 });
    for (const { id, vector } of items) index.add(id, vector);
    const query = items[7]!.vector;
    expect(index.search(query, { k: 2 ** 31 - 1 })).toEqual(index.exact(query, { k: 501 }));
    expect(index.search(query, { k: 5, ef: 2 ** 31 - 1 })).toEqual(index.exact(query, { k: 5 }));
    expect(index.search(query, { ef: 1 })).toHaveLength(10);
  });

  it("refuses bad input and stays as it was", async () => {
    const engine = await fresh();
    const index = VectorIndex.create(engine, { dim: 8 });
    const vector = Int16Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    index.add(idOf(1), vector);
    const before = index.digest();
    const large = new Int16Array(8).fill(32767);
    const lowest = Int16Array.of(-32768, 0, 0, 0, 0, 0, 0, 0);
    for (const wrong of [new Int16Array(0), new Int16Array(7), new Int16Array(16), large, lowest]) {
      expect(codeOf(() => index.add(idOf(2), wrong))).toBe("BAD_VECTOR");
      expect(codeOf(() => index.add(idOf(1), wrong))).toBe("BAD_VECTOR");
      expect(codeOf(() => index.search(wrong))).toBe("BAD_VECTOR");
      expect(codeOf(() => index.exact(wrong))).toBe("BAD_VECTOR");
      expect(codeOf(() => index.exact(wrong, { candidates: [idOf(1)] }))).toBe("BAD_VECTOR");
    }
    expect(codeOf(() => index.add(idOf(2), [1, 2] as unknown as Int16Array))).toBe("BAD_VECTOR");
    for (const id of [new Uint8Array(15), new Uint8Array(17), "id" as unknown as Uint8Array]) {
      expect(codeOf(() => index.add(id, vector))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.remove(id))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.exact(vector, { candidates: [id] }))).toBe("BAD_ARGUMENT");
    }
    expect(codeOf(() => index.exact(vector, { candidates: new Uint8Array(17) }))).toBe("BAD_ARGUMENT");
    for (const count of [0, -1, 1.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => index.search(vector, { k: count }))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.search(vector, { ef: count }))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.exact(vector, { k: count }))).toBe("BAD_ARGUMENT");
    }
    expect(codeOf(() => VectorIndex.create(engine, { dim: 8 }))).toBe("BAD_ARGUMENT");
    expect(index.digest()).toEqual(before);
    index.close();
    expect(codeOf(() => index.search(vector))).toBe("BAD_ARGUMENT");
    for (const dim of [0, 7, 12, -8, 4104, 8.5, Number.NaN]) {
      expect(codeOf(() => VectorIndex.create(engine, { dim }))).toBe("BAD_ARGUMENT");
    }
    const plainIndex = VectorIndex.create(engine, { dim: 4096, graph: false });
    expect(codeOf(() => plainIndex.search(new Int16Array(4096)))).toBe("BAD_ARGUMENT");
  });
});

describe("arguments of another type", () => {
  const odd: readonly never[] = [
    null,
    5,
    "5",
    5n,
    Symbol("5"),
    Object.create(null),
    new Map(),
    () => 5,
  ] as never[];
  const vector = Int16Array.of(1, 2, 3, 4, 5, 6, 7, 8);

  it("are refused by a typed error", async () => {
    const engine = await fresh();
    expect(codeOf(() => VectorIndex.create(engine, undefined as never))).toBe("BAD_ARGUMENT");
    const Untyped = VectorIndex as unknown as new (...args: unknown[]) => VectorIndex;
    for (const args of [[], [{ dim: 8 }], [engine, 8, true, null]])
      expect(codeOf(() => new Untyped(...args))).toBe("BAD_ARGUMENT");
    for (const wrong of odd) {
      expect(codeOf(() => VectorIndex.create(wrong, { dim: 8 }))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => VectorIndex.create(engine, wrong))).toBe("BAD_ARGUMENT");
      if (wrong !== 5) expect(codeOf(() => VectorIndex.create(engine, { dim: wrong }))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => VectorIndex.create(engine, { dim: 8, graph: wrong }))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => VectorIndex.deserialize(engine, wrong))).toBe("BAD_INDEX_BYTES");
    }
    const index = VectorIndex.create(engine, { dim: 8 });
    index.add(idOf(1), vector);
    for (const wrong of odd) {
      if (wrong !== 5) {
        for (const options of [{ k: wrong }, { ef: wrong }])
          expect(codeOf(() => index.search(vector, options))).toBe("BAD_ARGUMENT");
      }
      expect(codeOf(() => index.exact(vector, { candidates: wrong }))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.add(wrong, vector))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.add(idOf(1), wrong))).toBe("BAD_VECTOR");
    }
    for (const wrong of [null, 5, { K: 3 }] as never[]) {
      expect(codeOf(() => index.search(vector, wrong))).toBe("BAD_ARGUMENT");
      expect(codeOf(() => index.exact(vector, wrong))).toBe("BAD_ARGUMENT");
      await expect(index.buildGraph(wrong)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    }
    expect(codeOf(() => index.exact(vector, { candidates: new Set([idOf(1)]) as never }))).toBe(
      "BAD_ARGUMENT",
    );
    for (const options of [{ workers: -1 }, { workers: Symbol() }, { onProgress: 5 }, { signal: {} }])
      await expect(index.buildGraph(options as never)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  it("are answered by no index that is closed, even where its engine holds another", async () => {
    const engine = await fresh();
    const closed = VectorIndex.create(engine, { dim: 8 });
    closed.close();
    VectorIndex.create(engine, { dim: 8 }).add(idOf(1), vector);
    for (const ask of ["size", "distinct", "hasGraph", "memoryBytes"] as const)
      expect(codeOf(() => closed[ask])).toBe("BAD_ARGUMENT");
    expect(codeOf(() => closed.has(idOf(1)))).toBe("BAD_ARGUMENT");
  });
});

describe("BLAKE3 of four inputs", () => {
  it.each(BUILDS)("equals one by one on the build %s", async (build) => {
    const engine = await fresh(build);
    const next = splitmix32(5);
    engine.scope(() => {
      const input = engine.write(Uint8Array.from({ length: 4 * 8192 }, next));
      const out = engine.alloc(256);
      for (const length of [0, 1, 16, 48, 64, 80, 768, 1008, 1024, 1040, 1536, 8192]) {
        engine.exports.blake3_4(out, input, 8192, length);
        for (let i = 0; i < 4; i++) engine.exports.blake3(out + 128 + 32 * i, input + 8192 * i, length);
        expect(engine.read(out, 128), `length ${length}`).toEqual(engine.read(out + 128, 128));
      }
    });
  });
});
