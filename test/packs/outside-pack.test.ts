/** Outside chunks in packs: as they came, with their vectors and sparse weights; the root proves them. SPEC §27.3 and §27.4 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Library } from "#dist/library/library.js";
import { openNamespaces } from "#dist/namespaces/open-namespaces.js";
import { openTiny, TINY } from "../library/opened.ts";
import { sampleChunks } from "../library/outside-sample.ts";
import { inPieces, notes, packOf } from "./packed.ts";

const open: Library[] = [];
afterEach(async () => {
  for (const library of open.splice(0)) await library.close();
});

async function library(options = {}): Promise<Library> {
  const opened = await openTiny(":memory:", options);
  open.push(opened.library);
  return opened.library;
}

const EXTERNAL = { vectors: { name: "made-up", dimension: 16 }, dedupeThreshold: 0.9 };

describe("outside chunks", () => {
  it("come with their vectors, which need no verification, and near-duplicates are found again", async () => {
    const source = await library(EXTERNAL);
    const chunks = sampleChunks(60, 16);
    await source.ingest([
      ...chunks,
      { ...chunks[3]!, uuid: "ffffffff-0000-4000-8000-000000000000", doc_id: "twin" },
    ]);
    expect((await source.stats()).duplicates).toBeGreaterThan(0);
    const pack = await packOf(source);
    const target = await library(EXTERNAL);
    expect(await target.importPack(inPieces(pack, 777))).toMatchObject({
      added: 13,
      vectors: 0,
      embedded: 0,
    });
    expect(await target.root()).toBe(await source.root());
    expect(await target.metadataRoot()).toBe(await source.metadataRoot());
    expect((await target.stats()).duplicates).toBe((await source.stats()).duplicates);
    expect(await target.outsideChunks()).toEqual(await source.outsideChunks());
    expect(await packOf(target)).toEqual(pack);
    expect((await target.check()).isSound).toBe(true);
    await expect(packOf(source, { vectorsOnly: true })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect((await library()).importPack(pack)).rejects.toMatchObject({ code: "CANON_MISMATCH" });
  });

  it("stand beside texts in a library of the model, and replace or lose chunks as an ingest does", async () => {
    const source = await library();
    await source.add(notes(6));
    await source.ingest(sampleChunks(20, 0));
    const target = await library();
    await target.ingest(sampleChunks(20, 0, 4));
    await target.importPack(await packOf(source), { replace: true });
    expect(await target.root()).toBe(await source.root());
    expect(await target.metadataRoot()).toBe(await source.metadataRoot());
    expect((await target.check({ full: true })).isSound).toBe(true);
    expect(await target.importPack(await packOf(source))).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: 10,
    });
  });
});

describe("a library of a namespace", () => {
  it("exports while it stays open, and imports", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packs-"));
    try {
      const namespaces = await openNamespaces(folder, TINY);
      const pack = await namespaces.use("one", async (each) => {
        await each.add(notes(8));
        return packOf(each);
      });
      await namespaces.use("two", async (each) => {
        const stopped = each.exportPack()[Symbol.asyncIterator]();
        await stopped.next();
        await stopped.return!(undefined);
        const { namespace } = each.canonParts;
        expect(await each.importPack(pack, { as: namespace })).toMatchObject({ added: 8 });
      });
      await namespaces.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
