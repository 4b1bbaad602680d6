import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { DocumentInput, OpenOptions } from "selfsame";
import { describe, expect, test } from "vitest";
import { Breather } from "#dist/engine/breather.js";
import { toHex } from "#dist/engine/digest.js";
import { prepareDocument, readInputs } from "#dist/library/document-input.js";
import { Ingest } from "#dist/library/ingest.js";
import { checkIntegrity } from "#dist/store/schema.js";
import { Child } from "../store/child.ts";
import { scratchFolder } from "../store/scratch.ts";
import { type Opened, openTiny } from "./opened.ts";
import { LEXICAL_QUERIES, SEMANTIC_QUERIES } from "./pool.ts";
import { recomputedRoot } from "./recomputed.ts";
import { type LibraryState, stateOf } from "./state.ts";
import { type Step, sampleDocument, sampleSteps, takeStep, writeSteps } from "./steps.ts";

const folder = scratchFolder();
const HNSW = { index: "hnsw", timeoutMs: 60_000 } as const;

function start(name: string, path: string, steps: readonly Step[], options: object = {}): Child {
  const file = join(folder, `${name}.json`);
  writeSteps(file, steps);
  return new Child(
    "../library/steps.child.mjs",
    path,
    file,
    "0",
    JSON.stringify({ index: "hnsw", ...options }),
  );
}

/** Documents 0 … count − 1 of a folder in one version, `size` in a step. */
function addSteps(name: string, count: number, size: number, version = 0): Step[] {
  return Array.from({ length: count / size }, (_, step) => ({
    add: Array.from({ length: size }, (_, i) => sampleDocument(name, step * size + i, version)),
  }));
}

async function state(opened: Opened): Promise<LibraryState> {
  checkIntegrity(opened.parts.database);
  expect(recomputedRoot(opened)).toBe(await opened.library.root());
  return stateOf(opened, LEXICAL_QUERIES, SEMANTIC_QUERIES);
}

/** Its documents, as they would be given to add(). */
function held({ parts }: Opened): DocumentInput[] {
  return parts.database
    .all<{ path: string; text: string; modifiedAt: number; mime: string; metadata: string | null }>(
      "SELECT path, text, modifiedAt, mime, metadata FROM documents JOIN texts USING (documentId) ORDER BY path",
    )
    .map(({ metadata, ...rest }) => ({
      ...rest,
      metadata: metadata === null ? null : JSON.parse(metadata),
    }));
}

async function fromScratch(documents: readonly DocumentInput[], options: OpenOptions = HNSW) {
  const opened = await openTiny(":memory:", options);
  await opened.library.add(documents);
  const made = await state(opened);
  await opened.library.close();
  return made;
}

/** Runs `work` within the next call of a method, before what the method does. */
function intrude<T extends object, K extends keyof T>(part: T, method: K, work: () => unknown): void {
  const own = Object.getOwnPropertyDescriptor(part, method);
  const original = part[method] as (...args: unknown[]) => unknown;
  function once(this: T, ...args: unknown[]): unknown {
    if (own === undefined) delete part[method];
    else Object.defineProperty(part, method, own);
    const done = work();
    const go = () => original.apply(this, args);
    return done instanceof Promise ? done.then(go) : go();
  }
  Object.defineProperty(part, method, { value: once, configurable: true });
}

describe("two processes", () => {
  test("that add different documents at the same time add all of them", async () => {
    const path = join(folder, "two.db");
    const [a, b] = [addSteps("a", 60, 5), addSteps("b", 60, 12)];
    await Promise.all(
      [start("a", path, a, { lookEvery: 3 }), start("b", path, b)].map((child) => child.succeeds()),
    );
    const opened = await openTiny(path, HNSW);
    const wanted = [...b, ...a].flatMap((step) => ("add" in step ? step.add : []));
    expect(wanted).toHaveLength(120);
    expect(await state(opened)).toStrictEqual(await fromScratch(wanted));
    await opened.library.close();
  });

  test("of which one changes texts and the other metadata leave whole documents", async () => {
    const path = join(folder, "same.db");
    const opened = await openTiny(path, HNSW);
    for (const step of addSteps("notes", 40, 40)) await takeStep(opened, step);
    const texts = Array.from({ length: 6 }, (_, round) => addSteps("notes", 40, 4, 1 + round)).flat();
    const metadata = Array.from(
      { length: 60 },
      (_, round): Step => ({
        add: Array.from({ length: 4 }, (_, i) => ({
          ...sampleDocument("notes", (round * 4 + i) % 40),
          metadata: { round },
        })),
      }),
    );
    await Promise.all([start("texts", path, texts).succeeds(), start("meta", path, metadata).succeeds()]);
    expect(await state(opened)).toStrictEqual(await fromScratch(held(opened)));
    await opened.library.close();
  });

  test("of which one holds the file: DATABASE_BUSY with its pid after the timeout", async () => {
    const path = join(folder, "busy.db");
    const { library } = await openTiny(path, { timeoutMs: 300 });
    await library.add([sampleDocument("notes", 1)]);
    const child = new Child("../library/hold.child.mjs", path);
    await child.says("held");
    const began = performance.now();
    const busy = { code: "DATABASE_BUSY", holderPid: child.pid };
    await expect(library.add([sampleDocument("notes", 2)])).rejects.toMatchObject(busy);
    expect(performance.now() - began).toBeGreaterThan(250);
    await expect(library.remove(["notes/1.md"])).rejects.toMatchObject(busy);
    // What is committed can be read meanwhile.
    expect(await library.documents()).toMatchObject([{ path: "notes/1.md", mime: null }]);
    await child.kill();
    expect(await library.add([sampleDocument("notes", 2)])).toMatchObject({ added: 1 });
    expect(await library.documents()).toHaveLength(2);
    await library.close();
  });

  test("of which one reads: it sees states between transactions, and its vectors keep up", async () => {
    const steps = sampleSteps(24);
    const digests = new Map<string, string>();
    const model = await openTiny(":memory:", HNSW);
    const note = async () => {
      const root = await model.library.root();
      digests.set(root, toHex((await model.parts.semantic.current(root)).digest()));
    };
    await note();
    for (const step of steps) {
      await takeStep(model, step);
      await note();
    }
    const roots = [...digests.keys()];

    const path = join(folder, "reader.db");
    const reader = await openTiny(path, HNSW);
    const { semantic, database } = reader.parts;
    const child = start("writer", path, steps, { lookEvery: 5, waits: true });
    const allow = (count: number) => child.process.stdin!.write("+".repeat(count));
    let last = 0;
    let changes = 0;
    // The first steps one by one: a busy machine might let the writer end between two readings.
    allow(1);
    while (last < steps.length) {
      const seen = database.snapshot(() => {
        expect(recomputedRoot(reader)).toBe(reader.parts.state.root());
        return roots.indexOf(reader.parts.state.root());
      });
      expect(seen).toBeGreaterThanOrEqual(last);
      if (seen > last && ++changes <= 4) allow(changes < 4 ? 1 : steps.length - 4);
      last = seen;
      const index = await semantic.current(roots[seen]!);
      // The writer may be ahead of what was seen before.
      expect(roots.indexOf(semantic.root)).toBeGreaterThanOrEqual(seen);
      expect(toHex(index.digest())).toBe(digests.get(semantic.root));
      await pause(5);
    }
    await child.succeeds();
    expect(changes).toBeGreaterThan(3);
    expect(await state(reader)).toStrictEqual(await state(model));
    await Promise.all([reader.library.close(), model.library.close()]);
  });
});

/** Two libraries on one file in this process, where the moments can be chosen. */
async function pair(name: string, options: OpenOptions = HNSW): Promise<[Opened, Opened]> {
  const path = join(folder, name);
  return [await openTiny(path, options), await openTiny(path, options)];
}

describe("another writer between two moments of one call", () => {
  test("changes a text that was found unchanged: it is chunked after all", async () => {
    const [a, b] = await pair("stale.db");
    const first = sampleDocument("notes", 1);
    await a.library.add([first]);
    const again = { ...first, metadata: { seen: true } };
    intrude(a.parts.ingest, "embed", () => b.library.add([sampleDocument("notes", 1, 99)]));
    expect(await a.library.add([again])).toMatchObject({ updated: 1 });
    expect(held(a)).toMatchObject([{ text: first.text, metadata: { seen: true } }]);
    expect(await state(a)).toStrictEqual(await fromScratch([again]));

    // The same when the document is gone by then.
    intrude(a.parts.ingest, "embed", () => b.library.remove([first.path]));
    await a.library.add([first]);
    expect(await state(a)).toStrictEqual(await fromScratch([first]));
    await a.library.close();
    await b.library.close();
  });

  test("adds documents: the vectors in memory have them too", async () => {
    const [a, b] = await pair("between.db");
    for (const step of addSteps("old", 40, 40)) await takeStep(a, step);
    await a.parts.semantic.current(await a.library.root());
    const {
      ingest,
      engine,
      state: { canon },
    } = b.parts;
    const other = sampleDocument("new", 1);
    await ingest.prepare();
    const [input] = readInputs([other]);
    const breather = new Breather();
    const document = await prepareDocument(engine, canon.namespace, other.path, input!, breather);
    const chunked = [await ingest.chunk(document, false, breather)];
    await ingest.embed(chunked);
    intrude(a.parts.ingest, "write", () => void ingest.write(chunked));
    await a.library.add([sampleDocument("new", 2)]);
    const index = await a.parts.semantic.current(await a.library.root());
    expect(index.size).toBe((await a.library.stats()).chunks);
    expect(await state(a)).toStrictEqual(await fromScratch(held(a)));
    expect(await state(b)).toStrictEqual(await state(a));
    await a.library.close();
    await b.library.close();
  });

  test("takes documents out: the vectors in memory lose them, without a new graph", async () => {
    const [a, b] = await pair("gone.db");
    for (const step of addSteps("old", 120, 120)) await takeStep(a, step);
    await a.library.close();
    const again = await openTiny(join(folder, "gone.db"), HNSW);
    const index = await again.parts.semantic.current(await again.library.root());
    await b.library.remove(["old/7.md"]);
    await b.library.add([sampleDocument("old", 8, 1)]);
    expect(await again.parts.semantic.current(await again.library.root())).toBe(index);
    expect(await state(again)).toStrictEqual(await fromScratch(held(b)));
    await again.library.close();
    await b.library.close();
  });

  test("makes the library again with another canon: nothing of the old one is written or found any more", async () => {
    const [a, b] = await pair("anew.db");
    for (const step of addSteps("old", 40, 40)) await takeStep(a, step);
    await a.parts.semantic.current(await a.library.root());
    await b.library.close();
    const chunking = { maxTokens: 16, overlapTokens: 2, maxBytes: 256 };
    const c = await openTiny(join(folder, "anew.db"), { ...HNSW, chunking, rebuild: true });
    const mismatch = { code: "CANON_MISMATCH" };
    await expect(a.library.add([sampleDocument("new", 1)])).rejects.toMatchObject(mismatch);
    await expect(a.library.remove(["old/1.md"])).rejects.toMatchObject(mismatch);
    await expect(a.library.search("order")).rejects.toMatchObject(mismatch);
    await a.library.close();
    expect(await state(c)).toStrictEqual(await fromScratch(held(c), { ...HNSW, chunking }));
    await c.library.close();
    // Nor did the closing one leave a graph of the old chunks.
    const d = await openTiny(join(folder, "anew.db"), HNSW);
    expect(await state(d)).toStrictEqual(await fromScratch(held(d), { ...HNSW, chunking }));
    await d.library.close();
  });

  test("changes documents while the library is made again: all are made again, as they are then", async () => {
    const [a, b] = await pair("meanwhile.db");
    for (const step of addSteps("old", 100, 100)) await takeStep(a, step);
    await b.library.close();
    const chunking = { maxTokens: 16, overlapTokens: 2, maxBytes: 256 };
    // Between the reading of the documents and the writing of their new chunks.
    intrude(Ingest.prototype, "embed", async () => {
      await a.library.add([sampleDocument("new", 1), sampleDocument("old", 2, 1)]);
      await a.library.remove(["old/3.md"]);
    });
    const c = await openTiny(join(folder, "meanwhile.db"), { ...HNSW, chunking, rebuild: true });
    const documents = [
      ...Array.from({ length: 100 }, (_, i) => sampleDocument("old", i, i === 2 ? 1 : 0)),
      sampleDocument("new", 1),
    ].filter(({ path }) => path !== "old/3.md");
    expect(await state(c)).toStrictEqual(await fromScratch(documents, { ...HNSW, chunking }));
    await a.library.close();
    await c.library.close();
  });
});
