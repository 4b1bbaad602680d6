/** What a browser may lack, as the page tells it to a person: what happened, what stays, and the way out. */
import type { Browser, BrowserContext } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BROWSERS, beforeWorker, launch, NO_OPFS, NO_PLACE, quit, type Site } from "./harness.ts";
import { dropFile, servePage, textOf, visit, waitForText } from "./page-driver.ts";

let site: Site;
beforeAll(async () => {
  site = await servePage();
});
afterAll(() => site.stop());

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    browser = await launch(name);
  });
  beforeEach(async () => {
    context = await browser.createBrowserContext();
  });
  afterEach(async () => {
    site.intercept = () => null;
    await context.close();
  });
  afterAll(() => quit(browser));

  it("without files for a site, says where the library is kept instead, and why", async () => {
    beforeWorker(site, NO_OPFS);
    const page = await visit(context, site);
    await dropFile(page, "small.md", "# Small\n\nKept somewhere else.");
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
    expect(await textOf(page, ".prints-card")).toMatch(/Kept in this browser’s IndexedDB, since .+\./);
    await page.reload();
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
  });

  it("without any place, goes on without keeping anything, if the person wants to", async () => {
    beforeWorker(site, NO_PLACE);
    const page = await visit(context, site);
    await waitForText(page, ".failure", "DATABASE_CANNOT_OPEN");
    expect(await textOf(page, ".failure")).toContain("Way out: A private window may not keep data");
    await page.click(".failure .button:not(.primary)");
    await dropFile(page, "small.md", "# Small\n\nKept nowhere.");
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
    expect(await page.$(".failure")).toBeNull();
    expect(await textOf(page, ".prints-card")).toContain("Not kept: it is gone when you leave this page.");
  });

  it.runIf(name === "chromium")(
    "without room, says so, keeps what is there, and goes on with room",
    async () => {
      const page = await visit(context, site);
      await dropFile(page, "small.md", "# Small\n\nThere is room for this.");
      await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
      const session = await page.createCDPSession();
      const { origin } = site;
      const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + 300_000 });
      await dropFile(page, "large.md", "word ".repeat(400_000));
      await waitForText(page, ".failure", "QUOTA_EXCEEDED");
      expect(await textOf(page, ".failure")).toContain("finished work is kept");
      expect(await textOf(page, ".prints-card .counts")).toBe("1 document, 1 chunk");
      await session.send("Storage.overrideQuotaForOrigin", { origin });
      await dropFile(page, "room.md", "# Room\n\nThere is room again.");
      await waitForText(page, ".prints-card .counts", "2 documents, 2 chunks");
      expect(await page.$(".failure")).toBeNull();
    },
  );
});
