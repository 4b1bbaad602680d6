/** An app that Vite has built, with `selfsame/browser` as its dependency, works like the plain page. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, openPage, PACKAGE_FOLDERS, quit, serve } from "./harness.ts";

let app: string;
beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), "selfsame-app-"));
  mkdirSync(join(app, "node_modules"));
  symlinkSync(join(import.meta.dirname, "../.."), join(app, "node_modules/selfsame"));
  writeFileSync(
    join(app, "index.html"),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>',
  );
  writeFileSync(
    join(app, "main.js"),
    'import * as selfsame from "selfsame/browser"; globalThis.selfsame = selfsame;',
  );
  await build({ root: app, base: "./", logLevel: "error", configFile: false });
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

it("opens, adds and searches", async () => {
  const site = await serve({ ...PACKAGE_FOLDERS, "/app/": join(app, "dist") });
  const browser = await launch("chromium");
  try {
    const page = await openPage(browser, site, "/app/index.html");
    await page.waitForFunction("globalThis.selfsame !== undefined");
    const paths = await page.evaluate(async () => {
      const opened = await selfsame.open("bundled", { modelUrl: "/model/" });
      // Enough for threads, whose scripts the bundler must have found, too.
      const many = Array.from({ length: 70 }, (_, i) => ({ path: `${i}.md`, text: `Rain and snow ${i}` }));
      await opened.add([{ path: "ties.md", text: "Ties are broken by path." }, ...many]);
      const { results, warnings } = await opened.search("how are ties broken?", { topK: 1 });
      await opened.close();
      return [...results.map(({ path }) => path), ...warnings];
    });
    expect(paths).toEqual(["ties.md"]);
    const asked = site.requests.filter((path) => path.startsWith("/app/")).join();
    for (const name of ["library-worker", "embed-worker", "engine.simd", "sqlite"])
      expect(asked).toContain(name);
    // Nothing but the model came from elsewhere.
    expect(site.requests.filter((path) => !/^\/(app|model)\//.test(path))).toEqual([]);
  } finally {
    await quit(browser);
    await site.stop();
  }
});
