/** Packs between libraries: what goes in comes out, bit by bit, and two devices write the same bytes. SPEC §27 */
import { afterEach, describe, expect, it } from "vitest";
import type { Library } from "#dist/library/library.js";
import { openTiny } from "../library/opened.ts";
import { inPieces, libraryWith, notes, packOf } from "./packed.ts";

const open: Library[] = [];
afterEach(async () => {
  for (const library of open.splice(0)) await library.close();
});

async function empty(options = {}) {
  const opened = await openTiny(":memory:", options);
  open.push(opened.library);
  return opened;
}

async function filled(count: number, options = {}) {
  const opened = await libraryWith(count, options);
  open.push(opened.library);
  return opened;
}

async function isEqual(a: Library, b: Library) {
  expect(await b.root()).toBe(await a.root());
  expect(await b.metadataRoot()).toBe(await a.metadataRoot());
  const asked = ["ties number 7", { mode: "hybrid", explain: true }] as const;
  const answer = (await a.search(...asked)).receipt;
  expect((await b.search(...asked)).receipt).toEqual(answer);
}

describe("a pack of a library", () => {
  it("makes an equal library, without embedding but a sample", async () => {
    const { library } = await filled(60);
    const pack = await packOf(library);
    const { library: other } = await empty();
    const report = await other.importPack(pack);
    expect(report).toMatchObject({
      added: 60,
      updated: 0,
      unchanged: 0,
      removed: 0,
      embedded: 0,
      verified: 16,
    });
    expect(report.vectors).toBe((await library.stats()).embeddings);
    expect(report.packRoot).toBe(await library.root());
    expect(report.root).toBe(await library.root());
    await isEqual(library, other);
    expect((await other.check({ full: true })).isSound).toBe(true);
  });

  it("has the same bytes on every device with the same documents, whatever their histories", async () => {
    const { library } = await filled(40);
    const { library: other } = await filled(55);
    await other.remove(
      notes(55)
        .slice(40)
        .map(({ path }) => path),
    );
    await other.add([{ path: "notes/a/0.md", text: "another text" }]);
    await other.add(notes(1));
    const pack = await packOf(library);
    expect(await packOf(other)).toEqual(pack);
    const { library: third } = await empty();
    await third.importPack(inPieces(pack, 1000), { verify: "none" });
    expect(await packOf(third)).toEqual(pack);
  });

  it("is of nothing, if the library is empty", async () => {
    const { library } = await empty();
    const { library: other } = await filled(3);
    const pack = await packOf(library);
    expect(await other.importPack(pack)).toMatchObject({ added: 0, unchanged: 0, removed: 0 });
    expect(await other.importPack(pack, { replace: true })).toMatchObject({ removed: 3 });
    await isEqual(library, other);
  });

  it("of several sections is read in pieces of any size, once or again and again", async () => {
    const { library } = await empty();
    // Metadata fills sections without being cut and embedded.
    const long = Array.from({ length: 8000 }, (_, i) => `word ${i} of ${(i * 7919) % 8000}`);
    const texts = notes(14).map((note, i) => ({ ...note, metadata: { i, long } }));
    await library.add(texts);
    const pack = await packOf(library);
    let opened = 0;
    const sources = [
      pack,
      new Blob([pack]),
      inPieces(pack, 99_991),
      new Blob([pack]).stream(),
      () => {
        opened++;
        return inPieces(pack, 65_536);
      },
    ];
    for (const source of sources) {
      const { library: other } = await empty();
      await other.importPack(source, { verify: "none" });
      await isEqual(library, other);
    }
    expect(opened).toBe(2);
  });

  it("merges, and with replace makes the library equal", async () => {
    const { library } = await filled(20);
    const pack = await packOf(library);
    const { library: other } = await empty();
    await other.add([
      { path: "notes/a/0.md", text: "An older state of the first note." },
      { path: "mine.md", text: "Only here." },
    ]);
    expect(await other.importPack(pack)).toMatchObject({ added: 19, updated: 1, unchanged: 0, removed: 0 });
    expect(await other.document("mine.md")).not.toBeNull();
    expect(await other.importPack(pack, { replace: true })).toMatchObject({ unchanged: 20, removed: 1 });
    await isEqual(library, other);
  });

  it("changes metadata alone without cutting texts again", async () => {
    const { library } = await filled(5);
    const { library: other } = await filled(5);
    await library.add([{ ...notes(1)[0]!, metadata: { changed: true } }]);
    const report = await other.importPack(await packOf(library));
    expect(report).toMatchObject({ updated: 1, unchanged: 4, chunks: 0, vectors: 0 });
    await isEqual(library, other);
  });
});

describe("a part of a library", () => {
  it("is the documents below bit prefixes, which add up to the whole", async () => {
    const { library } = await filled(60);
    const { library: other } = await empty();
    const report = await other.importPack(await packOf(library, { prefixes: ["1", "00"] }));
    const { library: rest } = await empty();
    const last = await rest.importPack(await packOf(library, { prefixes: ["01"] }));
    expect(report.added + last.added).toBe(60);
    expect(report.packRoot).toBe(await other.root());
    expect(last.packRoot).toBe(await rest.root());
    await other.importPack(await packOf(rest));
    await isEqual(library, other);
  });

  it("replaces what is below its prefixes alone", async () => {
    const { library } = await filled(30);
    const { library: other } = await filled(60);
    const half = await packOf(library, { prefixes: ["0"] });
    const { removed } = await other.importPack(half, { replace: true });
    expect(removed).toBeGreaterThan(0);
    const both = await Promise.all([library, other].map((each) => packOf(each, { prefixes: ["0"] })));
    expect(both[1]).toEqual(both[0]);
    await other.importPack(await packOf(library, { prefixes: ["1"] }), { replace: true });
    await isEqual(library, other);
  });

  it("is one document, by all bits of its id", async () => {
    const { library } = await filled(20);
    const ids = (await library.documents()).map(({ documentId }) => documentId);
    const bits = [...ids[3]!]
      .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0"))
      .join("");
    const { library: other } = await empty();
    expect(await other.importPack(await packOf(library, { prefixes: [bits] }))).toMatchObject({ added: 1 });
  });

  it("is chosen by path", async () => {
    const { library } = await filled(30);
    const { library: other } = await empty();
    const pack = await packOf(library, { paths: ["notes/a/**"] });
    expect(await other.importPack(pack)).toMatchObject({ added: 10 });
    expect((await other.documents()).every(({ path }) => path.startsWith("notes/a/"))).toBe(true);
    await expect(other.importPack(pack, { replace: true })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  it("is texts without vectors, which are then embedded here", async () => {
    const { library } = await filled(12);
    const { library: other } = await empty();
    const report = await other.importPack(await packOf(library, { vectors: false }));
    expect(report).toMatchObject({ added: 12, vectors: 0, embedded: (await library.stats()).embeddings });
    await isEqual(library, other);
  });

  it("is vectors alone, for texts that are indexed afterwards", async () => {
    const { library } = await filled(12);
    const { library: other } = await empty();
    const pack = await packOf(library, { vectorsOnly: true });
    const { embeddings } = await library.stats();
    expect(await other.importPack(pack)).toMatchObject({ added: 0, vectors: embeddings, verified: 0 });
    expect(await other.add(notes(12))).toMatchObject({ embedded: 0 });
    await isEqual(library, other);
    const { library: third } = await filled(12);
    expect(await third.importPack(pack)).toMatchObject({ vectors: 0, verified: embeddings });
    const { library: careful } = await empty();
    expect(await careful.importPack(pack, { verify: "all" })).toMatchObject({ vectors: 0 });
  });

  it("is what the receiver chooses, under the paths that it chooses", async () => {
    const { library } = await filled(6);
    const { library: other } = await empty();
    const offered: string[] = [];
    const report = await other.importPack(await packOf(library), {
      choose: ({ path, text, modifiedAt, isOutside }) => {
        offered.push(path);
        expect(isOutside).toBe(false);
        if (path === "notes/a/0.md") return { path: "copy/0.md" };
        expect(text()).toContain("# Note");
        return modifiedAt === null ? "take" : "leave";
      },
    });
    expect(offered).toHaveLength(6);
    expect(report).toMatchObject({ added: 4, left: 2 });
    expect(await other.document("copy/0.md")).not.toBeNull();
    await expect(
      other.importPack(await packOf(library), {
        choose: () => {
          throw new Error("no");
        },
      }),
    ).rejects.toThrow("no");
  });
});

describe("a pack of another kind", () => {
  it("of another namespace is refused, or its ids are derived again", async () => {
    const { library } = await filled(10, { namespace: "mine" });
    const { library: other } = await empty({ namespace: "theirs" });
    const pack = await packOf(library);
    await expect(other.importPack(pack)).rejects.toMatchObject({ code: "NAMESPACE_MISMATCH" });
    await expect(other.importPack(pack, { as: "mine" })).rejects.toMatchObject({
      code: "NAMESPACE_MISMATCH",
    });
    expect((await other.stats()).documents).toBe(0);
    await other.add([{ path: "gone.md", text: "Not in the pack." }]);
    const report = await other.importPack(pack, { as: "theirs", replace: true });
    expect(report).toMatchObject({ added: 10, removed: 1 });
    const { library: same } = await filled(10, { namespace: "theirs" });
    await isEqual(same, other);
  });

  it("of other chunks is refused", async () => {
    const { library } = await filled(3, { chunking: { maxTokens: 64, overlapTokens: 8, maxBytes: 4096 } });
    const { library: other } = await empty();
    const refused = other.importPack(await packOf(library));
    await expect(refused).rejects.toMatchObject({ code: "CANON_MISMATCH", details: { parts: "chunking" } });
  });

  it("of another index is taken: documents and vectors are the same", async () => {
    const { library } = await filled(5, { index: "hnsw" });
    const { library: other } = await empty();
    expect(await other.importPack(await packOf(library))).toMatchObject({ added: 5 });
    expect(await other.root()).toBe(await library.root());
  });
});

describe("an export", () => {
  it("ends with PACK_OUTDATED if the library changes meanwhile", async () => {
    const { library } = await filled(10);
    const pieces = library.exportPack()[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.next();
    await library.add([{ path: "new.md", text: "New." }]);
    const rest = (async () => {
      while ((await pieces.next()).done !== true);
    })();
    await expect(rest).rejects.toMatchObject({ code: "PACK_OUTDATED" });
  });

  it("is stopped by its signal, and reports its progress", async () => {
    const { library } = await filled(10);
    await expect(packOf(library, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    const events: number[] = [];
    await packOf(library, { onProgress: ({ documents }) => events.push(documents) });
    expect(events.at(-1)).toBe(10);
  });

  it("refuses prefixes within another, and both kinds at once", async () => {
    const { library } = await filled(1);
    for (const options of [
      { prefixes: ["0", "01"] },
      { prefixes: ["2"] },
      { prefixes: [] },
      { prefixes: ["0"], paths: ["*"] },
    ])
      await expect(packOf(library, options)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});
