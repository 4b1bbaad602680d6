/** A library whose segments are in several threads: the same answers, whatever happens to the threads. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { THREADS_FROM } from "#dist/library/semantic-index.js";
import type { Segment } from "#dist/vectors/segment.js";
import { splitmix32 } from "../reference/prng.ts";
import { writeChunks } from "../search/write-chunks.ts";
import { scratchFolder } from "../store/scratch.ts";
import { drawVector } from "../vectors/vector-items.ts";
import { type Opened, openTiny } from "./opened.ts";
import { sampleDocument } from "./steps.ts";

const CHUNKS = THREADS_FROM + 200;
const EACH = 20;
const path = join(scratchFolder(), "threads.db");

/** Makes the library: vectors of random numbers, since thousands of real ones would take minutes. */
async function make(): Promise<void> {
  const { library, parts } = await openTiny(path, { segment: 3000 });
  const next = splitmix32(18);
  const { dim } = parts.semantic;
  const documents = Array.from({ length: CHUNKS / EACH }, (_, d) => ({
    path: `notes/${d}.md`,
    chunks: Array.from({ length: EACH }, (_, c) => `note ${d} part ${c} word${next() % 500}\n`),
  }));
  writeChunks(parts, documents, () => drawVector(next, dim, 2000));
  await library.prepare();
  await library.close();
}

const segmentsOf = async ({ library, parts }: Opened): Promise<readonly Segment[]> =>
  (await parts.semantic.current(await library.root())).segments;
const inThreads = async (opened: Opened) =>
  (await segmentsOf(opened)).filter(({ thread }) => thread !== null);

async function answersOf({ library, parts }: Opened): Promise<unknown> {
  const index = await parts.semantic.current(await library.root());
  const receipts: string[] = [];
  for (const parameters of [
    {},
    { mode: "semantic" },
    { diversify: true },
    { exact: true },
    { filters: { path: "notes/1*" } },
  ] as const)
    for (const query of ["word7", "note 12 part 3", "graph"])
      receipts.push(JSON.stringify((await library.search(query, parameters)).receipt));
  const { receipt } = await library.recall({ query_text: "note word7", ctx: { now: 0 } });
  return { receipts, receipt, digest: index.digest(), size: index.size };
}

describe("a library with segments in threads", async () => {
  await make();
  const alone = await openTiny(path, { workers: 1 });
  const expected = await answersOf(alone);
  expect(await inThreads(alone)).toHaveLength(0);
  await alone.library.close();

  test.each([2, 3, 4])("answers the same with %i threads", async (workers) => {
    const opened = await openTiny(path, { workers });
    expect(await answersOf(opened)).toStrictEqual(expected);
    const segments = await segmentsOf(opened);
    expect(segments.length).toBeGreaterThan(3);
    expect(new Set(segments.map(({ thread }) => thread)).size).toBe(Math.min(workers, segments.length));
    const { memoryBytes, degraded } = (await opened.library.stats()).index;
    expect(memoryBytes).toBeGreaterThan(CHUNKS * opened.parts.semantic.dim * 2);
    expect(degraded).toBe(false);
    await opened.library.close();
    for (const { thread } of segments) expect(thread?.isAlive ?? false).toBe(false);
  });

  test("follows changes of its own and of others, also after its threads have died", async () => {
    const added = [sampleDocument("new", 1), sampleDocument("new", 2), sampleDocument("new", 3)];
    const opened = await openTiny(path, { workers: 3 });
    await opened.library.prepare();
    await opened.library.add(added);
    await opened.library.remove(["notes/4.md", "notes/5.md"]);
    const changed = (await inThreads(opened)).filter(({ changes }) => changes > 0);
    expect(changed.length).toBeGreaterThan(0);
    const other = await openTiny(path, { workers: 1 });
    const afterwards = await answersOf(other);
    await other.library.close();
    expect(await answersOf(opened)).toStrictEqual(afterwards);
    for (const { thread } of await inThreads(opened)) thread!.stop();
    expect(await answersOf(opened)).toStrictEqual(afterwards);
    expect(await inThreads(opened)).toHaveLength(0);
    await opened.library.close();

    const reader = await openTiny(path, { workers: 3 });
    await reader.library.prepare();
    const writer = await openTiny(path, { workers: 1 });
    await writer.library.remove(added.map((document) => document.path));
    await writer.library.close();
    const [last] = await inThreads(reader);
    expect(last).toBeDefined();
    const caught = await answersOf(reader);
    last!.thread!.stop();
    // The write fails in the index, not in the library: the index is loaded again.
    await reader.library.add([sampleDocument("new", 4)]);
    await reader.library.remove([sampleDocument("new", 4).path]);
    expect(await answersOf(reader)).toStrictEqual(caught);
    await reader.library.close();
  });

  test("lets its process end", () => {
    const script = `
      const { open } = await import("selfsame");
      const library = await open(${JSON.stringify(path)}, { model: "tiny", workers: 3 });
      await library.search("word7");
      process.stdout.write("answered");`;
    const given = ["--input-type=module", "--eval", script];
    const out = execFileSync(process.execPath, given, { encoding: "utf8", timeout: 120_000 });
    expect(out).toBe("answered");
  });
});
