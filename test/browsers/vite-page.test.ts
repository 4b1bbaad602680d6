/** examples/vite-page in real browsers, built and from Vite's own server: it answers with the receipt that examples/node-program prints. */
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installed, packAndInstall, ROOT } from "../package/installed.ts";
import { type Placed, place } from "../package/placed.ts";
import { BROWSERS, launch, openPage, quit, type Site, serve } from "./harness.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");

/** Opens the page at `path`, asks the question that stands there, and looks at the answer. */
async function askPage(
  name: (typeof BROWSERS)[number],
  site: Pick<Site, "origin">,
  path: string,
): Promise<void> {
  const browser = await launch(name);
  try {
    const page = await openPage(browser, site as Site, path);
    await page.waitForSelector("button:not([disabled])");
    await page.click("button");
    await page.waitForSelector("li");
    const text = await page.evaluate(() => document.body.innerText);
    expect(text).toContain("roses.md: Cut them back in late winter");
    const printed = readFileSync(join(EXAMPLES, "node-program/README.md"), "utf8");
    expect(text).toContain(/^receipt ([0-9a-f]{64})$/m.exec(printed)![1]);
  } finally {
    await quit(browser);
  }
}

describe("built", () => {
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

  it.each(BROWSERS)("%s", (name) => askPage(name, site, "/index.html"));
});

describe("from Vite's server, with the package installed", () => {
  let installed: Installed;
  let server: ViteDevServer;
  beforeAll(async () => {
    installed = packAndInstall();
    cpSync(join(EXAMPLES, "vite-page"), installed.folder, { recursive: true });
    // A user has Vite installed beside the package; its configuration file imports it.
    symlinkSync(join(ROOT, "node_modules/vite"), join(installed.folder, "node_modules/vite"));
    server = await createServer({ root: installed.folder, server: { host: "127.0.0.1", port: 0 } });
    await server.listen();
  });
  afterAll(async () => {
    await server?.close();
    installed?.remove();
  });

  it.each(BROWSERS)("%s", (name) => {
    const origin = new URL(server.resolvedUrls!.local[0]!).origin;
    return askPage(name, { origin }, "/index.html");
  });
});
