/** Libraries that stay: over reloads, in several tabs at once, through closed tabs and full disks. Both places to keep them. */
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DocumentInput, open } from "#dist/index.js";
import { corpus, notes } from "./corpus.ts";
import { BROWSERS, beforeWorker, launch, NO_OPFS, openPage, quit, type Site, serve } from "./harness.ts";

const TINY = { model: "tiny" } as const;
const QUERY = "how are ties broken?";

/** What Node has after the same documents. */
async function inNode(documents: readonly DocumentInput[]): Promise<string> {
  const library = await open(":memory:", TINY);
  await library.add(documents);
  const { timings: _, ...answer } = await library.search(QUERY);
  const state = JSON.stringify({ root: await library.root(), stats: await library.stats(), answer });
  await library.close();
  return state;
}

/** The same of a library in a page, opened anew. */
function inPage(page: Page, name: string): Promise<string> {
  return page.evaluate(
    async (library, query) => {
      const opened = await selfsame.open(library, { model: "tiny", timeoutMs: 30_000 });
      const { timings: _, ...answer } = await opened.search(query);
      const state = JSON.stringify({ root: await opened.root(), stats: await opened.stats(), answer });
      await opened.close();
      return state;
    },
    name,
    QUERY,
  );
}

/** Opens a library that stays open in the page, as `library`. */
function keepOpen(page: Page, name: string): Promise<string> {
  return page.evaluate(async (library) => {
    const opened = await selfsame.open(library, { model: "tiny", timeoutMs: 30_000 });
    Object.assign(globalThis, { library: opened });
    return opened.storage.kind;
  }, name);
}

function add(page: Page, documents: readonly DocumentInput[]): Promise<number> {
  return page.evaluate(async (given) => {
    const { added } = await library.add(given);
    return added;
  }, documents);
}

declare global {
  var library: Awaited<ReturnType<typeof selfsame.open>>;
}

const PLACES = [
  { kind: "opfs", lacks: "" },
  { kind: "indexeddb", lacks: NO_OPFS },
] as const;

describe.each(BROWSERS.flatMap((browser) => PLACES.map((place) => ({ name: browser, ...place }))))(
  "$name on $kind",
  ({ name, kind, lacks }) => {
    let site: Site;
    let browser: Browser;
    let kept: string;
    let attempts = 0;
    beforeAll(async () => {
      site = await serve();
      beforeWorker(site, lacks);
      browser = await launch(name);
    });
    afterAll(async () => {
      await quit(browser);
      await site?.stop();
    });
    // A library for each attempt: a second one must not find what the first has left.
    beforeEach(() => {
      kept = `attempt-${++attempts}`;
    });

    it("finds everything again after a reload, with Node's answer", async () => {
      const page = await openPage(browser, site);
      expect(await keepOpen(page, kept)).toBe(kind);
      expect(await add(page, corpus)).toBe(corpus.length);
      await page.reload();
      await page.waitForFunction("globalThis.selfsame !== undefined");
      expect(await inPage(page, kept)).toBe(await inNode(corpus));
      await page.close();
    });

    it("shows in one tab what another has written, and taken out", async () => {
      const [here, there] = [await openPage(browser, site), await openPage(browser, site)];
      for (const page of [here, there]) await keepOpen(page, kept);
      const paths = (page: Page) =>
        page.evaluate(async () => {
          const { results } = await library.search("ties sequence", { topK: 100 });
          return results.map(({ path }) => path).sort();
        });
      for (let round = 0; round < 3; round++) {
        await add(here, notes(`here${round}`, 3));
        expect(await paths(there)).toHaveLength(6 * round + 3);
        await add(there, notes(`there${round}`, 3));
        expect(await paths(here)).toHaveLength(6 * round + 6);
      }
      await here.evaluate(() => library.remove(["here0/0.md", "there1/2.md"]));
      expect(await paths(there)).toEqual(await paths(here));
      expect(await paths(there)).toHaveLength(16);
      for (const page of [here, there]) await page.close();
    });

    it("lets two tabs write at once, and ends where Node ends", async () => {
      const [here, there] = [await openPage(browser, site), await openPage(browser, site)];
      for (const page of [here, there]) await keepOpen(page, kept);
      const writeAll = (page: Page, documents: readonly DocumentInput[]) =>
        page.evaluate(async (given) => {
          for (let i = 0; i < given.length; i += 4) {
            await library.add(given.slice(i, i + 4));
            await library.search("ties");
          }
        }, documents);
      const [ours, theirs] = [notes("a", 60), notes("b", 60)];
      await Promise.all([writeAll(here, ours), writeAll(there, theirs)]);
      const expected = await inNode([...ours, ...theirs]);
      expect(await inPage(here, kept)).toBe(expected);
      expect(await inPage(there, kept)).toBe(expected);
      for (const page of [here, there]) await page.close();
    });

    it("loses nothing that was reported when a tab is closed in the middle of indexing", async () => {
      const documents = notes("long", 3000);
      for (let round = 0; round < 3; round++) {
        const page = await openPage(browser, site);
        await keepOpen(page, kept);
        const done = await page.evaluate(
          (given, least) =>
            new Promise<number>((resolve) => {
              // Not awaited: the tab goes while it runs.
              void library.add(given, {
                onProgress: ({ documents: count }) => count >= least && resolve(count),
              });
            }),
          documents,
          // Past a batch or two, and at another point in each round.
          400 * round + 256,
        );
        await page.close();
        const next = await openPage(browser, site);
        await keepOpen(next, kept);
        const { count, paths } = await next.evaluate(async () => ({
          count: (await library.stats()).documents,
          paths: (await library.documents()).map(({ path }) => path),
        }));
        expect(count).toBeGreaterThanOrEqual(done);
        expect(paths).toHaveLength(count);
        await next.close();
      }
      const last = await openPage(browser, site);
      await keepOpen(last, kept);
      await add(last, documents);
      expect(await inPage(last, kept)).toBe(await inNode(documents));
      await last.close();
    });
  },
);
