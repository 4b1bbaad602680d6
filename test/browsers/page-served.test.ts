/** `selfsame web --db` in real browsers: the page works with that library, read-only unless `--writable`, beside the browser's own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { open } from "#dist/index.js";
import { BROWSERS, launch, quit } from "./harness.ts";
import { ask, dropFile, receiptText, show, textOf, waitForText } from "./page-driver.ts";

const cli = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
const folder = mkdtempSync(join(tmpdir(), "selfsame-served-"));
const file = join(folder, "notes.db");
const QUERY = "how long does tea take?";

async function served(...options: string[]): Promise<{ child: ChildProcess; url: string }> {
  const args = [cli, "web", "--json", "--port", "0", "--db", file, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return { child, url: (JSON.parse(line.toString()) as { url: string }).url };
}

beforeAll(async () => {
  const library = await open(file, { model: "tiny" });
  await library.add([
    { path: "ties.md", text: "# Ties\n\nEqual scores stand by path.\n" },
    { path: "tea.md", text: "# Tea\n\nThree minutes, not more.\n\n## Milk\n\nNever.\n" },
  ]);
  await library.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  let context: BrowserContext;
  let server: { child: ChildProcess; url: string };
  beforeAll(async () => {
    browser = await launch(name);
  });
  afterEach(async () => {
    await context.close();
    server.child.kill("SIGTERM");
    await once(server.child, "close");
  });
  afterAll(() => quit(browser));

  async function visit(): Promise<Page> {
    context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 860 });
    await page.goto(server.url);
    await waitForText(page, ".prints-card .counts", "2 documents");
    return page;
  }

  it("searches the file, opens its documents and changes nothing; the browser's own library is one click away", async () => {
    server = await served();
    const page = await visit();
    await ask(page, QUERY);
    const library = await open(file);
    const { digest } = (await library.search(QUERY, { topK: 10 })).receipt;
    await library.close();
    expect(await receiptText(page)).toContain(digest);
    await show(page, "library");
    expect(await page.$eval(".add", (each) => (each as HTMLElement).hidden)).toBe(true);
    expect((await page.$$(".documents [data-path]")).length).toBe(0);
    expect(await textOf(page, ".library-choice")).toContain("only read here");
    await page.click(".documents a.path");
    await waitForText(page, ".view-document", "Three minutes");
    await page.goBack();
    await page.click('.library-choice input[value="browser"]');
    await page.waitForSelector(".welcome .button.primary:not(:disabled)", { visible: true });
    expect(await page.$eval(".add", (each) => (each as HTMLElement).hidden)).toBe(false);
    await page.click('.library-choice input[value="served"]');
    await waitForText(page, ".prints-card .counts", "2 documents");
  });

  it("with --writable, adds to the file and removes from it", async () => {
    server = await served("--writable");
    const page = await visit();
    await dropFile(page, "dropped.md", "# Dropped\n\nA file from the page.\n");
    await waitForText(page, ".prints-card .counts", "3 documents");
    const library = await open(file);
    expect((await library.documents()).map(({ path }) => path)).toContain("dropped.md");
    await library.close();
    const button = '.documents [data-path="dropped.md"]';
    await page.click(button);
    await page.click(button);
    await waitForText(page, ".prints-card .counts", "2 documents");
  });
});
