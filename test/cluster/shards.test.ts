/** Shards by themselves: roots of the whole, messages that nobody should send, states that nobody holds. SPEC §29 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mergedNearWords } from "#dist/cluster/merge-words.js";
import type { Shard } from "#dist/cluster/shard.js";
import { shardFacts } from "#dist/cluster/shard-facts.js";
import { ShardServer } from "#dist/cluster/shard-server.js";
import { openSharded } from "#dist/cluster/sharded-library.js";
import { wholeFacts } from "#dist/cluster/whole.js";
import { sharedNodes, wholeRoot } from "#dist/cluster/whole-root.js";
import { decodeAnswer, encodeRequest } from "#dist/cluster/wire.js";
import { toHex } from "#dist/engine/digest.js";
import { loadEngine } from "#dist/engine/load.js";
import { MemoryNodes, MerkleTree } from "#dist/identity/root.js";
import { bestWord, nearWords, type ReadWords } from "#dist/search/near-words.js";
import { isBelow } from "#dist/vectors/prefix.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { DOCUMENTS } from "../search/documents.ts";

const long = import.meta.env.MODE === "long";

describe("the root of the whole", async () => {
  const { engine } = await loadEngine();
  /** Few distinct first bytes, so that shards share nodes and single documents. */
  const id = fc
    .tuple(
      fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0x7f, 0x80, 0xff),
      fc.uint8Array({ minLength: 15, maxLength: 15 }),
    )
    .map(([first, rest]) => Uint8Array.of(first, ...rest.map((byte) => byte & 0x83)));
  const cuts = fc.array(fc.nat(), { maxLength: 12 });

  test("is that of one tree, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), cuts, (ids, choices) => {
        const whole = treeOf(ids);
        const prefixes = [""];
        for (const choice of choices) {
          const cut = prefixes[choice % prefixes.length]!;
          if (cut.length < 12) prefixes.splice(prefixes.indexOf(cut), 1, `${cut}0`, `${cut}1`);
        }
        const parts = prefixes.map((prefix) => {
          const nodes = sharedNodes(treeOf(ids.filter((each) => isBelow(each, prefix))), prefix);
          return JSON.parse(JSON.stringify(nodes)) as typeof nodes;
        });
        expect(wholeRoot(engine, parts)).toBe(toHex(whole.root()));
      }),
      { numRuns: long ? 2000 : 200 },
    );
  });

  function treeOf(ids: readonly Uint8Array[]): MerkleTree {
    const nodes = new MemoryNodes();
    nodes.set("", new Uint8Array(0));
    const tree = new MerkleTree(engine, nodes);
    tree.update(ids.map((each) => ({ id: each, value: new Uint8Array(32).fill(each[1]!) })));
    return tree;
  }

  test("needs nodes of a tree", () => {
    expect(() => wholeRoot(engine, [{}])).toThrow(expect.objectContaining({ code: "BAD_SHARD" }));
    expect(() => wholeRoot(engine, [{ "": "zz" }])).toThrow(expect.objectContaining({ code: "BAD_SHARD" }));
  });
});

test("the nearest word is that of one vocabulary, however it is divided", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 8 });
  const vocabulary = fc.array(fc.tuple(word, fc.integer({ min: 1, max: 3 }), fc.nat({ max: 2 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(vocabulary, word, (entries, asked) => {
      const shards = [0, 1, 2].map((shard) => entries.filter(([, , at]) => at === shard));
      const near = shards.map((each) => nearWords(reader(each), asked));
      expect(bestWord(mergedNearWords(near))).toBe(bestWord(nearWords(reader(entries), asked)));
    }),
    { numRuns: long ? 3000 : 300 },
  );
});

function reader(entries: readonly (readonly [string, number, number])[]): ReadWords {
  const chunks = new Map<string, number>();
  for (const [word, count] of entries) chunks.set(word, (chunks.get(word) ?? 0) + count);
  const words = [...chunks.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return (from, end) =>
    words
      .filter((word) => Buffer.compare(Buffer.from(word), Buffer.from(from)) >= 0)
      .filter((word) => end === null || Buffer.compare(Buffer.from(word), Buffer.from(end)) < 0)
      .slice(0, 64)
      .map((word) => ({ word, chunks: chunks.get(word)! }));
}

describe("a shard", () => {
  let held: Opened;
  let server: ShardServer;
  let state: string;
  beforeAll(async () => {
    held = await openTiny(":memory:");
    await held.library.add(DOCUMENTS.slice(0, 6));
    server = new ShardServer(held.parts, "");
    state = (await shardFacts(held.parts, "")).state;
  });
  afterAll(() => held.library.close());

  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const answer = async (request: Uint8Array) => decodeAnswer("count", await server.answer(request));

  test("refuses questions about another state, and all of them once it has changed", async () => {
    const given = { words: ["fox"], items: ["ties"], tokens: [] };
    const other = encodeRequest({ state: "0".repeat(64), ask: "count", given });
    await expect(answer(other)).rejects.toMatchObject({ code: "SHARD_CHANGED" });
    const right = encodeRequest({ state, ask: "count", given });
    expect(await answer(right)).toEqual({ occur: [false], having: [5], sparse: [] });
    await held.library.add([{ path: "more.md", text: "a fox" }]);
    await expect(answer(right)).rejects.toMatchObject({ code: "SHARD_CHANGED" });
    await held.library.remove(["more.md"]);
    expect(await answer(right)).toMatchObject({ having: [5] });
  });

  test.each([
    ["no JSON", new Uint8Array([1, 2, 3])],
    ["no object", json(null)],
    ["another version", json({ v: 2, state: "", ask: "count", given: {} })],
    ["an unknown question", json({ v: 1, state: "", ask: "constructor", given: {} })],
    ["too many words", json({ v: 1, state: "", ask: "near", given: { words: new Array(1000).fill("a") } })],
    ["an id that is none", json({ v: 1, state: "", ask: "vectors", given: { ids: ["../x"] } })],
    ["too many bytes", new Uint8Array((1 << 20) + 1).fill(32)],
  ])("refuses %s", async (_, request) => {
    await expect(answer(request)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  test("refuses any bytes without failing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 4 }),
        fc.constantFrom("lists", "count", "contents"),
        async (given, ask) => {
          const request = new TextEncoder().encode(
            `{"v":1,"state":"${state}","ask":"${ask}","given":${given}}`,
          );
          await expect(answer(request)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
        },
      ),
      { numRuns: long ? 1000 : 100 },
    );
  });

  test("is opened with all others, of one canon, below prefixes that do not overlap", async () => {
    const { engine, state: whole } = held.parts;
    const facts = await shardFacts(held.parts, "");
    await expect(shardFacts(held.parts, "1")).rejects.toMatchObject({ code: "BAD_SHARD" });
    const of = (shards: readonly (typeof facts)[], byGraph = false) =>
      wholeFacts(engine, whole.canon, shards, byGraph);
    const bad = expect.objectContaining({ code: "BAD_SHARD" });
    expect(() => of([facts, facts])).toThrow(bad);
    expect(() => of([facts, { ...facts, prefix: "01" }])).toThrow(bad);
    expect(() => of([{ ...facts, canon: "0".repeat(64) }])).toThrow(bad);
    expect(() => of([{ ...facts, prefix: "2" }])).toThrow(bad);
    expect(() => of([facts], true)).toThrow(bad);
    expect(() => wholeFacts(engine, { ...whole.canon, dedupe: "950" }, [facts], false)).toThrow(bad);
    const shard: Shard = { prefix: "", state: "other", ask: async (request) => request };
    const open = { model: "tiny", workers: 1 };
    const opened = openSharded({ facts: of([facts]), shards: [shard], open });
    await expect(opened).rejects.toMatchObject({ code: "SHARD_UNAVAILABLE", details: { prefix: "" } });
    const another = openSharded({ facts: of([facts]), shards: [], open: { ...open, namespace: "other" } });
    await expect(another).rejects.toMatchObject({ code: "CANON_MISMATCH" });
  });

  test("that answers nonsense is an error, never a part of an answer", async () => {
    const facts = await shardFacts(held.parts, "");
    const whole = wholeFacts(held.parts.engine, held.parts.state.canon, [facts], false);
    const open = { model: "tiny", workers: 1 };
    for (const nonsense of [
      json({}),
      json({ v: 1, answer: {} }),
      json({ v: 1, error: 7 }),
      new Uint8Array(0),
    ]) {
      const shard: Shard = { prefix: "", state: facts.state, ask: async () => nonsense };
      const sharded = await openSharded({ facts: whole, shards: [shard], open });
      await expect(sharded.search("fox")).rejects.toMatchObject({ code: "BAD_SHARD" });
      await sharded.close();
    }
  });
});
