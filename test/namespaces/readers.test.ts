/** Reader threads: the answers of the library itself, from threads that never write. */
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ModelManifest, openNamespaces, type SearchParameters } from "selfsame";
import { describe, expect, it } from "vitest";
import { LEXICAL_QUERIES, PATHS, SEMANTIC_QUERIES, TEXTS } from "../library/pool.ts";
import { codeOf, document, documents, folderForEachTest } from "./folder.ts";

const data = folderForEachTest();
const pool = PATHS.map((path, i) => ({ path, text: TEXTS[i % TEXTS.length]!, metadata: { n: i } }));

describe("reader threads", () => {
  it("give the answers of the library, bit for bit, whatever the number of threads", async () => {
    const here = await data.open();
    const threads = await data.open({ readers: 2 });
    const library = await here.get("pool");
    await library.add(pool);
    const inThreads = await threads.get("pool");
    const parameters: SearchParameters[] = [
      {},
      { mode: "semantic", topK: 3 },
      { mode: "lexical", explain: true },
      { diversify: { lambda: 0.3 }, filters: { metadata: { n: 3 } } },
      { pageSize: 2 },
    ];
    const queries = [...SEMANTIC_QUERIES, ...LEXICAL_QUERIES.slice(0, 3)];
    const asked = queries.flatMap((query) => parameters.map((each) => ({ query, each })));
    await Promise.all(
      asked.map(async ({ query, each }) => {
        const { timings: _, ...expected } = await library.search(query, each);
        const { timings: __, ...answer } = await inThreads.search(query, each);
        expect(answer).toEqual(expected);
        const {
          timings: ___,
          stages,
          index,
          degraded,
          ...searched
        } = await threads.search("pool", query, each);
        expect(searched).toEqual(expected);
      }),
    );
    const { receipt } = await library.search("how are ties broken?");
    expect(await inThreads.verifyReceipt(receipt)).toMatchObject({ isSame: true });
  });

  it("see every write at once, also those of another process or object, and write nothing", async () => {
    const namespaces = await data.open({ readers: 2, index: "hnsw" });
    const library = await namespaces.get("a");
    for (let i = 0; i < 6; i++) {
      await library.add([document("fox", i)]);
      const found = await Promise.all([0, 1, 2].map(() => library.search(`fox number ${i}`, { topK: 50 })));
      for (const { results } of found) expect(results.map(({ path }) => path)).toContain(`fox/${i}.md`);
    }
    const { mtimeNs, size } = statSync(join(data.path, "namespaces/a/library.db"), { bigint: true });
    await Promise.all(Array.from({ length: 8 }, (_, i) => library.search(`fox ${i}`)));
    const after = statSync(join(data.path, "namespaces/a/library.db"), { bigint: true });
    expect([after.mtimeNs, after.size]).toEqual([mtimeNs, size]);
    await namespaces.drop("a");
    await library.add([document("owl", 0)]);
    expect((await library.search("fox number 3")).results.map(({ path }) => path)).toEqual(["owl/0.md"]);
  });

  it("are told of bad arguments as the library is", async () => {
    const namespaces = await data.open({ readers: 1 });
    const library = await namespaces.get("a");
    await library.add(documents("fox", 2));
    expect(await codeOf(library.search(7 as unknown as string))).toBe("BAD_ARGUMENT");
    expect(await codeOf(library.search("fox", { topK: -1 }))).toBe("BAD_ARGUMENT");
    expect(await codeOf(library.search("fox", { topK: () => 1 } as never))).toBe("BAD_ARGUMENT");
    expect(await codeOf(library.verifyReceipt("{}"))).toBe("BAD_RECEIPT");
    expect(await codeOf(namespaces.search("a", "fox", {}, { timeoutMs: -1 }))).toBe("BAD_ARGUMENT");
    expect(await codeOf(data.open({ readers: -1 }))).toBe("BAD_ARGUMENT");
    expect((await library.search("fox number 1", { topK: 1 })).results[0]!.path).toBe("fox/1.md");
  });

  it("keep apart what is apart, while namespaces are closed and opened", async () => {
    const namespaces = await data.open({ readers: 2, maxActive: 1 });
    for (const name of ["a", "b", "c"]) await (await namespaces.get(name)).add(documents(name, 5));
    await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const name = ["a", "b", "c"][i % 3]!;
        const { results } = await namespaces.search(name, `a b c number ${i}`);
        expect(results).toHaveLength(5);
        expect(results.every(({ path }) => path.startsWith(`${name}/`))).toBe(true);
      }),
    );
  });
});

describe("a search with a limit of time", () => {
  it("gives the whole answer if there is time, and nothing but a warning if there is none", async () => {
    const namespaces = await data.open({ readers: 1 });
    await (await namespaces.get("a")).add(documents("fox", 3));
    const none = await namespaces.search("a", "fox number 2", {}, { timeoutMs: 0 });
    expect(none).toMatchObject({ degraded: true, receipt: null, nextCursor: null, results: [] });
    expect(none.warnings).toEqual([expect.stringContaining("longer than 0 ms")]);
    const whole = await namespaces.search("a", "fox number 2", {}, { timeoutMs: 60_000 });
    const { timings: _, ...expected } = await (await namespaces.get("a")).search("fox number 2");
    expect(whole).toMatchObject({ ...expected, degraded: false });
  });

  it.each([0, 1])("has what the words found if the model is late (%i threads)", async (readers) => {
    const first = await data.open();
    await (await first.get("a")).add(documents("fox", 3));
    const expected = await first.search("a", "fox number 2", { mode: "lexical" });
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const model = JSON.parse(readFileSync("models/tiny.json", "utf8")) as ModelManifest;
    const late = await openNamespaces(data.path, { model, modelUrl: `http://127.0.0.1:${port}/`, readers });
    try {
      await late.search("a", "fox", { mode: "lexical" }); // the thread runs, and the library is open
      const partial = await late.search("a", "fox number 2", {}, { timeoutMs: 1500 });
      expect(partial).toMatchObject({ degraded: true, receipt: null, mode: "hybrid" });
      expect(partial.results.map(({ path }) => path)).toEqual(expected.results.map(({ path }) => path));
      expect(partial.results.length).toBeGreaterThan(0);
      expect(partial.warnings).toEqual([expect.stringContaining("only words were searched")]);
    } finally {
      silent.close();
      silent.closeAllConnections();
      await late.close();
    }
  });
});
