/** What a browser may lack, and what becomes of a library then: said clearly, with nothing lost. */
import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { open } from "#dist/index.js";
import { notes } from "./corpus.ts";
import { BROWSERS, beforeWorker, launch, NO_OPFS, openPage, quit, type Site, serve } from "./harness.ts";

let site: Site;
beforeAll(async () => {
  site = await serve();
});
afterAll(() => site.stop());
afterEach(() => {
  site.intercept = () => null;
});

describe.each(["", NO_OPFS])("chromium, no more room (%s)", (lacks) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch("chromium");
  });
  afterAll(() => quit(browser));

  const quota = async (page: Page, quotaSize?: number) => {
    const session = await page.createCDPSession();
    await session.send("Storage.overrideQuotaForOrigin", {
      origin: site.origin,
      ...(quotaSize === undefined ? {} : { quotaSize }),
    });
  };

  it("is a QUOTA_EXCEEDED; what was added before stays, and answers; with room again, adding goes on", async () => {
    beforeWorker(site, lacks);
    const page = await openPage(browser, site);
    const [few, many] = [notes("few", 20), notes("many", 2000)];
    // Chromium looks at IndexedDB's room once and remembers it for half a minute; files take theirs in large pieces.
    if (lacks !== "") await quota(page, 1_500_000);
    const { usage } = await page.evaluate(async (given) => {
      const opened = await selfsame.open("full", { model: "tiny" });
      await opened.add(given);
      Object.assign(globalThis, { library: opened });
      return opened.room();
    }, few);
    if (lacks === "") await quota(page, usage! + 300_000);
    const during = await page.evaluate(async (given) => {
      const error = await library.add(given).then(
        () => null,
        (thrown) => [thrown instanceof selfsame.SelfsameError, thrown.code, thrown.hint !== ""],
      );
      const { results } = await library.search("ties", { filters: { path: "few/*" } });
      const documents = await library.documents();
      return {
        error,
        results: results.length,
        count: documents.length,
        paths: documents.map(({ path }) => path),
      };
    }, many);
    expect(during.error).toEqual([true, "QUOTA_EXCEEDED", true]);
    expect(during.results).toBeGreaterThan(0);
    expect(during.count).toBeLessThan(2020);
    for (const { path } of few) expect(during.paths).toContain(path);
    await quota(page);
    const after = await page.evaluate(async (given) => {
      for (let tries = 0; ; tries++) {
        try {
          await library.add(given);
          return library.root();
        } catch (error) {
          if (tries === 20) throw error;
          await new Promise((resume) => setTimeout(resume, 5000));
        }
      }
    }, many);
    const inNode = await open(":memory:", { model: "tiny" });
    await inNode.add([...few, ...many]);
    expect(after).toBe(await inNode.root());
    await inNode.close();
    await page.close();
  });
});

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(name);
  });
  afterAll(() => quit(browser));

  const opened = async () => {
    const page = await openPage(browser, site);
    const got = await page.evaluate(async () => {
      try {
        const library = await selfsame.open("lacking", { model: "tiny" });
        await library.add([{ path: "a.md", text: "Ties are broken by path." }]);
        const { receipt } = await library.search("ties");
        const { build, storage } = library;
        await library.close();
        return { build, kind: storage.kind, hasReason: storage.reason !== null, digest: receipt.digest };
      } catch (error) {
        return [
          error instanceof selfsame.SelfsameError && error.code,
          error instanceof selfsame.SelfsameError && error.hint !== "",
        ];
      }
    });
    await page.close();
    return got;
  };

  it("without SIMD: another build, the same receipt", async () => {
    const whole = await opened();
    expect(whole).toMatchObject({ build: "simd", kind: "opfs", hasReason: false });
    // A module that no browser takes, as an unknown instruction would be.
    site.intercept = (path) =>
      path.endsWith("engine.simd.wasm") ? new Uint8Array([0, 97, 115, 109, 9]) : null;
    expect(await opened()).toEqual({ ...whole, build: "soft" });
  });

  it("without files for a site: IndexedDB, with the reason", async () => {
    beforeWorker(site, NO_OPFS);
    expect(await opened()).toMatchObject({ kind: "indexeddb", hasReason: true });
  });

  it("without any place, or without locks: a typed error with a way out", async () => {
    beforeWorker(
      site,
      `${NO_OPFS} delete globalThis.indexedDB; Object.defineProperty(globalThis, "indexedDB", { get() { throw new DOMException("no", "SecurityError"); } });`,
    );
    expect(await opened()).toEqual(["DATABASE_CANNOT_OPEN", true]);
    beforeWorker(site, "Object.defineProperty(WorkerNavigator.prototype, 'locks', { value: undefined });");
    expect(await opened()).toEqual(["DATABASE_CANNOT_OPEN", true]);
  });

  it("with another file in SQLite's place, or none: a typed error", async () => {
    site.intercept = (path) => (path.endsWith("sqlite.wasm") ? new Uint8Array(8) : null);
    expect(await opened()).toEqual(["ENGINE_REFUSED", true]);
    site.intercept = (path) => (path.endsWith("sqlite.wasm") ? 404 : null);
    expect(await opened()).toEqual(["FILE_MISSING", true]);
  });
});
