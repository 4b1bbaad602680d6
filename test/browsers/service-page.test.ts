/** The page of `selfsame serve` in a real browser: it needs no script, and is readable in both colour schemes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "#dist/serve/index.js";
import { BROWSERS, launch, quit } from "./harness.ts";

const data = mkdtempSync(join(tmpdir(), "selfsame-service-page-"));
let server: RunningServer;
beforeAll(async () => {
  const log = { destination: { write: () => undefined } };
  const namespaces = { model: "tiny", workers: 1, readers: 1 };
  server = await startServer({ data, port: 0, version: "0.1.0", log, namespaces });
  const documents = [
    { path: "ties.md", text: "# Ties\n\nEqual scores stand by path." },
    { path: "<b>bold</b>.md", text: 'A text with <script>alert(1)</script> & "quotes".' },
  ];
  await fetch(`${server.url}/v1/hybrid/ingest?namespace=notes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(documents),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(data, { recursive: true });
});

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => (element as HTMLElement).innerText);

/** The contrast of an element's text with the page, as WCAG 2 counts it. */
const contrastOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => {
    const light = (colour: string) => {
      const [r, g, b] = (colour.match(/[\d.]+/g) ?? []).map(Number).map((each) => {
        const share = each / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    const [a, b] = [
      light(getComputedStyle(element).color),
      light(getComputedStyle(document.body).backgroundColor),
    ];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });

for (const name of BROWSERS) {
  describe(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch(name);
    });
    afterAll(() => quit(browser));

    it("lists namespaces, answers a query, and runs nothing that documents contain", async () => {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => problems.push(message.text()));
      page.on("dialog", (dialog) => void dialog.dismiss().then(() => problems.push("a dialog")));
      await page.goto(server.url);
      expect(await textOf(page, "tbody")).toMatch(/notes\s+2\s+2/);
      await page.type("input[name=query]", "equal scores");
      await Promise.all([page.waitForNavigation(), page.click("button")]);
      expect(await textOf(page, "li.hit b")).toBe("ties.md#0");
      expect(await page.$$eval("mark", (marks) => marks.map((mark) => mark.textContent))).toContain("Equal");
      expect(await page.$eval("input[name=query]", (input) => input.value)).toBe("equal scores");
      expect(await textOf(page, "section")).toMatch(/receipt [0-9a-f]{64}/);
      await page.goto(`${server.url}/?namespace=notes&query=quotes`);
      expect(await textOf(page, "ol")).toContain("<script>alert(1)</script>");
      expect(await textOf(page, "ol")).toContain("<b>bold</b>.md#0");
      await page.goto(`${server.url}/?namespace=none&query=x`);
      expect(await textOf(page, "[role=alert]")).toContain("none");
      expect(problems.filter((each) => !each.includes("favicon"))).toEqual([]);
      await page.close();
    });

    it.each(["light", "dark"])("is readable in the %s scheme, and fits a phone", async (scheme) => {
      const page = await browser.newPage();
      if (name === "chromium")
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.setViewport({ width: 1000, height: 800 });
      await page.goto(`${server.url}/?namespace=notes&query=equal+scores`);
      for (const selector of ["h1", "nav a", ".where span", "th", ".text"])
        expect(await contrastOf(page, selector), selector).toBeGreaterThanOrEqual(4.5);
      if (name === "chromium") {
        const ground = await page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
        expect(ground).toBe(scheme === "dark" ? "rgb(23, 22, 19)" : "rgb(255, 255, 255)");
      }
      const pictures = process.env["SELFSAME_PICTURES"];
      if (pictures !== undefined)
        await page.screenshot({ path: join(pictures, `service-${name}-${scheme}.png`) });
      await page.setViewport({ width: 360, height: 740 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
      await page.close();
    });
  });
}
