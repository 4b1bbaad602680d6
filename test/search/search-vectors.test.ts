import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSearch } from "#dist/conformance/search.js";
import { fromHex } from "#dist/engine/digest.js";
import type { Build } from "#dist/engine/engine.js";
import { Library } from "#dist/library/library.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { openParts } from "#dist/library/open.js";
import vectors from "../../test-vectors/search.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { readCorpus } from "../reference/corpus.ts";
import { cosine } from "../reference/ranking.ts";
import { generate } from "../reference/search.vectors.ts";
import { scratchFolder } from "../store/scratch.ts";

const isLong = import.meta.env.MODE === "long";
const folder = scratchFolder();
const stored = join(folder, "simd.db");

async function openBuild(file: string, build: Build): Promise<{ library: Library; parts: LibraryParts }> {
  const parts = await openParts(file, { build });
  return { library: new Library(parts), parts };
}

/** From the last document to the first, in batches, with one that is taken out again: histories leave no trace. */
async function fill(library: Library): Promise<void> {
  await library.add([{ path: "stray.md", text: "# Stray\n\nA merkle tree in the way of verification.\n" }]);
  const documents = readCorpus().reverse();
  for (let i = 0; i < documents.length; i += 7) await library.add(documents.slice(i, i + 7));
  await library.remove(["stray.md"]);
}

let simd: { library: Library; parts: LibraryParts };
beforeAll(async () => {
  simd = await openBuild(stored, "simd");
  await fill(simd.library);
});
afterAll(() => simd.library.close());

describe("the reference", () => {
  // Its own embeddings take minutes. The engine's are the same, as other vectors show, and spare them in most runs.
  const embedByEngine = async (texts: readonly string[]): Promise<Int16Array[]> => {
    const { library, parts } = simd;
    const index = await parts.semantic.current(await library.root());
    const documents = await library.documents();
    const chunks = (await Promise.all(documents.map(({ path }) => library.chunks(path)))).flat();
    const known = new Map(chunks.map(({ text, chunkId }) => [text, index.vector(fromHex(chunkId))!]));
    return Promise.all(
      texts.map(async (text) => known.get(text) ?? ((await parts.embedder.embed(text)) as Int16Array)),
    );
  };

  it("gives the committed vectors", async () => {
    const made = isLong ? await generate() : await generate(embedByEngine);
    expect(JSON.parse(JSON.stringify(made))).toEqual(vectors);
    // The plain model takes seconds a text, and a new clone has none of them in its cache.
  }, 3_600_000);
});

describe("search", () => {
  it("by the build simd passes the vectors", async () => {
    expect(await checkSearch(simd.library, vectors)).toMatchObject(allPassed(vectors.cases, ["the library"]));
  });

  // In most runs they search what simd has embedded, with queries of their own making; in long ones they embed it all.
  it.each([
    ["soft", 8],
    ["scalar", 24],
  ] as const)("by the build %s passes the vectors", async (build, each) => {
    const file = join(folder, `${build}.db`);
    if (!isLong) copyFileSync(stored, file);
    const { library } = await openBuild(file, build);
    try {
      if (isLong) await fill(library);
      const cases = isLong ? vectors.cases : vectors.cases.filter((_, i) => i % each === 0);
      expect(await checkSearch(library, { ...vectors, cases })).toMatchObject(
        allPassed(cases, ["the library"]),
      );
    } finally {
      await library.close();
    }
  });

  it("gives results that are unlike each other where it is asked to", async () => {
    const { library, parts } = simd;
    const query = "backup"; // of which eleven chunks tell, five of them the same in other words
    const index = await parts.semantic.current(await library.root());
    const mostAlike = async (diversify: boolean): Promise<number> => {
      const { results } = await library.search(query, { topK: 5, diversify });
      const found = results.map(({ chunkId }) => index.vector(fromHex(chunkId))!);
      return Math.max(...found.flatMap((a, i) => found.slice(0, i).map((b) => cosine(a, b))));
    };
    expect(await mostAlike(false)).toBeGreaterThan(0.9);
    expect(await mostAlike(true)).toBeLessThan(0.9);
  });
});
