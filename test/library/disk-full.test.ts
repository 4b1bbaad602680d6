import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DocumentInput, OpenOptions } from "selfsame";
import { beforeAll, describe, expect, test } from "vitest";
import type { SelfsameError } from "#dist/errors/selfsame-error.js";
import { checkIntegrity } from "#dist/store/schema.js";
import { type Call, fullAt } from "../store/full-disk.ts";
import { scratchFolder } from "../store/scratch.ts";
import { openTiny } from "./opened.ts";
import { recomputedRoot } from "./recomputed.ts";
import { type LibraryState, stateOf } from "./state.ts";
import { sampleDocument } from "./steps.ts";

const IS_LONG = import.meta.env.MODE === "long";
const folder = scratchFolder();
const base = join(folder, "base.db");
const path = join(folder, "full.db");
const OPTIONS = { index: "hnsw" } as const;
const QUERIES = [["note", "order"], ["the same order"]] as const;

/** Some 600 chunks: three batches. */
const documents: readonly DocumentInput[] = [
  ...Array.from({ length: 6 }, (_, i) => longDocument(i)),
  ...Array.from({ length: 40 }, (_, i) => sampleDocument("new", i)),
];
/** Roots before the first batch and after each. */
const states = new Set<string>();
let after: LibraryState;

function longDocument(number: number): DocumentInput {
  const parts = Array.from({ length: 90 }, (_, i) => `## Part ${i}\n\nThe part ${i} of book ${number}.\n`);
  return { path: `books/${number}.md`, text: `# Book ${number}\n\n${parts.join("\n")}` };
}

/** The base holds all vectors already, so that an attempt takes no inference. */
beforeAll(async () => {
  const { library } = await openTiny(base, OPTIONS);
  await library.add(documents);
  await library.remove(documents.map(({ path }) => path));
  await library.add(Array.from({ length: 20 }, (_, i) => sampleDocument("old", i)));
  await library.close();

  copyFileSync(base, path);
  const opened = await openTiny(path, OPTIONS);
  const note = () => states.add(opened.parts.state.root());
  note();
  const { embedded } = await opened.library.add(documents, { onProgress: note });
  expect(embedded).toBe(0);
  expect(states.size).toBe(4);
  after = await stateOf(opened, ...QUERIES);
  await opened.library.close();
});

/** Adds the documents to a copy on a disk that is full at the n-th call; returns the error's code, and how many calls. */
async function attempt(call: Call, n: number): Promise<[code: string, calls: number]> {
  copyFileSync(base, path);
  const { fileSystem, calls } = fullAt(call, n);
  let code = "none";
  try {
    const { library, parts } = await openTiny(path, { ...OPTIONS, fileSystem } as OpenOptions);
    try {
      // Small, so that pages go to the file before the commit.
      parts.database.exec("PRAGMA cache_size = 50");
      await library.add(documents);
    } finally {
      await library.close();
    }
  } catch (error) {
    code = (error as SelfsameError).code;
  }
  return [code, calls()];
}

/** The library is what it was before or after a batch; with space again, it becomes what it was to be. */
async function inspect(): Promise<void> {
  const opened = await openTiny(path, OPTIONS);
  checkIntegrity(opened.parts.database);
  const root = await opened.library.root();
  expect(states).toContain(root);
  expect(recomputedRoot(opened)).toBe(root);
  await opened.library.add(documents);
  expect(await stateOf(opened, ...QUERIES)).toStrictEqual(after);
  await opened.library.close();
}

describe("a full disk while documents are added", () => {
  test("at any write: DISK_FULL, and all or nothing of a batch", async () => {
    const [none, total] = await attempt("writeSync", Number.POSITIVE_INFINITY);
    expect(none).toBe("none");
    expect(total).toBeGreaterThan(300);
    const stride = Math.ceil(total / (IS_LONG ? 150 : 12));
    for (let n = 1; n <= total; n += n < 3 ? 1 : stride) {
      const [code] = await attempt("writeSync", n);
      expect([n, code]).toStrictEqual([n, "DISK_FULL"]);
      await inspect();
    }
  });

  test.each<Call>(["fsyncSync", "ftruncateSync", "openSync", "unlinkSync"])(
    "at any %s: a typed error, and all or nothing of a batch",
    async (call) => {
      const [, total] = await attempt(call, Number.POSITIVE_INFINITY);
      const stride = IS_LONG ? 1 : Math.ceil(total / 3);
      for (let n = 1; n <= total; n += stride) {
        const [code] = await attempt(call, n);
        expect(["none", "DISK_FULL", "DATABASE_CANNOT_OPEN", "DATABASE_IO"]).toContain(code);
        await inspect();
      }
    },
  );

  test("a graph for which there is no space is not kept, and nothing else is amiss", async () => {
    copyFileSync(base, path);
    const { fileSystem, calls } = fullAt("writeSync", 1);
    const { library, parts } = await openTiny(path, { ...OPTIONS, fileSystem } as OpenOptions);
    const index = await parts.semantic.current(await library.root());
    expect(index.answersByGraph && index.isComplete).toBe(true);
    await library.close();
    expect(calls()).toBeGreaterThan(0);
    await inspect();
  });
});
