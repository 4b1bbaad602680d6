/** Segments in a library: prepared before a split, built again after a stop, left and loaded when memory is short. */
import { join } from "node:path";
import type { IndexProgress } from "selfsame";
import { describe, expect, test } from "vitest";
import { PreparedHalf } from "#dist/library/prepared-half.js";
import { SegmentStore } from "#dist/library/segment-store.js";
import { scratchFolder } from "../store/scratch.ts";
import { type Opened, openTiny } from "./opened.ts";
import { LEXICAL_QUERIES, SEMANTIC_QUERIES } from "./pool.ts";
import { stateOf } from "./state.ts";
import { sampleDocument } from "./steps.ts";

const folder = scratchFolder();
const documents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => sampleDocument("notes", from + i));
const state = (opened: Opened) => stateOf(opened, LEXICAL_QUERIES, SEMANTIC_QUERIES);
const prefixes = async ({ library, parts }: Opened) =>
  (await parts.semantic.current(await library.root())).segments.map(({ prefix }) => prefix);

describe("a library with segments", () => {
  test("answers exactly up to the limit, and by graphs above", async () => {
    const opened = await openTiny(":memory:", { segment: 40 });
    const { library } = opened;
    await library.add(documents(0, 8));
    await library.search("graph");
    expect((await library.stats()).index).toMatchObject({ isLoaded: true, segments: 1, graphs: 0 });
    await library.add(documents(8, 120));
    await library.search("graph");
    const { segments, graphs, degraded } = (await library.stats()).index;
    expect(segments).toBeGreaterThan(2);
    expect([graphs, degraded]).toEqual([segments, false]);
    // Found by graphs, with the scores of the exact scan.
    const [byGraph, exact] = await Promise.all([
      library.search("ties", { mode: "semantic", ef: 200 }),
      library.search("ties", { mode: "semantic", exact: true }),
    ]);
    expect(byGraph.results.map(({ chunkId }) => chunkId)).toEqual(
      exact.results.map(({ chunkId }) => chunkId),
    );
    await library.close();
  });

  test("prepares the halves of a segment that will be split, so that no search waits for a graph", async () => {
    const opened = await openTiny(":memory:", { segment: 64 });
    const { library, parts } = opened;
    let next = 0;
    const size = async () => (await parts.semantic.current(await library.root())).segments[0]!.distinct;
    await library.add([sampleDocument("notes", next++)]);
    while ((await size()) < 62) await library.add([sampleDocument("notes", next++)]);
    const index = await parts.semantic.current(await library.root());
    expect(await size()).toBeLessThanOrEqual(64);
    for (let i = 0; i < 200 && index.unprepared.length > 0; i++)
      await new Promise((resume) => setTimeout(resume, 10));
    expect(index.unprepared).toEqual([]);
    while (index.segments.length === 1) {
      await library.add([sampleDocument("notes", next++)]);
      // Complete at once, in the same turn as the write.
      expect(parts.semantic.ready(await library.root())).toBe(index);
    }
    const whole = await openTiny(":memory:", { segment: 64 });
    await whole.library.add(documents(0, next));
    expect(await state(opened)).toStrictEqual(await state(whole));
    await Promise.all([library.close(), whole.library.close()]);
  });

  test("prepares a half while documents come and go, in slices", async () => {
    const { library, parts } = await openTiny(":memory:", { segment: 40 });
    await library.add(documents(0, 60));
    const { state: libraryState, database, engine, semantic } = parts;
    const ground = { state: libraryState, database, engine, dim: semantic.dim, kind: "auto" as const };
    const store = new SegmentStore({ ...ground, segment: 8192 });
    const half = new PreparedHalf({ ...ground, segment: 8192 }, "1", (id) => store.vector(id));
    let [slices, added, removed] = [0, 60, 0];
    for (const _ of half.read()) {
      if (slices++ % 3 > 0) continue;
      await library.add(documents(added++, added));
      await library.remove([sampleDocument("notes", removed++).path]);
    }
    expect(slices).toBe(16);
    await half.index.buildGraph();
    await library.add(documents(added, added + 30));
    await library.remove(documents(removed, removed + 10).map(({ path }) => path));
    let turns = 0;
    while (database.snapshot(() => half.catchUp())) turns++;
    expect(turns).toBeGreaterThan(4);
    const { index } = database.snapshot(() => store.fromRows("1"));
    await index.buildGraph();
    expect(half.index.size).toBe(index.size);
    expect(half.index.digest()).toEqual(index.digest());
    half.close();
    index.close();
    await library.close();
  });

  test("continues a build that was stopped, segment by segment, and reports how far it is", async () => {
    const path = join(folder, "resumed.db");
    const made = await openTiny(path, { segment: 40 });
    await made.library.add(documents(0, 150));
    await made.library.prepare();
    const segments = await prefixes(made);
    const before = await state(made);
    await made.library.close();
    // As if the process had been killed after all but two.
    const cut = await openTiny(path);
    for (const prefix of segments.slice(-2))
      cut.parts.database.run("DELETE FROM graph WHERE segment = ?", [prefix]);
    await cut.library.close();
    const events: IndexProgress[] = [];
    const again = await openTiny(path, { onIndexProgress: (event) => events.push(event) });
    await again.library.prepare();
    expect(events.at(-1)).toMatchObject({ segments: 2, segmentsTotal: 2, share: 1 });
    expect(await state(again)).toStrictEqual(before);
    await again.library.close();
    const quiet = await openTiny(path, { onIndexProgress: () => expect.unreachable() });
    await quiet.library.prepare();
    await quiet.library.close();
  });

  test("answers alike with little memory, and says that it is degraded", async () => {
    const path = join(folder, "memory.db");
    const made = await openTiny(path, { segment: 40 });
    await made.library.add(documents(0, 150));
    await made.library.prepare();
    const before = await state(made);
    await made.library.close();
    const { library, parts } = await openTiny(path, { maxIndexMemory: 1_000_000 });
    expect(await state({ library, parts })).toStrictEqual(before);
    await library.search("graph");
    expect((await library.stats()).index).toMatchObject({ degraded: true });
    await library.add(documents(150, 152));
    const whole = await openTiny(":memory:", { segment: 40 });
    await whole.library.add(documents(0, 152));
    expect(await state({ library, parts })).toStrictEqual(await state(whole));
    await Promise.all([library.close(), whole.library.close()]);
  });

  test.each([0, 1.5, 2 ** 21, "64"])("refuses a segment of %o", async (segment) => {
    await expect(openTiny(":memory:", { segment: segment as number })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
  });

  test("keeps its segment, which is part of the canon", async () => {
    const path = join(folder, "canon.db");
    await (await openTiny(path, { segment: 40 })).library.close();
    const again = await openTiny(path);
    expect(again.library.canonParts.segment).toBe("40");
    await again.library.close();
    await expect(openTiny(path, { segment: 41 })).rejects.toMatchObject({ code: "CANON_MISMATCH" });
  });
});
