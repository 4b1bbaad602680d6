import { execFileSync } from "node:child_process";
import * as nodeFs from "node:fs";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DocumentInput, type OpenOptions, open, type ProgressEvent, type RemoteTree } from "selfsame";
import { loadModel } from "selfsame/engine";
import { describe, expect, test } from "vitest";
import { toHex } from "#dist/engine/digest.js";
import { addDocuments } from "#dist/library/add-documents.js";
import { readInputs } from "#dist/library/document-input.js";
import type { FileSystem } from "#dist/store/file-system.node.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity } from "#dist/store/schema.js";
import { scratchFolder } from "../store/scratch.ts";
import { type Opened, openTiny, TINY } from "./opened.ts";
import { LEXICAL_QUERIES, SEMANTIC_QUERIES, TEXTS } from "./pool.ts";
import { type LibraryState, stateOf } from "./state.ts";
import { sampleDocument } from "./steps.ts";

const folder = scratchFolder();
const IS_LONG = import.meta.env.MODE === "long";

const pooled: readonly DocumentInput[] = TEXTS.map((text, i) => ({ path: `pool/${i}.md`, text }));

function state(opened: Opened): Promise<LibraryState> {
  return stateOf(opened, LEXICAL_QUERIES, SEMANTIC_QUERIES);
}

describe("add", () => {
  test("is idempotent: what is unchanged costs no embedding and changes nothing", async () => {
    const opened = await openTiny(":memory:");
    const first = await opened.library.add(pooled);
    expect(first).toMatchObject({ added: TEXTS.length, updated: 0, unchanged: 0 });
    expect(first.chunks).toBe((await opened.library.stats()).chunks);
    expect(first.embedded).toBe((await opened.library.stats()).embeddings);
    const before = await state(opened);
    expect(await opened.library.add(pooled)).toStrictEqual({
      ...{ added: 0, updated: 0, unchanged: TEXTS.length },
      ...{ chunks: 0, embedded: 0 },
    });
    expect(await state(opened)).toStrictEqual(before);
    // Forced, it is chunked again; what comes out is the same.
    expect(await opened.library.add(pooled, { force: true })).toMatchObject({
      ...{ added: 0, updated: TEXTS.length, unchanged: 0 },
      ...{ chunks: first.chunks, embedded: 0 },
    });
    expect(await state(opened)).toStrictEqual(before);
    await opened.library.close();
  });

  test("embeds a text once, whichever documents hold it", async () => {
    const { library } = await openTiny(":memory:");
    const { embedded } = await library.add(pooled);
    expect(embedded).toBeLessThan((await library.stats()).chunks);
    const copies = pooled.map(({ path, text }) => ({ path: `copy/${path}`, text }));
    expect(await library.add(copies)).toMatchObject({ added: TEXTS.length, embedded: 0 });
    // A file that was renamed comes as one that is gone and one that is new.
    await library.remove(pooled.map(({ path }) => path));
    const renamed = pooled.map(({ path, text }) => ({ path: `new/${path}`, text }));
    expect(await library.add(renamed)).toMatchObject({ added: TEXTS.length, embedded: 0 });
    await library.close();
  });

  test("of bytes is that of their text", async () => {
    const [a, b] = [await openTiny(":memory:"), await openTiny(":memory:")];
    await a.library.add(pooled);
    await b.library.add(pooled.map(({ path, text }) => ({ path, text: Buffer.from(text as string) })));
    expect(await state(b)).toStrictEqual(await state(a));
    await Promise.all([a.library.close(), b.library.close()]);
  });

  test("keeps vectors that are the model's own", async () => {
    const { library, parts } = await openTiny(":memory:");
    await library.add(pooled);
    const { model } = await loadModel({ model: "tiny" });
    const index = await parts.semantic.current(await library.root());
    let compared = 0;
    for (const { path } of pooled) {
      for (const { chunkId, text } of await library.chunks(path)) {
        expect(index.vector(Buffer.from(chunkId, "hex"))).toStrictEqual(model.embed(text).vector);
        compared++;
      }
    }
    expect(compared).toBe(index.size);
    await library.close();
  });

  test("is the same in any number of threads", async () => {
    const documents = Array.from({ length: 100 }, (_, i) => sampleDocument("notes", i));
    const states: LibraryState[] = [];
    for (const workers of [1, 2, 3]) {
      const opened = await openTiny(":memory:", { workers });
      await opened.library.add(documents);
      states.push(await state(opened));
      await opened.library.close();
    }
    expect(states[1]).toStrictEqual(states[0]);
    expect(states[2]).toStrictEqual(states[0]);
  });

  test("tells a path again by its canonical form", async () => {
    const { library } = await openTiny(":memory:");
    await library.add([{ path: "caf\u00e9.md", text: "one" }]);
    expect(await library.add([{ path: "cafe\u0301.md", text: "one" }])).toMatchObject({ unchanged: 1 });
    expect(await library.chunks("cafe\u0301.md")).toHaveLength(1);
    expect(await library.remove(["cafe\u0301.md", "nowhere.md"])).toStrictEqual({
      removed: 1,
      missing: ["nowhere.md"],
    });
    await library.close();
  });

  test("counts empty documents in the root", async () => {
    const { library } = await openTiny(":memory:");
    const roots = [await library.root()];
    for (const path of ["empty.md", "blank.md"]) {
      await library.add([{ path, text: path === "empty.md" ? "" : " \n\n" }]);
      roots.push(await library.root());
    }
    expect(new Set(roots).size).toBe(3);
    expect(await library.documents()).toMatchObject([
      { path: "blank.md", bytes: 0, chunks: 0 },
      { path: "empty.md", bytes: 0, chunks: 0 },
    ]);
    await library.remove(["empty.md", "blank.md"]);
    expect(await library.root()).toBe(roots[0]);
    await library.close();
  });

  test("keeps times, types and metadata, which change the metadata root alone", async () => {
    const { library } = await openTiny(":memory:");
    await library.add([{ path: "a.md", text: "one" }]);
    const before = [await library.root(), await library.metadataRoot()];
    const extras = { modifiedAt: -5, mime: "text/markdown", metadata: { b: [1, null], a: "é" } };
    expect(await library.add([{ path: "a.md", text: "one", ...extras }])).toMatchObject({
      updated: 1,
      chunks: 0,
    });
    expect(await library.documents()).toMatchObject([extras]);
    expect(await library.root()).toBe(before[0]);
    expect(await library.metadataRoot()).not.toBe(before[1]);
    await library.add([{ path: "a.md", text: "one", modifiedAt: -0 }]);
    expect(await library.documents()).toMatchObject([{ modifiedAt: 0, mime: null, metadata: null }]);
    await library.close();
  });
});

describe("bad input", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const good = { path: "good.md", text: "good" };

  test.each<[string, unknown]>([
    ["nothing", null],
    ["a string", "a.md"],
    ["no path", { text: "x" }],
    ["a number as path", { path: 1, text: "x" }],
    ["an absolute path", { path: "/etc/passwd", text: "x" }],
    ["a path out of the root", { path: "../x.md", text: "x" }],
    ["a drive", { path: "C:/x.md", text: "x" }],
    ["an empty path", { path: "", text: "x" }],
    ["a lone surrogate in the path", { path: "\ud800.md", text: "x" }],
    ["no text", { path: "a.md" }],
    ["a number as text", { path: "a.md", text: 1 }],
    ["a time that is not whole", { path: "a.md", text: "x", modifiedAt: 1.5 }],
    ["a Date", { path: "a.md", text: "x", modifiedAt: new Date(0) }],
    ["a type that is no string", { path: "a.md", text: "x", mime: {} }],
    ["a list as metadata", { path: "a.md", text: "x", metadata: [1] }],
    ["metadata that JSON cannot say", { path: "a.md", text: "x", metadata: { at: new Date(0) } }],
    ["metadata without end", { path: "a.md", text: "x", metadata: cyclic }],
    ["not a number in metadata", { path: "a.md", text: "x", metadata: { n: Number.NaN } }],
  ])("%s: BAD_ARGUMENT, and nothing is written", async (_, document) => {
    const { library } = await openTiny(":memory:");
    const before = await library.root();
    // Many good ones first: a batch of them must not be on disk when the bad one is found.
    const many = Array.from({ length: 300 }, (_, i) => ({ path: `${i}.md`, text: "same" }));
    const added = library.add([...many, good, document as DocumentInput]);
    await expect(added).rejects.toMatchObject({ name: "SelfsameError", code: "BAD_ARGUMENT" });
    expect(await library.stats()).toMatchObject({ documents: 0, embeddings: 0, root: before });
    expect(await library.add([good])).toMatchObject({ added: 1 });
    await library.close();
  });

  test("two paths that are one in NFC: an error, and nothing is written", async () => {
    const { library } = await openTiny(":memory:");
    const twice = [
      { path: "caf\u00e9.md", text: "one" },
      { path: "cafe\u0301.md", text: "two" },
    ];
    await expect(library.add(twice)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect(library.remove(twice.map(({ path }) => path))).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
    expect(await library.documents()).toStrictEqual([]);
    await library.close();
  });

  test("whatever bytes a text has, it is kept in its canonical form", async () => {
    const opened = await openTiny(":memory:");
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x00, 0xff, 0x0d, 0x0a, 0x20, 0xc3);
    await opened.library.add([
      { path: "bytes.txt", text: bytes },
      { path: "string.txt", text: "\ufeffa\0\ufffd\r\n \ud800" },
    ]);
    const [a, b] = await opened.library.documents();
    expect(a!.textHash).toBe(b!.textHash);
    expect((await opened.library.chunks("bytes.txt"))[0]!.text).toBe("a\ufffd\ufffd\n \ufffd");
    checkIntegrity(opened.parts.database);
    await opened.library.close();
  });

  test("of other calls, and calls after close(), are typed errors too", async () => {
    const { library } = await openTiny(":memory:");
    await expect(library.chunks("../x")).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect(library.remove(["/x"])).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await library.close();
    await library.close();
    await expect(library.add([good])).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect(library.documents()).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

describe("work that takes long", () => {
  const documents = Array.from({ length: 400 }, (_, i) => sampleDocument("notes", i));

  test("tells how far it has come, up to the totals", async () => {
    const { library } = await openTiny(":memory:");
    const events: ProgressEvent[] = [];
    const report = await library.add(documents, { onProgress: (event) => events.push(event) });
    for (const [i, event] of events.entries()) {
      expect(event.documentsTotal).toBe(400);
      const before = events[i - 1];
      if (before === undefined) continue;
      expect(event.documents).toBeGreaterThanOrEqual(before.documents);
      expect(event.chunks).toBeGreaterThanOrEqual(before.chunks);
    }
    expect(new Set(events.map(({ documents }) => documents)).size).toBeGreaterThan(3);
    expect(new Set(events.map(({ chunks }) => chunks)).size).toBeGreaterThan(100);
    expect(events.at(-1)).toMatchObject({ documents: 400, chunks: report.chunks, secondsLeft: 0 });
    expect(events.at(-1)!.chunksPerSecond).toBeGreaterThan(0);
    await library.close();
  });

  test.each([1, 2])(
    "stops when asked, keeps what is written, and goes on from there (%i threads)",
    async (workers) => {
      const opened = await openTiny(":memory:", { workers });
      const { library } = opened;
      const stop = new AbortController();
      const reason = new Error("enough");
      const added = library.add(documents, {
        signal: stop.signal,
        onProgress: ({ documents: done }) => {
          if (done > 0) stop.abort(reason);
        },
      });
      await expect(added).rejects.toMatchObject({ code: "ABORTED", cause: reason });
      const written = (await library.documents()).length;
      expect(written).toBeGreaterThan(0);
      expect(written).toBeLessThan(400);
      checkIntegrity(opened.parts.database);
      expect(await library.add(documents)).toMatchObject({ added: 400 - written, unchanged: written });
      const whole = await openTiny(":memory:");
      await whole.library.add(documents);
      expect(await state(opened)).toStrictEqual(await state(whole));
      await Promise.all([library.close(), whole.library.close()]);
    },
  );

  test("hears a stop that comes from outside, also where nothing waits for a file or a thread", async () => {
    const { library } = await openTiny(":memory:", { workers: 1 });
    const many = Array.from({ length: 5000 }, (_, i) => ({ path: `${i}.md`, text: `text ${i % 10}` }));
    await library.add(many.slice(0, 1));
    const stop = new AbortController();
    setTimeout(() => stop.abort());
    await expect(library.add(many, { signal: stop.signal })).rejects.toMatchObject({ code: "ABORTED" });
    expect((await library.documents()).length).toBeLessThan(many.length);
    await library.close();
  });

  test("keeps the documents of a batch that are done when it is stopped", async () => {
    const opened = await openTiny(":memory:", { workers: 1 });
    const { library } = opened;
    const told: string[] = [];
    const some = Array.from({ length: 250 }, (_, i) => ({ path: `${i}.md`, text: `The text ${i} of many.` }));
    const stop = new AbortController();
    const added = library.add(some, {
      signal: stop.signal,
      onProgress: ({ chunks }) => {
        if (chunks === 100) stop.abort();
      },
      onDocument: (path) => told.push(path),
    });
    await expect(added).rejects.toMatchObject({ code: "ABORTED" });
    const written = (await library.documents()).length;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(250);
    expect(told.sort()).toStrictEqual((await library.documents()).map(({ path }) => path));
    checkIntegrity(opened.parts.database);
    expect(await library.add(some)).toMatchObject({ added: 250 - written, unchanged: written });
    const whole = await openTiny(":memory:");
    await whole.library.add(some);
    expect(await state(opened)).toStrictEqual(await state(whole));
    await Promise.all([library.close(), whole.library.close()]);
  });

  test.each([1, 2])(
    "keeps what is embedded of a document that is stopped in its middle (%i threads)",
    async (workers) => {
      const { library } = await openTiny(":memory:", { workers });
      const text = Array.from({ length: 400 }, (_, i) => `# Part ${i}\n\nThis is part ${i} of one.\n`).join(
        "\n",
      );
      const stop = new AbortController();
      const added = library.add([{ path: "large.md", text }], {
        signal: stop.signal,
        onProgress: ({ chunks }) => {
          if (chunks > 128) stop.abort();
        },
      });
      await expect(added).rejects.toMatchObject({ code: "ABORTED" });
      expect(await library.documents()).toStrictEqual([]);
      const { embeddings } = await library.stats();
      expect(embeddings).toBeGreaterThan(0);
      const { chunks, embedded } = await library.add([{ path: "large.md", text }]);
      expect(chunks).toBe(400);
      expect(embedded).toBe(400 - embeddings);
      await library.close();
    },
  );

  test("that was to stop before it began does nothing", async () => {
    const { library } = await openTiny(":memory:");
    const added = library.add(documents, { signal: AbortSignal.abort() });
    await expect(added).rejects.toMatchObject({ code: "ABORTED" });
    expect(await library.documents()).toStrictEqual([]);
    await library.close();
  });

  test("is waited for by close()", async () => {
    const path = join(folder, "waited.db");
    const { library } = await openTiny(path);
    const adding = library.add(documents.slice(0, 50));
    await library.close();
    expect(await adding).toMatchObject({ added: 50 });
    const again = await openTiny(path);
    expect(await again.library.documents()).toHaveLength(50);
    await again.library.close();
  });
});

describe("the vectors in memory", () => {
  test("are made once for searches at the same time, and follow changes made meanwhile", async () => {
    const opened = await openTiny(":memory:", { index: "hnsw" });
    const { library, parts } = opened;
    await library.add(Array.from({ length: 200 }, (_, i) => sampleDocument("notes", i)));
    const root = await library.root();
    const looks = [1, 2, 3].map(() => parts.semantic.current(root));
    const adding = library.add([sampleDocument("notes", 1000)]);
    const indexes = await Promise.all(looks);
    expect(new Set(indexes).size).toBe(1);
    await adding;
    const index = await parts.semantic.current(await library.root());
    expect(index).toBe(indexes[0]);
    expect(index.size).toBe((await library.stats()).chunks);
    const whole = await openTiny(":memory:", { index: "hnsw" });
    await whole.library.add([
      sampleDocument("notes", 1000),
      ...Array.from({ length: 200 }, (_, i) => sampleDocument("notes", i)),
    ]);
    expect(await state(opened)).toStrictEqual(await state(whole));
    await Promise.all([library.close(), whole.library.close()]);
  });

  test("are kept with the file, and a damaged graph is made again", async () => {
    const path = join(folder, "kept.db");
    const documents = Array.from({ length: 120 }, (_, i) => sampleDocument("notes", i));
    const first = await openTiny(path, { index: "hnsw" });
    await first.library.add(documents);
    const made = await state(first);
    await first.library.close();

    const second = await openTiny(path);
    expect(second.parts.database.all("SELECT segment, piece FROM graph")).toStrictEqual([
      { segment: "", piece: 0 },
    ]);
    expect(await state(second)).toStrictEqual(made);
    second.parts.database.run("UPDATE graph SET bytes = zeroblob(length(bytes))");
    await second.library.close();

    const third = await openTiny(path);
    expect(await state(third)).toStrictEqual(made);
    // One that belongs to an older root is brought up to date.
    await third.library.close();
    const fourth = await openTiny(path);
    await fourth.library.add([sampleDocument("notes", 5, 1)]);
    await fourth.library.remove(["notes/6.md"]);
    const whole = await openTiny(":memory:", { index: "hnsw" });
    await whole.library.add(documents.map((each, i) => (i === 5 ? sampleDocument("notes", 5, 1) : each)));
    await whole.library.remove(["notes/6.md"]);
    expect(await state(fourth)).toStrictEqual(await state(whole));
    await Promise.all([fourth.library.close(), whole.library.close()]);
  });

  test("come from the embedder, without being read back from the file", async () => {
    const path = join(folder, "forward.db");
    const writer = await openTiny(path);
    await writer.library.add(pooled.slice(0, 20));
    await writer.library.add(pooled.slice(10));
    await writer.library.remove([pooled[0]!.path]);
    const reader = await openTiny(path);
    const digestOf = async ({ library, parts }: Opened) =>
      toHex((await parts.semantic.current(await library.root())).digest());
    const read = await digestOf(reader);
    // Nothing is left to read, and nothing has asked for an index so far.
    writer.parts.database.run("DELETE FROM embeddings");
    expect(await digestOf(writer)).toBe(read);
    await Promise.all([writer.library.close(), reader.library.close()]);
  });

  test("do not follow a write that was rolled back", async () => {
    const opened = await openTiny(":memory:");
    await opened.library.add(pooled.slice(0, 5));
    const before = await state(opened);
    const onWrite = () => {
      throw new Error("no space");
    };
    const failing = addDocuments(opened.parts, readInputs(pooled.slice(3)), { onWrite });
    await expect(failing).rejects.toThrow("no space");
    expect(await state(opened)).toStrictEqual(before);
    await opened.library.add(pooled);
    const whole = await openTiny(":memory:");
    await whole.library.add(pooled);
    expect(await state(opened)).toStrictEqual(await state(whole));
    await Promise.all([opened.library.close(), whole.library.close()]);
  });

  test("that are missing in the file are an error, not a shorter list", async () => {
    const path = join(folder, "missing.db");
    const before = await openTiny(path);
    await before.library.add(pooled);
    await before.library.close();
    const { library, parts } = await openTiny(path);
    parts.database.run("DELETE FROM embeddings WHERE embedding = 3");
    await expect(parts.semantic.current(await library.root())).rejects.toMatchObject({
      code: "DATABASE_CORRUPT",
    });
    // What the error advises helps.
    await library.add(pooled, { force: true });
    expect((await parts.semantic.current(await library.root())).size).toBe((await library.stats()).chunks);
    await library.close();
  });
});

describe("a canon", () => {
  const chunking = { maxTokens: 24, overlapTokens: 4, maxBytes: 512 };

  test("that differs is refused, part by part, and made again when asked", async () => {
    const path = join(folder, "canon.db");
    const made = await openTiny(path, { index: "exact" });
    await made.library.add(pooled);
    const before = await state(made);
    await made.library.close();

    const other = openTiny(path, { chunking, index: "hnsw", namespace: "mine" });
    const error = await other.catch((reason) => reason);
    expect(error).toMatchObject({ code: "CANON_MISMATCH" });
    expect(error.message).toContain("chunking 24 4 512, index hnsw, namespace mine");
    expect(error.message).toContain("chunking 64 8 1024, index exact, namespace default");
    expect(error.message).not.toContain("sqlite");

    // Nothing has changed; without a wish, it is opened as it was made.
    const again = await openTiny(path);
    expect(await state(again)).toStrictEqual(before);
    await again.library.close();

    const rebuilt = await openTiny(path, { chunking, index: "hnsw", rebuild: true });
    const scratch = await openTiny(":memory:", { chunking, index: "hnsw" });
    await scratch.library.add(pooled);
    const anew = await state(rebuilt);
    expect(anew).toStrictEqual(await state(scratch));
    expect(anew.root).toBe(before.root);
    expect(anew.canon).not.toBe(before.canon);
    checkIntegrity(rebuilt.parts.database);
    await Promise.all([rebuilt.library.close(), scratch.library.close()]);

    const kept = await openTiny(path);
    expect(await state(kept)).toStrictEqual(anew);
    await kept.library.close();
  });

  test("of another version of SPEC is refused with the way out, which works", async () => {
    const path = join(folder, "spec-1.db");
    const made = await openTiny(path);
    await made.library.add(pooled.slice(0, 6));
    const before = await state(made);
    made.parts.database.run("UPDATE meta SET value = '1' WHERE key = 'canon.spec'");
    await made.library.close();
    const error = await openTiny(path).catch((reason) => reason);
    expect(error).toMatchObject({
      code: "CANON_MISMATCH",
      reason: `expected ${path} to be made with spec 2, got spec 1`,
      details: { library: path, parts: "spec" },
    });
    expect(error.hint).toMatch(
      /^It was made by another version of Selfsame\. .*selfsame index --force.*add the documents/,
    );
    const rebuilt = await openTiny(path, { rebuild: true });
    expect(await state(rebuilt)).toStrictEqual(before);
    await rebuilt.library.close();
  });

  test("is refused for another model, which gets chunks of its own size when asked", async () => {
    const path = join(folder, "model.db");
    const made = await openTiny(path);
    await made.library.add(pooled.slice(0, 6));
    await made.library.close();
    const model = "all-MiniLM-L6-v2";
    const error = await open(path, { model }).catch((reason) => reason);
    expect(error).toMatchObject({ code: "CANON_MISMATCH" });
    for (const part of ["model ", "tokenizer ", "limit 256", "chunking 256 32 4096", "(--model tiny)"])
      expect(error.message).toContain(part);
    const rebuilt = await open(path, { model, rebuild: true, workers: 1 });
    expect(rebuilt.canonParts).toMatchObject({ limit: "256", chunking: "256 32 4096" });
    await rebuilt.close();
  });

  test("is found again without naming the model, whichever it was made with last", async () => {
    const path = join(folder, "own-model.db");
    const made = await openTiny(path);
    await made.library.add(pooled.slice(0, 3));
    await made.library.close();
    const again = await open(path);
    expect(again.model).toBe("tiny");
    await again.close();
    await (await open(path, { model: "all-MiniLM-L6-v2", rebuild: true, workers: 1 })).close();
    const last = await open(path);
    expect(last.model).toBe("all-MiniLM-L6-v2");
    await last.close();
  });

  test("made again can be stopped, and is then what it was", async () => {
    const path = join(folder, "stopped-rebuild.db");
    const made = await openTiny(path);
    await made.library.add(pooled.slice(0, 6));
    const before = await state(made);
    await made.library.close();
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await expect(
      open(path, { model: "all-MiniLM-L6-v2", rebuild: true, workers: 1, signal: stop.signal }),
    ).rejects.toMatchObject({ code: "ABORTED" });
    const kept = await openTiny(path);
    expect(await state(kept)).toStrictEqual(before);
    await kept.library.close();
  });

  test("made again hears a stop that comes from outside, also where every vector is known", async () => {
    const path = join(folder, "heard-rebuild.db");
    const made = await openTiny(path);
    await made.library.add(
      Array.from({ length: 3000 }, (_, i) => ({ path: `${i}.md`, text: `text ${i % 10} of many` })),
    );
    await made.library.close();
    const stop = new AbortController();
    const rebuilt = openTiny(path, {
      ...{ index: "hnsw", rebuild: true, signal: stop.signal },
      onRebuildProgress: () => void setTimeout(() => stop.abort()),
    } as OpenOptions);
    await expect(rebuilt).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("keeps its namespace", async () => {
    const path = join(folder, "namespace.db");
    await (await openTiny(path)).library.close();
    await expect(openTiny(path, { namespace: "other", rebuild: true })).rejects.toMatchObject({
      code: "CANON_MISMATCH",
    });
  });

  test.each<[string, object]>([
    ["chunks of more tokens than the model reads", { chunking: { ...chunking, maxTokens: 65 } }],
    ["chunks of no token", { chunking: { ...chunking, maxTokens: 0 } }],
    ["an overlap of more than half", { chunking: { ...chunking, overlapTokens: 20 } }],
    ["an unknown index", { index: "flat" }],
    ["an unknown model", { model: "no/such" }],
  ])("with %s: BAD_ARGUMENT, and no file is made", async (_, options) => {
    const path = join(folder, "bad-canon.db");
    await expect(openTiny(path, options)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    expect(existsSync(path)).toBe(false);
  });
});

describe("a file that is no library", () => {
  test("of another program is refused and left alone", async () => {
    const path = join(folder, "foreign.db");
    const foreign = await openDatabase(path);
    foreign.exec("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')");
    foreign.close();
    await expect(openTiny(path)).rejects.toMatchObject({ code: "DATABASE_FOREIGN" });
    const again = await openDatabase(path);
    expect(again.all("SELECT * FROM notes")).toStrictEqual([{ text: "mine" }]);
    again.close();
  });

  test("but text is refused and left alone", async () => {
    const path = join(folder, "text.db");
    writeFileSync(path, "# Not a database\n".repeat(1000));
    await expect(openTiny(path)).rejects.toMatchObject({
      code: "DATABASE_CORRUPT",
      message: expect.stringMatching(
        /^expected \S+text\.db to be a Selfsame library, got another kind of file/,
      ),
    });
  });

  test.each<[string, string, RegExp]>([
    ["a folder", ".", /^expected a regular file at \S+, got a folder\./],
    [
      "in a folder that is not there",
      "nowhere/library.db",
      /^expected a folder at \S+nowhere for .*, got none /,
    ],
    ["below a file", "text.db/library.db", /^expected \S+ to be in a folder, got a file in its path /],
  ])("%s: DATABASE_CANNOT_OPEN", async (_, name, message) => {
    await expect(openTiny(join(folder, name))).rejects.toMatchObject({
      code: "DATABASE_CANNOT_OPEN",
      message: expect.stringMatching(message),
    });
  });

  test.skipIf(process.platform === "win32")("a pipe: DATABASE_CANNOT_OPEN, without a wait", async () => {
    execFileSync("mkfifo", [join(folder, "pipe.db")]);
    await expect(openTiny(join(folder, "pipe.db"))).rejects.toMatchObject({
      code: "DATABASE_CANNOT_OPEN",
      message: expect.stringMatching(/^expected a regular file at \S+pipe\.db, got a pipe\./),
    });
  });

  test.each(["", null, 5])("named %j: BAD_ARGUMENT", async (name) => {
    await expect(open(name as string, TINY)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  test("that may not be written can be read; that may not be read: a typed error", async () => {
    const path = join(folder, "closed.db");
    const { library } = await openTiny(path);
    await library.add([sampleDocument("notes", 1)]);
    await library.close();
    const readOnly = await openTiny(path, { fileSystem: forbidding(nodeFs.constants.O_RDWR) } as OpenOptions);
    expect(await readOnly.library.documents()).toHaveLength(1);
    await expect(readOnly.library.add([sampleDocument("notes", 2)])).rejects.toMatchObject({
      code: "DATABASE_READONLY",
    });
    await readOnly.library.close();
    const closed = openTiny(path, { fileSystem: forbidding(0) } as OpenOptions);
    await expect(closed).rejects.toMatchObject({ code: "DATABASE_CANNOT_OPEN" });
  });
});

/** node:fs that may not open files with these flags, whoever runs the tests. */
function forbidding(flags: number): FileSystem {
  const openSync = (path: string, asked: number, mode: number) => {
    if ((asked & flags) !== flags) return nodeFs.openSync(path, asked, mode);
    throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES" });
  };
  return { ...nodeFs, openSync } as unknown as FileSystem;
}

describe("sizes", () => {
  test("2,000 documents: differences are found with few nodes exchanged", async () => {
    const count = IS_LONG ? 20_000 : 2_000;
    const note = (i: number, version = 0) => ({ path: `${i % 50}/${i}.txt`, text: `note ${version}` });
    const documents = Array.from({ length: count }, (_, i) => note(i));
    const [a, b] = [await openTiny(":memory:"), await openTiny(":memory:")];
    await a.library.add(documents);
    await b.library.add([...documents].reverse());
    expect(await b.library.root()).toBe(await a.library.root());
    expect(await a.library.diff(b.library)).toStrictEqual([]);

    await b.library.add([note(77, 1), { path: "only/there.txt", text: "there" }]);
    await b.library.remove(["1/1.txt"]);
    let asked = 0;
    const remote: RemoteTree = {
      root: () => b.library.root(),
      paths: (ids) => b.library.paths(ids),
      nodes: async (prefixes) => {
        asked += prefixes.length;
        return b.library.nodes(prefixes);
      },
    };
    const differences = await a.library.diff(remote);
    const byPath = differences.map(({ path, change }) => `${path}: ${change}`).sort();
    expect(byPath).toStrictEqual([
      "1/1.txt: only here",
      "27/77.txt: different text",
      "only/there.txt: only there",
    ]);
    // The root, and a way down of log₁₆ n nodes for each difference.
    expect(asked).toBeLessThanOrEqual(1 + 3 * Math.ceil(Math.log(count) / Math.log(16)));
    await a.library.add(documents);
    const back = await b.library.diff(a.library);
    expect(back.map(({ change }) => change).sort()).toStrictEqual([
      "different text",
      "only here",
      "only there",
    ]);
    await Promise.all([a.library.close(), b.library.close()]);
  });

  test("a document of 5 MB", async () => {
    // The chunks repeat, so that embedding them takes no time; the text does not.
    const paragraph = "The quick brown fox jumps over the lazy dog, and keeps the same order.\n\n";
    const text = `# Long\n\n${paragraph.repeat(Math.ceil(5_000_000 / paragraph.length))}`;
    const opened = await openTiny(":memory:");
    const report = await opened.library.add([{ path: "long.md", text }]);
    expect(await opened.library.documents()).toMatchObject([{ bytes: text.trimEnd().length + 1 }]);
    const chunks = await opened.library.chunks("long.md");
    expect(chunks).toHaveLength(report.chunks);
    expect(chunks.length).toBeGreaterThan(10_000);
    expect(chunks.at(-1)!.end).toBe(text.trimEnd().length);
    checkIntegrity(opened.parts.database);
    expect(await opened.library.remove(["long.md"])).toMatchObject({ removed: 1 });
    expect(await opened.library.stats()).toMatchObject({ documents: 0, chunks: 0 });
    await opened.library.close();
  });
});
