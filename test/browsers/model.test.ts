/** The model's files: downloaded once with progress, checked, kept; what a server changes later does no harm. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BROWSERS, launch, openPage, PACKAGE_FOLDERS, quit, type Site, serve } from "./harness.ts";

const WEIGHTS = "/model/model/model.fp16.safetensors";

/** The weights with one bit turned. */
function damagedWeights(): Uint8Array {
  const bytes = readFileSync(join(PACKAGE_FOLDERS["/model/"]!, "model/model.fp16.safetensors"));
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
}

/** Opens a library, adds a document, searches, and says what came of it. */
function tryModel(page: Page) {
  return page.evaluate(async () => {
    const { SelfsameError } = selfsame;
    const progress: [bytes: number, total: number][] = [];
    const library = await selfsame.open(":memory:", {
      modelUrl: "/model/",
      onProgress: ({ file, bytes, bytesTotal }) => {
        if (file.includes("weights") || file.includes("safetensors")) progress.push([bytes, bytesTotal]);
      },
    });
    const adding = library.add([{ path: "a.md", text: "Ties are broken by path." }]);
    const error = await adding.then(
      () => null,
      (thrown) => [thrown instanceof SelfsameError, thrown.code],
    );
    const { results, warnings } = await library.search("ties");
    await library.close();
    return { error, results: results.length, warnings, progress };
  });
}

describe.each(BROWSERS)("%s", (name) => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    site = await serve();
  });
  afterAll(() => site.stop());
  // A fresh profile each time: an empty cache.
  beforeEach(async () => {
    browser = await launch(name);
    page = await openPage(browser, site);
  });
  afterEach(async () => {
    site.intercept = () => null;
    site.requests.length = 0;
    await quit(browser);
  });

  const downloads = () => site.requests.filter((path) => path === WEIGHTS).length;

  it("is downloaded once, whoever wants it, and tells how far it is", async () => {
    const pages = [page, await openPage(browser, site)];
    const got = await Promise.all(pages.map(tryModel));
    expect(got.map(({ error, results }) => [error, results])).toEqual([
      [null, 1],
      [null, 1],
    ]);
    expect(downloads()).toBe(1);
    const progress = got.flatMap((each) => each.progress);
    expect(progress.length).toBeGreaterThan(3);
    expect(progress.at(-1)).toEqual([45_441_937, 45_441_937]);
  });

  it("is not asked for again after a reload, so that a changed or missing file on the server does no harm", async () => {
    await tryModel(page);
    for (const instead of [404, damagedWeights()]) {
      site.intercept = (path) => (path.startsWith("/model/") ? instead : null);
      await page.reload();
      await page.waitForFunction("globalThis.selfsame !== undefined");
      expect(await tryModel(page)).toEqual({ error: null, results: 1, warnings: [], progress: [] });
    }
    expect(downloads()).toBe(1);
  });

  it("is refused if it is not the one that the manifest names; nothing is kept of it, and the right one is taken later", async () => {
    const damaged = damagedWeights();
    for (const instead of [damaged, damaged.subarray(1), 500]) {
      site.intercept = (path) => (path === WEIGHTS ? instead : null);
      const { error, results, warnings } = await tryModel(page);
      expect(error).toEqual([true, instead === 500 ? "FILE_MISSING" : "BAD_MODEL"]);
      expect(results).toBe(0);
      expect(warnings.join()).toContain(instead === 500 ? "FILE_MISSING" : "BAD_MODEL");
    }
    site.intercept = () => null;
    expect(await tryModel(page)).toMatchObject({ error: null, results: 1, warnings: [] });
  });

  it("serves with the network off, also texts that were never seen", async () => {
    await page.evaluate(async () => {
      const library = await selfsame.open("offline", { modelUrl: "/model/" });
      await library.add([{ path: "a.md", text: "Ties are broken by path." }]);
      Object.assign(globalThis, { library });
    });
    await site.stop();
    try {
      const got = await page.evaluate(async () => {
        const { embedded } = await library.add(
          // Enough for threads of their own, which load the model from the cache.
          Array.from({ length: 80 }, (_, i) => ({ path: `${i}.md`, text: `Note ${i}: rain and snow` })),
        );
        const { results, warnings } = await library.search("weather", { mode: "semantic", topK: 5 });
        const stopped = await selfsame.open("other").then(
          () => null,
          (error) => [error instanceof selfsame.SelfsameError, error.code],
        );
        return { embedded, results: results.length, warnings, stopped };
      });
      expect(got).toEqual({ embedded: 80, results: 5, warnings: [], stopped: [true, "WORKER_FAILED"] });
    } finally {
      await site.start();
    }
  });
});
