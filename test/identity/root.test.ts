import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRoot } from "#dist/conformance/root.js";
import { toHex } from "#dist/engine/digest.js";
import { documentIds } from "#dist/identity/ids.js";
import { type Change, MemoryNodes, MerkleTree } from "#dist/identity/root.js";
import { type Difference, diffTrees } from "#dist/identity/root-diff.js";
import { decodeNode } from "#dist/identity/tree-node.js";
import vectors from "../../test-vectors/root.json" with { type: "json" };
import { BUILDS, loadBuild } from "../engine/engines.ts";
import { splitmix32 } from "../reference/prng.ts";
import { differences, nodesOf, rootOf } from "../reference/root.ts";
import { generate } from "../reference/root.vectors.ts";

const long = import.meta.env.MODE === "long";
const engine = loadBuild("simd");

const hexOrNull = (bytes: Uint8Array | null) => (bytes === null ? null : toHex(bytes));
const rows = (found: readonly Difference[]) =>
  found.map(({ id, here, there }) => [toHex(id), hexOrNull(here), hexOrNull(there)]);
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const value = (n: number) => Uint8Array.from({ length: 32 }, (_, i) => (n >> (8 * (i % 4))) & 0xff);
const change = ([id, to]: readonly [string, string | null]): Change => ({
  id: bytes(id),
  value: to === null ? null : bytes(to),
});

function treeOf(documents: Iterable<readonly [string, string]>): MerkleTree {
  const tree = new MerkleTree(engine, new MemoryNodes());
  tree.update(Array.from(documents, change));
  return tree;
}

/** A device that answers, and the count of what it sent. */
function remote(tree: MerkleTree) {
  const sent = { rounds: 0, nodes: 0, digests: 0 };
  const ask = async (prefixes: readonly string[]) => {
    sent.rounds++;
    return prefixes.map((prefix) => {
      const record = tree.node(prefix);
      sent.nodes++;
      sent.digests += decodeNode(record, prefix)!.filter((slot) => slot !== null).length;
      return record;
    });
  };
  return { root: tree.root(), ask, sent };
}

/** Ids from a small alphabet share long beginnings, so that nodes come, chain and go. */
const ids = fc.oneof(
  fc
    .array(fc.constantFrom("00", "01", "10", "ff"), { minLength: 16, maxLength: 16 })
    .map((parts) => parts.join("")),
  fc
    .tuple(
      fc.constantFrom("a".repeat(31), "b".repeat(31), `${"c".repeat(30)}0`),
      fc.constantFrom(..."0123456789abcdef"),
    )
    .map((parts) => parts.join("")),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((id) => toHex(id)),
);
const values = fc.constantFrom(1, 2, 3).map((n) => toHex(value(n)));
const sets = fc.array(fc.tuple(ids, values), { maxLength: 40 }).map((pairs) => new Map(pairs));

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });
});

describe.each(BUILDS)("the root by the build %s", (build) => {
  it("passes the vectors", async () => {
    const all = vectors.cases.length + vectors.history.length + vectors.differences.length;
    expect(await checkRoot(loadBuild(build), vectors)).toMatchObject({
      cases: all,
      passed: all,
      firstMismatch: null,
    });
  });
});

describe("a tree", () => {
  it("after any history is the one built from scratch, node by node", () => {
    const pool = fc.array(ids, { minLength: 1, maxLength: 12 });
    const steps = fc.array(
      fc.array(fc.tuple(fc.nat(), fc.option(values, { nil: null })), { minLength: 0, maxLength: 8 }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(pool, steps, (names, batches) => {
        const nodes = new MemoryNodes();
        const tree = new MerkleTree(engine, nodes);
        const documents = new Map<string, string>();
        for (const batch of batches) {
          const changes = batch.map(([n, to]) => [names[n % names.length]!, to] as const);
          const root = tree.update(changes.map(change));
          for (const [id, to] of changes) {
            if (to === null) documents.delete(id);
            else documents.set(id, to);
          }
          expect(toHex(root)).toBe(rootOf(documents));
        }
        const expected = nodesOf(documents);
        for (const [prefix, record] of expected) expect(toHex(tree.node(prefix)), prefix).toBe(record);
        expect(nodes.size - (nodes.get("") === undefined ? 0 : 1)).toBe(expected.size - 1);
        expect(Array.from(tree.leaves(), (leaf) => toHex(leaf.id))).toEqual([...documents.keys()].sort());
        for (const id of names) expect(hexOrNull(tree.get(bytes(id)))).toBe(documents.get(id) ?? null);
      }),
      { numRuns: long ? 3_000 : 300 },
    );
  });

  it("takes a change with as many nodes as it is deep", () => {
    const counting = new (class extends MemoryNodes {
      reads = 0;
      writes = 0;
      override get(prefix: string) {
        this.reads++;
        return super.get(prefix);
      }
      override set(prefix: string, record: Uint8Array) {
        this.writes++;
        super.set(prefix, record);
      }
    })();
    const tree = new MerkleTree(engine, counting);
    const names = documentIds(
      engine,
      Array.from({ length: 20_000 }, (_, i) => `notes/${i}.md`),
    );
    tree.update(names.map((id, i) => ({ id, value: value(i) })));
    counting.reads = 0;
    counting.writes = 0;
    tree.update([{ id: names[77]!, value: value(-1) }]);
    // log₁₆ 20,000 is 3.6; the root is read once more for its digest.
    expect(counting.writes).toBeLessThanOrEqual(6);
    expect(counting.reads).toBeLessThanOrEqual(7);
  });

  it("refuses ids and values of another length", () => {
    const tree = new MerkleTree(engine, new MemoryNodes());
    const refusal = expect.objectContaining({ code: "BAD_ARGUMENT" });
    expect(() => tree.update([{ id: new Uint8Array(15), value: value(1) }])).toThrow(refusal);
    expect(() => tree.update([{ id: new Uint8Array(16), value: new Uint8Array(31) }])).toThrow(refusal);
  });

  it("reports damaged nodes", () => {
    const nodes = new MemoryNodes();
    const tree = new MerkleTree(engine, nodes);
    tree.update([{ id: new Uint8Array(16), value: value(1) }]);
    const record = nodes.get("")!;
    for (const damaged of [record.slice(1), record.slice(0, -1), Uint8Array.from([...record, 0x40])]) {
      nodes.set("", damaged);
      expect(() => tree.slots("")).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
    }
  });
});

describe("the differences of two trees", () => {
  it("are exactly those of the sets", async () => {
    await fc.assert(
      fc.asyncProperty(sets, sets, fc.nat({ max: 40 }), async (ours, more, shared) => {
        const theirs = new Map([...[...ours].slice(0, shared), ...more]);
        const { root, ask } = remote(treeOf(theirs));
        expect(rows(await diffTrees(engine, treeOf(ours), root, ask))).toEqual(differences(ours, theirs));
      }),
      { numRuns: long ? 3_000 : 300 },
    );
  });

  it("of equal trees cost nothing", async () => {
    const { root, ask, sent } = remote(treeOf([["a".repeat(32), "b".repeat(64)]]));
    expect(await diffTrees(engine, treeOf([["a".repeat(32), "b".repeat(64)]]), root, ask)).toEqual([]);
    expect(sent.nodes).toBe(0);
  });

  it("cost digests in proportion to their number and to the logarithm of the set's", async () => {
    const count = long ? 100_000 : 20_000;
    const names = documentIds(
      engine,
      Array.from({ length: count }, (_, i) => `notes/${i}.md`),
    );
    const documents = names.map((id, i): Change => ({ id, value: value(i) }));
    const ours = new MerkleTree(engine, new MemoryNodes());
    ours.update(documents);
    const next = splitmix32(21);
    for (const wanted of [1, 10, 100]) {
      const theirs = new MerkleTree(engine, new MemoryNodes());
      theirs.update(documents);
      const touched = new Set<string>();
      while (touched.size < wanted) {
        const id = names[next() % count]!;
        touched.add(toHex(id));
        theirs.update([{ id, value: next() % 2 === 0 ? null : value(-1) }]);
      }
      const { root, ask, sent } = remote(theirs);
      const found = await diffTrees(engine, ours, root, ask);
      expect(rows(found).map(([id]) => id)).toEqual([...touched].sort());
      // 16 slots on each level, of which there are about log₁₆ n; one more where two ids happen to be close.
      const levels = Math.ceil(Math.log(count) / Math.log(16)) + 1;
      expect(sent.digests).toBeLessThanOrEqual(wanted * 16 * levels);
      expect(sent.rounds).toBeLessThanOrEqual(levels + 2);
    }
  });

  it("are not taken from a remote that answers wrongly", async () => {
    const here = treeOf([["a".repeat(32), "b".repeat(64)]]);
    const { root } = remote(treeOf([["a".repeat(32), "c".repeat(64)]]));
    const refusal = expect.objectContaining({ code: "BAD_REMOTE" });
    await expect(diffTrees(engine, here, root, async () => [here.node("")])).rejects.toThrow(refusal);
    await expect(diffTrees(engine, here, root, async () => [])).rejects.toThrow(refusal);
  });

  it("are not taken from a remote whose nodes no set gives", async () => {
    const here = treeOf([]);
    // A record that ends early, a leaf in the wrong slot, digits that do not ascend.
    const store = new MemoryNodes();
    const lying = new MerkleTree(engine, store);
    const leaf = `${"1".repeat(32)}${"0".repeat(64)}`;
    for (const record of [`05${"00".repeat(31)}`, `10${leaf}`, `11${leaf}11${leaf}`]) {
      store.set("", bytes(record));
      const answer = async () => [bytes(record)];
      await expect(diffTrees(engine, here, lying.root(), answer)).rejects.toThrow(
        expect.objectContaining({ code: "BAD_REMOTE" }),
      );
    }
  });
});
