/** What a browser may lack, and what becomes of a library then: said clearly, with nothing lost. */
import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DocumentInput, open } from "#dist/index.js";
import { notes } from "./corpus.ts";
import {
  BROWSERS,
  beforeWorker,
  launch,
  NO_OPFS,
  NO_PLACE,
  openPage,
  quit,
  type Site,
  serve,
} from "./harness.ts";

let site: Site;
beforeAll(async () => {
  site = await serve();
});
afterAll(() => site.stop());
afterEach(() => {
  site.intercept = () => null;
});

async function rootInNode(documents: readonly DocumentInput[]): Promise<string> {
  const library = await open(":memory:", { model: "tiny" });
  await library.add(documents);
  const root = await library.root();
  await library.close();
  return root;
}

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
    expect(after).toBe(await rootInNode([...few, ...many]));
    await page.close();
  });
});

describe("firefox, no more room", () => {
  let browser: Browser;
  beforeAll(async () => {
    // In KiB; of it a site may have a fifth, and at least 10 MiB.
    browser = await launch("firefox", [], { "dom.quotaManager.temporaryStorage.fixedLimit": 40 * 1024 });
  });
  afterAll(() => quit(browser));

  it("is a QUOTA_EXCEEDED; what was added before stays, answers and can be removed, and small documents still fit", async () => {
    const page = await openPage(browser, site);
    const [few, late] = [notes("few", 20), notes("late", 20)];
    const large = notes("large", 10).map(({ path, text }) => ({
      path,
      text: `${text}${"room ".repeat(100_000)}`,
    }));
    const got = await page.evaluate(
      async (first, rest, last) => {
        const library = await selfsame.open("full", { model: "tiny", persist: false });
        await library.add(first);
        let added = 0;
        let error: unknown[] = [];
        for (const document of rest) {
          try {
            await library.add([document]);
            added++;
          } catch (thrown) {
            const { SelfsameError } = selfsame;
            error = thrown instanceof SelfsameError ? [thrown.code, thrown.hint !== ""] : [thrown];
            break;
          }
        }
        const documents = (await library.documents()).length;
        const { results } = await library.search("ties", { filters: { path: "few/*" } });
        await library.remove([first[0]!.path]);
        await library.add(last);
        const root = await library.root();
        await library.close();
        return { added, error, documents, results: results.length, root };
      },
      few,
      large,
      late,
    );
    expect(got.error).toEqual(["QUOTA_EXCEEDED", true]);
    expect(got.documents).toBe(20 + got.added);
    expect(got.results).toBeGreaterThan(0);
    expect(got.root).toBe(await rootInNode([...few.slice(1), ...large.slice(0, got.added), ...late]));
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
    beforeWorker(site, NO_PLACE);
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
