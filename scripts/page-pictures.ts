// Takes the README's pictures of the page, in a real browser: `npm run pictures`, after `npm run build`.
import { join } from "node:path";
import { launch, quit } from "../test/browsers/harness.ts";
import { addSamples, ask, servePage, show, type ViewName, visit } from "../test/browsers/page-driver.ts";

const FOLDER = join(import.meta.dirname, "../docs/images");
const QUERY = "how does a merkle tree prove what it holds?";
const VIEWS: readonly ViewName[] = ["ranking", "device"];
/** Until lines and panels have moved to their places. */
const AT_REST_MS = 500;

const site = await servePage();
const browser = await launch("chromium");
const page = await visit(browser, site);
await page.setViewport({ width: 1200, height: 760 });
await addSamples(page);
for (const scheme of ["light", "dark"]) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await show(page, "library");
  await ask(page, QUERY);
  for (const view of VIEWS) {
    await show(page, view);
    await new Promise((resume) => setTimeout(resume, AT_REST_MS));
    const path = join(FOLDER, `page-${view}-${scheme}.png`) as `${string}.png`;
    await page.screenshot({ path });
    process.stdout.write(`${path}\n`);
  }
}
await quit(browser);
await site.stop();
