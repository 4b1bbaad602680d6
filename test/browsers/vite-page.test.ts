/** examples/vite-page, built by Vite, in real browsers: it answers, with the receipt that examples/node-program prints. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Placed, place } from "../examples/placed.ts";
import { BROWSERS, launch, openPage, type Site, serve } from "./harness.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");

let example: Placed;
let site: Site;
beforeAll(async () => {
  example = place("vite-page");
  await example.npmRun("build");
  site = await serve({ "/": join(example.folder, "dist") });
});
afterAll(async () => {
  await site?.stop();
  example?.remove();
});

it.each(BROWSERS)("%s", async (name) => {
  const browser = await launch(name);
  try {
    const page = await openPage(browser, site, "/index.html");
    await page.waitForSelector("button:not([disabled])");
    await page.click("button");
    await page.waitForSelector("li");
    const text = await page.evaluate(() => document.body.innerText);
    expect(text).toContain("roses.md: Cut them back in late winter");
    const [, receipt] = /^receipt ([0-9a-f]{64})$/m.exec(
      readFileSync(join(EXAMPLES, "node-program/README.md"), "utf8"),
    )!;
    expect(text).toContain(receipt);
  } finally {
    await browser.close();
  }
});
