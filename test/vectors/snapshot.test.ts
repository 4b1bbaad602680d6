/** Snapshots: what is saved comes back, and what was cut, edited or forged is refused. SPEC §10.8 */
import { blake3 } from "@noble/hashes/blake3.js";
import { SelfsameError } from "selfsame";
import { loadEngine, VectorIndex } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { splitmix32 } from "../reference/prng.ts";
import { readGraph } from "./read-graph.ts";
import { clusteredItems, drawVector, idOf } from "./vector-items.ts";

const long = import.meta.env.MODE === "long";
const DIM = 16;
const { engine } = await loadEngine();
const items = clusteredItems(300, DIM, 1);
const [first, second] = [items[10]!, items[20]!];

function saved(count = items.length, graph = true): Uint8Array<ArrayBuffer> {
  const index = VectorIndex.create(engine, { dim: DIM, graph });
  for (const { id, vector } of items.slice(0, count)) index.add(id, vector);
  if (count > 0) index.add(idOf(1_000), items[0]!.vector); // two ids on one node
  const bytes = index.serialize();
  index.close();
  return bytes;
}

/**
 * "loaded", or the code of the refusal, at once or by the first change. A loaded index is used in every way: it must not
 * trap.
 */
function verdict(bytes: Uint8Array): string {
  let index: VectorIndex | undefined;
  try {
    index = VectorIndex.deserialize(engine, bytes);
    index.search(first.vector, { k: 20 });
    index.add(
      idOf(2_000),
      second.vector.map((x) => -x),
    );
    index.remove(first.id);
    index.remove(second.id);
    index.serialize();
    return "loaded";
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  } finally {
    index?.close();
  }
}

/** Edits a copy, then makes its digests right again: what somebody would do who means it. */
function forged(bytes: Uint8Array, edit: (view: DataView, all: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const { nodes, end } = readGraph(bytes);
  edit(view, copy);
  copy.set(blake3(copy.subarray(0, end)), end);
  let at = end + 32 + nodes * DIM * 2;
  for (let done = 0; done < nodes; done += 1024) {
    const length = Math.min(1024, nodes - done) * 528;
    copy.set(blake3(copy.subarray(at, at + length)), at + length);
    at += length + 32;
  }
  return copy;
}

/** A snapshot of one vector, with right digests, whose header tells of one id and whose body has more. */
function withHiddenIds(more: number): Uint8Array {
  const index = VectorIndex.create(engine, { dim: DIM, graph: false });
  index.add(first.id, first.vector);
  const plain = index.serialize();
  index.close();
  const canonical = new Uint8Array(32 + 36 + 16 * (1 + more));
  canonical.set(plain.subarray(0, 32 + 32));
  const view = new DataView(canonical.buffer);
  view.setUint32(64, 1 + more, true);
  for (let i = 0; i <= more; i++) view.setUint32(68 + 16 * i, i, false);
  return Buffer.concat([canonical, blake3(canonical), plain.subarray(plain.length - DIM * 2)]);
}

describe("a snapshot", () => {
  it.each([
    ["with a graph", true],
    ["without one", false],
  ])("%s comes back as it was", (_, graph) => {
    for (const count of [0, 1, 2, 97, 300]) {
      const bytes = saved(count, graph);
      const index = VectorIndex.deserialize(engine, bytes);
      expect(index.hasGraph).toBe(graph);
      expect(index.size).toBe(count === 0 ? 0 : count + 1);
      expect(Buffer.compare(index.serialize(), bytes)).toBe(0);
      if (count > 0) expect(index.vector(idOf(1_000))).toEqual(items[0]!.vector);
      index.close();
    }
  });

  it("can be taken up across several runs of nodes, from a part of a larger buffer", () => {
    const next = splitmix32(2);
    const index = VectorIndex.create(engine, { dim: 8, graph: false });
    for (let i = 0; i < 2_500; i++) index.add(idOf(i), drawVector(next, 8, 9000));
    return index.buildGraph().then(() => {
      const bytes = index.serialize();
      const digest = index.digest();
      index.close();
      const inside = new Uint8Array(bytes.length + 7);
      inside.set(bytes, 3);
      const again = VectorIndex.deserialize(engine, inside.subarray(3, 3 + bytes.length));
      expect(again.digest()).toEqual(digest);
      again.remove(idOf(5));
      again.close();
    });
  });

  it("is refused when it is cut or longer", () => {
    for (const bytes of [saved(), saved(3), saved(40, false)]) {
      const step = long ? 1 : 97;
      for (let length = 0; length < bytes.length; length += length < 200 ? 1 : step) {
        expect(verdict(bytes.subarray(0, length)), `cut at ${length}`).toBe("BAD_INDEX_BYTES");
      }
      expect(verdict(Buffer.concat([bytes, Uint8Array.of(0)]))).toBe("BAD_INDEX_BYTES");
    }
    expect(verdict("index" as unknown as Uint8Array)).toBe("BAD_INDEX_BYTES");
  });

  it("is refused when one byte is another", () => {
    const bytes = saved(30);
    for (let at = 0; at < bytes.length; at += long ? 1 : 5) {
      const wrong = bytes.slice();
      wrong[at]! ^= 1 << (at % 8);
      expect(verdict(wrong), `byte ${at}`).toBe("BAD_INDEX_BYTES");
    }
  });
});

describe("the bytes of a snapshot", () => {
  it("may be let go after the first change, not be changed before it", () => {
    const bytes = saved();
    const index = VectorIndex.deserialize(engine, bytes);
    const hits = index.search(first.vector);
    bytes.fill(0);
    expect(index.search(first.vector)).toEqual(hits);
    expect(() => index.remove(first.id)).toThrowError(expect.objectContaining({ code: "BAD_INDEX_BYTES" }));
    expect(index.search(first.vector)).toEqual(hits);
    index.close();
    const fresh = saved();
    const other = VectorIndex.deserialize(engine, fresh);
    other.remove(first.id);
    fresh.fill(0);
    other.add(first.id, first.vector);
    expect(other.search(first.vector)).toEqual(hits);
    other.close();
  });

  it("may not be taken away before the first change", () => {
    const bytes = saved();
    const index = VectorIndex.deserialize(engine, bytes);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    expect(index.search(first.vector)).toHaveLength(10);
    expect(() => index.serialize()).toThrowError(expect.objectContaining({ code: "BAD_INDEX_BYTES" }));
    index.close();
  });
});

describe("a forged snapshot, with right digests,", () => {
  const bytes = saved();
  const { nodes, ids, adjacency, end } = readGraph(bytes);
  const countsAt = 32 + 32 * nodes;
  const idsAt = countsAt + 4 * nodes;
  const adjacencyAt = idsAt + 16 * ids;
  const cacheAt = end + 32 + nodes * DIM * 2;
  const listOf = (rank: number) => cacheAt + 512 * rank;
  const tailOf = (rank: number) => cacheAt + 512 * nodes + 16 * rank;
  const twoIds = Array.from({ length: nodes }, (_, r) => r).find(
    (r) => new DataView(bytes.buffer).getUint32(32 + 32 * nodes + 4 * r, true) === 2,
  )!;

  it("is loaded if nothing was changed", () => {
    expect(verdict(forged(bytes, () => undefined))).toBe("loaded");
  });

  const cases: [name: string, edit: (view: DataView, all: Uint8Array) => void][] = [
    ["form 2", (view) => view.setUint32(8, 2, true)],
    ["another dimension", (view) => view.setUint32(12, 24, true)],
    ["a dimension that is none", (view) => view.setUint32(12, 0, true)],
    ["more nodes", (view) => view.setUint32(16, nodes + 1, true)],
    ["four billion nodes", (view) => view.setUint32(16, 0xffff_ffff, true)],
    ["fewer ids", (view) => view.setUint32(20, ids - 1, true)],
    ["four billion ids", (view) => view.setUint32(20, 0xffff_ffff, true)],
    ["other parameters", (view) => view.setUint16(24, 64, true)],
    ["a digest of another vector", (_, all) => all.copyWithin(64, 32, 64)],
    [
      "two nodes in each other's place",
      (_, all) => {
        const vectorsAt = end + 32;
        for (const [a, size] of [
          [32, 32],
          [vectorsAt, DIM * 2],
        ] as const) {
          const moved = all.slice(a, a + size);
          all.copyWithin(a, a + size, a + 2 * size);
          all.set(moved, a + size);
        }
      },
    ],
    [
      "a vector that is not admitted, with its digest",
      (_, all) => {
        const vectorsAt = end + 32;
        all[vectorsAt] = 0;
        all[vectorsAt + 1] = 0x80;
        all.set(blake3(all.subarray(vectorsAt, vectorsAt + DIM * 2)), 32);
      },
    ],
    ["a node without ids", (view) => view.setUint32(32 + 32 * nodes, 0, true)],
    ["a node with four billion ids", (view) => view.setUint32(32 + 32 * nodes, 0xffff_ffff, true)],
    ["an id twice", (_, all) => all.copyWithin(idsAt + 16, idsAt, idsAt + 16)],
    [
      "ids of one node in the wrong order",
      (view, all) => {
        let at = idsAt;
        for (let r = 0; r < twoIds; r++) at += 16 * view.getUint32(32 + 32 * nodes + 4 * r, true);
        const moved = all.slice(at, at + 16);
        all.copyWithin(at, at + 16, at + 32);
        all.set(moved, at + 16);
      },
    ],
    ["adjacency longer than allowed", (view) => view.setUint32(adjacencyAt, 36, true)],
    [
      "adjacency to no node",
      (view) => view.setUint32(adjacencyAt + 4 * adjacency[0]![0]!.length, nodes, true),
    ],
    ["adjacency to itself", (view) => view.setUint32(adjacencyAt + 4, 0, true)],
    [
      "adjacency in the wrong order",
      (view) => view.setUint32(adjacencyAt + 4, adjacency[0]![0]![1]! + 1, true),
    ],
    ["a list that is too short", (view) => view.setUint32(tailOf(200), 95, true)],
    ["a list that is too long", (view) => view.setUint32(tailOf(50), 51, true)],
    ["a list with itself", (view) => view.setUint32(listOf(200), 200, true)],
    ["a list with no node", (view) => view.setUint32(listOf(200), 0xffff_ffff, true)],
    ["a list with one twice", (_, all) => all.copyWithin(listOf(200) + 4, listOf(200), listOf(200) + 4)],
    ["an Out set that is too small", (_, all) => all.fill(0, tailOf(200) + 4, tailOf(200) + 16)],
    ["an Out set that is too large", (_, all) => all.fill(255, tailOf(200) + 4, tailOf(200) + 16)],
    [
      "another near, so that a link is missing",
      (view) => {
        const near = view.getUint32(listOf(200), true);
        const far = view.getUint32(listOf(200) + 4 * 95, true);
        view.setUint32(listOf(200), far, true);
        view.setUint32(listOf(200) + 4 * 95, near, true);
      },
    ],
  ];
  it.each(cases)("%s, is refused", (_, edit) => {
    expect(verdict(forged(bytes, edit))).toBe("BAD_INDEX_BYTES");
  });

  it.each([1, 1_000, 2_000, 60_000])(
    "one node with %i ids more than it tells, is refused and leaves no mark in the engine",
    async (more) => {
      const engine = (await loadEngine()).engine;
      const digest = () => {
        const index = VectorIndex.create(engine, { dim: DIM });
        for (const { id, vector } of items) index.add(id, vector);
        const made = index.digest();
        index.close();
        return made;
      };
      const before = digest();
      expect(() => VectorIndex.deserialize(engine, withHiddenIds(more))).toThrowError(
        expect.objectContaining({ code: "BAD_INDEX_BYTES" }),
      );
      expect(digest()).toEqual(before);
    },
  );

  it("at any place, is refused or safe to use", () => {
    const next = splitmix32(7);
    const seen = new Set<string>();
    for (let round = 0; round < (long ? 5_000 : 500); round++) {
      const wrong = forged(bytes, (view) => {
        for (let i = 0; i <= next() % 3; i++) {
          // Counts, ids, the graph and the cache, not the vectors, whose digests would not match.
          const at = [
            () => countsAt + (next() % (adjacencyAt - countsAt)),
            () => adjacencyAt + (next() % (end - adjacencyAt - 4)),
            () => cacheAt + (next() % (528 * nodes - 4)),
          ][next() % 3]!();
          view.setUint32(at & ~3, next() % 3 === 0 ? next() : next() % nodes, true);
        }
      });
      seen.add(verdict(wrong));
    }
    expect([...seen].sort()).toEqual(["BAD_INDEX_BYTES", "loaded"]);
  });
});
