/** The graph is a function of the set: whatever happened before, its bytes are those of the reference. SPEC §10 */
import fc from "fast-check";
import { BUILDS, loadEngine, VectorIndex } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { buildGraph, canonicalBytes, searchGraph } from "../reference/hnsw.ts";
import { splitmix32 } from "../reference/prng.ts";
import type { Item } from "../reference/vectors.ts";
import { readGraph, unreachable } from "./read-graph.ts";
import { clusteredItems, drawVector, idOf, stressItems } from "./vector-items.ts";

const long = import.meta.env.MODE === "long";
const engines = await Promise.all(BUILDS.map(async (build) => (await loadEngine({ build })).engine));

/** One step of a history; numbers are reduced to what there is. */
type Step = readonly [kind: number, pick: number];

interface History {
  readonly seed: number;
  readonly dim: number;
  /** Small spans give many equal vectors and tied dots. */
  readonly span: number;
  readonly start: number;
  readonly bulk: boolean;
  readonly steps: readonly Step[];
}

const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  dim: fc.constantFrom(8, 16, 24),
  span: fc.constantFrom(1, 2, 40, 5000),
  start: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }) },
    { weight: 5, arbitrary: fc.integer({ min: 60, max: 400 }) },
    { weight: 3, arbitrary: fc.integer({ min: 400, max: 1700 }) },
  ),
  bulk: fc.boolean(),
  steps: fc.array(fc.tuple(fc.nat(19), fc.nat()), { maxLength: 300, size: "max" }),
});

async function live({ seed, dim, span, start, bulk, steps }: History, engine = engines[0]!) {
  const next = splitmix32(seed);
  const held = new Map<number, Item>();
  let index = VectorIndex.create(engine, { dim, graph: !bulk });
  let ids = 0;
  const add = (i: number, vector: Int16Array) => {
    const id = idOf(i);
    index.add(id, vector);
    held.set(i, { id, vector });
  };
  const any = (pick: number) => [...held.keys()][pick % held.size]!;
  while (ids < start) add(ids++, drawVector(next, dim, span));
  if (bulk) await index.buildGraph();
  for (const [kind, pick] of steps) {
    const vector = drawVector(next, dim, span);
    if (kind < 8 || held.size === 0) add(ids++, vector);
    else if (kind < 14) {
      const i = any(pick);
      index.remove(held.get(i)!.id);
      held.delete(i);
    } else if (kind < 15) add(any(pick), vector);
    else if (kind < 16)
      add(pick % ids, vector); // one that was deleted may come back
    else if (kind < 18) add(ids++, held.get(any(pick))!.vector);
    else if (kind < 19) index.search(vector, { k: 1 + (pick % 30) });
    else {
      const bytes = index.serialize();
      index.close();
      index = VectorIndex.deserialize(engine, bytes);
    }
  }
  return { index, items: [...held.values()] };
}

describe("any history", () => {
  it("ends in the bytes of the reference", { timeout: 3_600_000 }, async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { index, items } = await live(history, engines[run++ % engines.length]);
        try {
          const graph = buildGraph(history.dim, items);
          const expected = canonicalBytes(graph);
          const snapshot = index.serialize();
          expect(Buffer.compare(snapshot.subarray(0, expected.length), expected), "canonical bytes").toBe(0);
          const next = splitmix32(history.seed + 1);
          for (const [k, ef] of [
            [1, 1],
            [10, 20],
            [20, 50],
          ] as const) {
            const query = drawVector(next, history.dim, history.span);
            const hits = index.search(query, { k, ef }).map(({ id, dot }) => ({ id, dot }));
            expect(hits).toEqual(searchGraph(graph, query, k, ef));
          }
        } finally {
          index.close();
        }
      }),
      { numRuns: long ? 500 : 50, seed: 4, endOnFailure: true },
    );
  });

  it("ends in the same digest as a build from scratch, at size", { timeout: 3_600_000 }, async () => {
    const [size, operations, dim] = long ? [20_000, 2_000, 384] : [2_000, 200, 384];
    const items = clusteredItems(size + operations, dim, 9);
    const next = splitmix32(10);
    const index = VectorIndex.create(engines[0]!, { dim, graph: false });
    const held = items.slice(0, size);
    for (const { id, vector } of held) index.add(id, vector);
    await index.buildGraph();
    for (let i = 0; i < operations; i++) {
      const at = next() % held.length;
      switch (next() % 4) {
        case 0:
          index.remove(held[at]!.id);
          held.splice(at, 1);
          break;
        case 1:
          held[at] = { id: held[at]!.id, vector: items[size + i]!.vector };
          index.add(held[at].id, held[at].vector);
          break;
        case 2:
          held.push({ id: items[size + i]!.id, vector: held[at]!.vector });
          index.add(held.at(-1)!.id, held[at]!.vector);
          break;
        default:
          held.push(items[size + i]!);
          index.add(held.at(-1)!.id, held.at(-1)!.vector);
      }
    }
    const digest = index.digest();
    index.close();
    const scratch = VectorIndex.create(engines[0]!, { dim, graph: false });
    for (const { id, vector } of held.reverse()) scratch.add(id, vector);
    await scratch.buildGraph();
    expect(scratch.digest()).toEqual(digest);
    scratch.close();
  });

  it("ends where it began when all is removed again", async () => {
    const items = clusteredItems(300, 16, 11);
    const index = VectorIndex.create(engines[0]!, { dim: 16 });
    const empty = index.digest();
    for (const { id, vector } of items) index.add(id, vector);
    for (const { id } of items) index.remove(id);
    expect(index.digest()).toEqual(empty);
    index.close();
  });
});

describe("every level is connected", () => {
  const share = long ? 1 : 10;
  const sizes = Array.from({ length: 18 }, (_, i) => Math.round((40 * (1500 / 40) ** (i / 17)) / share) + 4);
  const base = clusteredItems(10_000 / share, 64, 12);
  const equalToCentre = Array.from({ length: 600 }, (_, i) => ({
    id: idOf(i),
    vector: Int16Array.from({ length: 64 }, (_, j) => (j === 0 ? 20000 : j === 1 + (i % 63) ? i + 1 : 0)),
  }));
  it.each([
    ["clusters", base],
    ["near-duplicates and exact ones", stressItems(base, sizes, 13)],
    ["spokes around one node", equalToCentre],
  ])("%s", async (_, items) => {
    const index = VectorIndex.create(engines[0]!, { dim: 64, graph: false });
    for (const { id, vector } of items) index.add(id, vector);
    await index.buildGraph();
    const graph = readGraph(index.serialize());
    for (let level = 0; level <= 6; level++) {
      expect(unreachable(graph, level, "along"), `level ${level}`).toBe(0);
      expect(unreachable(graph, level, "against"), `level ${level}, against`).toBe(0);
    }
    const longest = Math.max(...graph.adjacency.map(([bottom]) => bottom!.length));
    expect(longest).toBeLessThanOrEqual(35);
    index.close();
  });
});

describe("a build from scratch", () => {
  const items = clusteredItems(700, 32, 14);
  const filled = () => {
    const index = VectorIndex.create(engines[0]!, { dim: 32, graph: false });
    for (const { id, vector } of items) index.add(id, vector);
    return index;
  };

  it("is the same one by one, in this thread and in any number of workers", async () => {
    const oneByOne = VectorIndex.create(engines[1]!, { dim: 32 });
    for (const { id, vector } of items) oneByOne.add(id, vector);
    for (const workers of [0, 1, 2, 3]) {
      const index = filled();
      const seen: number[] = [];
      await index.buildGraph({ workers, onProgress: (done, total) => seen.push(done / total) });
      expect(index.digest()).toEqual(oneByOne.digest());
      expect(seen.at(-1)).toBe(1);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      index.close();
    }
    oneByOne.close();
  });

  it("of nothing and of one is a graph too", async () => {
    for (const count of [0, 1]) {
      const index = VectorIndex.create(engines[0]!, { dim: 32, graph: false });
      for (const { id, vector } of items.slice(0, count)) index.add(id, vector);
      await index.buildGraph({ workers: count });
      expect(index.search(items[0]!.vector)).toHaveLength(count);
      index.close();
    }
  });

  it.each([0, 2])("stops when told to, with %s workers, and can begin again", async (workers) => {
    const index = filled();
    const controller = new AbortController();
    const stopped = index.buildGraph({
      workers,
      signal: controller.signal,
      onProgress: (done, total) => {
        if (done > total / 10) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    expect(index.hasGraph).toBe(false);
    expect(index.exact(items[3]!.vector, { k: 1 })[0]!.id).toEqual(items[3]!.id);
    index.remove(items[3]!.id);
    index.add(items[3]!.id, items[3]!.vector);
    await index.buildGraph();
    const digest = index.digest();
    index.close();
    const other = filled();
    await other.buildGraph();
    expect(other.digest()).toEqual(digest);
    other.close();
  });

  it("refuses changes while it runs, and answers exactly meanwhile", async () => {
    const index = filled();
    const building = index.buildGraph({ workers: 1 });
    expect(() => index.add(idOf(1), items[0]!.vector)).toThrowError(
      expect.objectContaining({ code: "INDEX_BUSY" }),
    );
    expect(() => index.remove(idOf(1))).toThrowError(expect.objectContaining({ code: "INDEX_BUSY" }));
    expect(index.exact(items[5]!.vector, { k: 1 })[0]!.id).toEqual(items[5]!.id);
    await building;
    index.add(idOf(1), items[0]!.vector);
    index.close();
  });

  it("refuses a number of workers that makes no sense", async () => {
    const index = filled();
    for (const workers of [-1, 1.5, 65]) {
      await expect(index.buildGraph({ workers })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    }
    index.close();
  });
});
