/** Namespaces: opened lazily, closed and opened again behind the caller's back, apart from each other. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Library, type NamespacesOptions, open, openNamespaces } from "selfsame";
import { describe, expect, it } from "vitest";
import { codeOf, document, documents, folderForEachTest } from "./folder.ts";

const data = folderForEachTest();

describe("a folder of namespaces", () => {
  it("makes, lists, counts and drops them", async () => {
    const namespaces = await data.open();
    expect(await namespaces.list()).toEqual([]);
    for (const name of ["support", "Research", "__proto__"]) {
      const library = await namespaces.get(name);
      await library.add(documents(name, 2));
    }
    expect(await namespaces.list()).toEqual(["Research", "__proto__", "support"]);
    expect(readdirSync(join(data.path, "namespaces")).sort()).toEqual(["=52esearch", "__proto__", "support"]);
    const stats = await namespaces.stats();
    expect(Object.keys(stats)).toEqual(["Research", "__proto__", "support"]);
    expect(stats["support"]).toEqual({
      ...{ ntotal: 2, documents: 2, open: true, degraded: false, warnings: [] },
      last_snapshot: null,
      last_used: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await namespaces.drop("Research")).toBe(true);
    expect(await namespaces.drop("Research")).toBe(false);
    expect(await namespaces.list()).toEqual(["__proto__", "support"]);
    expect(await (await namespaces.get("Research")).documents()).toEqual([]);
  });

  it("gives ids of the namespace, and the answers of a single library", async () => {
    const namespaces = await data.open();
    const library = await namespaces.get("a:b");
    await library.add(documents("fox", 5));
    const single = await open(":memory:", { model: "tiny", namespace: "a:b" });
    await single.add(documents("fox", 5));
    expect(library.canon).toBe(single.canon);
    expect(await library.root()).toBe(await single.root());
    const { timings: _, ...answer } = await library.search("fox number 3");
    const { timings: __, ...expected } = await single.search("fox number 3");
    expect(answer).toEqual(expected);
    const {
      timings: ___,
      stages,
      index,
      degraded,
      ...searched
    } = await namespaces.search("a:b", "fox number 3");
    expect(searched).toEqual(expected);
    expect([degraded, index?.degraded]).toEqual([false, false]);
    expect(stages.map(({ name }) => name)).toEqual([
      "validate",
      "embed",
      "lexical",
      "semantic",
      "fusion",
      "results",
    ]);
    expect(await single.diff(library)).toEqual([]);
    await single.close();
  });

  it("refuses names that could be paths, unknown options and a missing namespace", async () => {
    const namespaces = await data.open();
    const calls: ((name: string) => Promise<unknown>)[] = [
      (name) => namespaces.get(name),
      (name) => namespaces.use(name, () => 1),
      (name) => namespaces.has(name),
      (name) => namespaces.drop(name),
      (name) => namespaces.search(name, "fox"),
    ];
    for (const call of calls)
      for (const name of ["../x", "", ".", "a/b", 7 as unknown as string])
        expect(await codeOf(call(name))).toBe("BAD_NAMESPACE");
    expect(await codeOf(namespaces.search("nowhere", "fox"))).toBe("FILE_MISSING");
    expect(await namespaces.has("nowhere")).toBe(false);
    expect(readdirSync(data.path)).toEqual([]);
    for (const options of [
      { maxActive: 0 },
      { maxActive: 1.5 },
      { waitMs: -1 },
      { namespace: "x" },
      { rebuild: true },
    ])
      expect(await codeOf(data.open(options as NamespacesOptions))).toBe("BAD_ARGUMENT");
    expect(await codeOf(openNamespaces(""))).toBe("BAD_ARGUMENT");
  });

  it("follows no link below the folder, and resolves the folder itself", async () => {
    const elsewhere = join(data.path, "elsewhere");
    mkdirSync(elsewhere);
    const link = join(data.path, "data");
    symlinkSync(elsewhere, link);
    const namespaces = await openNamespaces(link, { model: "tiny" });
    expect(namespaces.folder).toBe(elsewhere);
    const outside = join(data.path, "outside");
    mkdirSync(outside);
    mkdirSync(join(elsewhere, "namespaces"));
    symlinkSync(outside, join(elsewhere, "namespaces", "x"));
    mkdirSync(join(elsewhere, "namespaces", "y"));
    writeFileSync(join(outside, "target"), "");
    symlinkSync(join(outside, "target"), join(elsewhere, "namespaces", "y", "library.db"));
    for (const name of ["x", "y"]) {
      expect(await codeOf(namespaces.get(name))).toBe("DATABASE_CANNOT_OPEN");
    }
    expect(readdirSync(outside)).toEqual(["target"]);
    rmSync(join(elsewhere, "namespaces"), { recursive: true });
    symlinkSync(outside, join(elsewhere, "namespaces"));
    expect(await codeOf(namespaces.get("z"))).toBe("DATABASE_CANNOT_OPEN");
    expect(await codeOf(namespaces.list())).toBe("DATABASE_CANNOT_OPEN");
    expect(readdirSync(outside)).toEqual(["target"]);
    await namespaces.close();
  });

  it("reports a damaged library in its stats and opens the others", async () => {
    const namespaces = await data.open();
    await (await namespaces.get("whole")).add(documents("fox", 1));
    mkdirSync(join(data.path, "namespaces", "broken"));
    writeFileSync(join(data.path, "namespaces", "broken", "library.db"), "not a library".repeat(1000));
    const { broken, whole } = await namespaces.stats();
    expect(whole).toMatchObject({ documents: 1, degraded: false });
    expect(broken).toMatchObject({ documents: null, ntotal: null, degraded: true, open: false });
    expect(broken!.warnings).toHaveLength(1);
    await expect(namespaces.get("broken")).rejects.toThrow();
    expect(existsSync(join(data.path, "namespaces", "broken", "library.db"))).toBe(true);
  });

  it("keeps what a library was made with, whatever new ones are made with", async () => {
    const first = await data.open({ index: "hnsw" });
    await (await first.get("old")).add(documents("fox", 2));
    await first.close();
    const second = await data.open({
      index: "exact",
      chunking: { maxTokens: 64, overlapTokens: 0, maxBytes: 4096 },
    });
    expect((await second.get("old")).canonParts).toMatchObject({ index: "hnsw" });
    expect((await second.get("new")).canonParts).toMatchObject({ index: "exact", chunking: "64 0 4096" });
  });
});

describe("eviction", () => {
  it("keeps at most maxActive open, the least recently used one goes, and nobody notices", async () => {
    const namespaces = await data.open({ maxActive: 2 });
    const libraries = new Map<string, Library>();
    for (const name of ["a", "b", "c"]) {
      libraries.set(name, await namespaces.get(name));
      await libraries.get(name)!.add(documents(name, 2));
    }
    const openNow = async () =>
      Object.entries(await namespaces.stats())
        .filter(([, stats]) => stats.open)
        .map(([name]) => name);
    expect(await openNow()).toEqual(["b", "c"]);
    expect((await libraries.get("a")!.search("a number 1")).results[0]!.path).toBe("a/1.md");
    expect(await openNow()).toEqual(["a", "c"]);
    await libraries.get("a")!.close();
    expect(await openNow()).toEqual(["c"]);
    expect(await libraries.get("a")!.stats()).toMatchObject({ documents: 2 });
  });

  it("never closes one in use: others wait for a place, in order, and give up in time", async () => {
    const namespaces = await data.open({ maxActive: 1, waitMs: 300 });
    await (await namespaces.get("b")).add(documents("b", 1));
    let release = () => {};
    const held = namespaces.use("a", async (library) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return library.add(documents("a", 1)); // it is still open
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await codeOf(namespaces.get("b"))).toBe("DATABASE_BUSY");
    expect(await codeOf(namespaces.drop("a"))).toBe("DATABASE_BUSY");
    const order: string[] = [];
    const waiting = ["b", "c", "d"].map((name) => namespaces.use(name, () => order.push(name)));
    release();
    expect(await held).toMatchObject({ added: 1 });
    await Promise.all(waiting);
    expect(order).toEqual(["b", "c", "d"]);
  });

  it("gives places first come, first served, also if those that are open are always in use", async () => {
    const namespaces = await data.open({ maxActive: 2, waitMs: 5_000 });
    for (const name of ["a", "b", "c"]) await (await namespaces.get(name)).add(documents(name, 1));
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    let isOver = false;
    const calls = { a: 0, b: 0 };
    // Each namespace has always two calls that overlap, so that it is never unused by itself.
    const busy = (["a", "b"] as const).flatMap((name) =>
      [0, 10].map(async (delay) => {
        await pause(delay);
        while (!isOver) {
          await namespaces.use(name, async () => {
            await pause(20);
            // A call within one that runs may not wait behind those in line.
            await namespaces.use(name, () => undefined);
          });
          calls[name]++;
        }
      }),
    );
    await pause(50);
    for (let i = 0; i < 5; i++) {
      const { results } = await namespaces.search("c", "number 0");
      expect(results).toHaveLength(1);
    }
    const before = { ...calls };
    await pause(300);
    isOver = true;
    await Promise.all(busy);
    // The others have got their places back.
    expect([calls.a > before.a, calls.b > before.b]).toEqual([true, true]);
  });

  it("reads arguments before it returns, even if the library must be opened first", async () => {
    const namespaces = await data.open();
    const library = await namespaces.get("a");
    await library.close();
    const input = { path: "x.md", text: "The first text.", metadata: { tags: ["first"] } };
    const adding = library.add([input]);
    input.text = "The second text.";
    input.metadata.tags[0] = "second";
    await adding;
    const { results } = await library.search("first text");
    expect(results[0]).toMatchObject({
      content: "The first text.",
      document: { metadata: { tags: ["first"] } },
    });
  });

  it("refuses every call after close", async () => {
    const namespaces = await data.open();
    const library = await namespaces.get("a");
    await namespaces.close();
    expect(await codeOf(namespaces.get("a"))).toBe("BAD_ARGUMENT");
    expect(await codeOf(library.root())).toBe("BAD_ARGUMENT");
  });
});

describe("a namespace that is made with vectors of its own", () => {
  const vectors = { name: "test", dimension: 8 };
  it("is refused to those who expect another, and its threshold is none where the model makes vectors", async () => {
    const namespaces = await data.open({ dedupeThreshold: 0.95 });
    const own = await namespaces.get("own", { vectors });
    expect(own.canonParts).toMatchObject({ vectors: "external 8 test", dedupe: "950" });
    expect(own.dimension).toBe(8);
    expect((await namespaces.get("texts")).canonParts).toMatchObject({ vectors: "model", dedupe: "off" });
    expect(await codeOf(namespaces.get("own", { vectors }))).toBe("none");
    expect(await codeOf(namespaces.get("own", { vectors: "model" }))).toBe("CANON_MISMATCH");
    expect(await codeOf(namespaces.get("own", { dedupeThreshold: null }))).toBe("CANON_MISMATCH");
    expect(await codeOf(namespaces.get("other", { vectors: { name: "", dimension: 8 } }))).toBe(
      "BAD_ARGUMENT",
    );
    expect(await codeOf(namespaces.get("other", { readers: 2 } as never))).toBe("BAD_ARGUMENT");
    expect(await namespaces.list()).toEqual(["own", "texts"]);
  });
});

describe("test_namespace_isolation", () => {
  const isLong = import.meta.env.MODE === "long";
  const [research, support] = isLong ? [5000, 3000] : [120, 80];

  it("no query sees another namespace, also while namespaces are closed and opened", async () => {
    const namespaces = await data.open({ maxActive: 1 });
    await (await namespaces.get("research")).add(documents("research", research));
    await (await namespaces.get("support")).add(documents("support", support));
    // The same texts under the same paths have other ids.
    for (const name of ["research", "support"]) await (await namespaces.get(name)).add(documents("both", 3));
    const ids = new Map<string, string>();
    const asked = Array.from({ length: isLong ? 200 : 40 }, (_, i) => (i % 3 === 0 ? "support" : "research"));
    await Promise.all(
      asked.map(async (name, i) => {
        const { results, receipt } = await namespaces.search(name, `support research both number ${i}`, {
          topK: 50,
        });
        expect(results).toHaveLength(50);
        for (const { path, chunkId } of results) {
          expect(path.startsWith(`${name}/`) || path.startsWith("both/")).toBe(true);
          expect(ids.get(chunkId) ?? name).toBe(name);
          ids.set(chunkId, name);
        }
        expect(receipt).not.toBeNull();
      }),
    );
    const roots = await Promise.all(
      ["research", "support"].map(async (name) => (await namespaces.get(name)).root()),
    );
    expect(roots[0]).not.toBe(roots[1]);
    expect(await namespaces.stats()).toMatchObject({
      research: { ntotal: research + 3 },
      support: { ntotal: support + 3 },
    });
  });
});

describe("two processes", () => {
  const child = (code: string) =>
    promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      `import { openNamespaces } from "selfsame";
       const namespaces = await openNamespaces(${JSON.stringify(data.path)}, { model: "tiny", workers: 1, maxActive: 2 });
       ${code}
       await namespaces.close();`,
    ]);

  it("write to one folder at once, and see each other's documents, drops and new libraries", async () => {
    const namespaces = await data.open({ maxActive: 2 });
    const add = async (who: string) => {
      for (let i = 0; i < 6; i++) await (await namespaces.get(`n${i % 3}`)).add([document(who, i)]);
    };
    const other = child(`
      for (let i = 0; i < 6; i++)
        await (await namespaces.get("n" + (i % 3))).add([{ path: "other/" + i + ".md", text: "The other number " + i }]);`);
    await Promise.all([add("here"), other]);
    const libraries = await Promise.all(["n0", "n1", "n2"].map((name) => namespaces.get(name)));
    for (const library of libraries) expect(await library.documents()).toHaveLength(4);
    await child(
      `await namespaces.drop("n0"); await (await namespaces.get("n0")).add([{ path: "new.md", text: "new" }]);`,
    );
    expect(await libraries[0]!.documents()).toMatchObject([{ path: "new.md" }]);
  });
});
