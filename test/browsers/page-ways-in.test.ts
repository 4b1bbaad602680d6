/** Files reach the page as people bring them: chosen in a dialog, or dropped, folders included. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { open } from "#dist/index.js";
import { BROWSERS, launch, quit, type Site } from "./harness.ts";
import { ask, dropFile, servePage, textOf, visit, waitForText } from "./page-driver.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "alone.md": "# Alone\n\nA single file, chosen or dropped.\n",
  "notes/deep/ties.md": "# Ties\n\nTies are broken by path, then by sequence.\n",
  "notes/plain.txt": "Plain text is text, too.\n",
};
/** In the folder, and not wanted. */
const LEFT_OUT = ["notes/.hidden.md", "notes/node_modules/read.md"];

/** The root of these documents, by Node. */
async function rootOf(...paths: readonly string[]): Promise<string> {
  const library = await open(":memory:", { model: "tiny" });
  await library.add(paths.map((path) => ({ path, text: TEXTS[path]! })));
  const root = await library.root();
  await library.close();
  return root;
}

const disk = mkdtempSync(join(tmpdir(), "selfsame-drop-"));
let site: Site;
beforeAll(async () => {
  for (const [path, text] of [...Object.entries(TEXTS), ...LEFT_OUT.map((path) => [path, "no"] as const)]) {
    mkdirSync(join(disk, path, ".."), { recursive: true });
    writeFileSync(join(disk, path), text);
  }
  site = await servePage();
});
afterAll(async () => {
  rmSync(disk, { recursive: true });
  await site.stop();
});

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await launch(name);
  });
  beforeEach(async () => {
    context = await browser.createBrowserContext();
    page = await visit(context, site);
    await page.waitForSelector(".welcome .button.primary:not(:disabled)", { visible: true });
  });
  afterEach(() => context.close());
  afterAll(() => quit(browser));

  const shownRoot = () => page.$eval(".prints-card .fingerprint", (each) => each.getAttribute("title"));

  it("takes files that were chosen, and finds what is in them", async () => {
    const input = await page.$('.add input[aria-label="Choose files"]');
    await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(
      join(disk, "alone.md"),
      join(disk, "notes/plain.txt"),
    );
    await waitForText(page, ".prints-card .counts", "2 documents, 2 chunks");
    await ask(page, "a single file");
    expect(await textOf(page, ".results")).toContain("alone.md");
  });

  it("on a phone, which drops nothing, has the buttons where it says so", async () => {
    await page.setViewport({ width: 390, height: 780 });
    await page.waitForFunction(() => innerWidth === 390);
    const box = await page.$eval(".drop-here", (each) => (each as HTMLElement).innerText);
    expect(box).toMatch(/^Choose files or a folder\s+Markdown, .*\s+Files\s+Folder\s+Try with sample notes$/);
    const input = await page.$('.welcome input[aria-label="Choose files"]');
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
      join(disk, "alone.md"),
    );
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
  });

  it("shows that it would take what is dragged over it, and takes it when it is dropped", async () => {
    const isShown = (type: string) =>
      page.evaluate((event) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([""], "empty.md"));
        document.body.dispatchEvent(new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer }));
        return document.body.classList.contains("dropping");
      }, type);
    expect(await isShown("dragover")).toBe(true);
    expect(await isShown("dragleave")).toBe(false);
    await dropFile(page, "alone.md", TEXTS["alone.md"]!);
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
    expect(await shownRoot()).toBe(await rootOf("alone.md"));
  });

  // Only Chromium lets a driver drag things from outside into a page.
  it.runIf(name === "chromium")("takes a folder and a file that come from the desktop", async () => {
    const session = await page.createCDPSession();
    const data = {
      items: [],
      files: [join(disk, "alone.md"), join(disk, "notes")],
      dragOperationsMask: 1,
    };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, x: 400, y: 400, data });
    await waitForText(page, ".prints-card .counts", "3 documents, 3 chunks");
    expect(await shownRoot()).toBe(await rootOf("alone.md", "notes/deep/ties.md", "notes/plain.txt"));
  });
});
