/** The page, in real browsers, from a folder of any web server: a person's way through each view. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open, printReceipt } from "#dist/index.js";
import { BROWSERS, beforeWorker, launch, quit, type Site } from "./harness.ts";
import { contrastFaults, nameless } from "./page-accessibility.ts";
import {
  addSamples,
  answered,
  ask,
  dropFile,
  PLACE,
  receiptText,
  servePage,
  show,
  textOf,
  type ViewName,
  verify,
  visit,
  waitForText,
} from "./page-driver.ts";

const vectors = join(import.meta.dirname, "../../test-vectors");
const { parameters, cases } = JSON.parse(readFileSync(join(vectors, "search.json"), "utf8")) as {
  parameters: { canon: string; root: string };
  cases: { query: string; parameters: object; results: string[]; receipt: string }[];
};
/** A published search, with the page's own parameters: what every device must answer. */
const published = cases.find(
  (each) =>
    each.query === "merkle tree verification" && JSON.stringify(each.parameters) === '{"mode":"hybrid"}',
)!;
const VIEWS: readonly ViewName[] = ["library", "ranking", "recall", "device", "conformance"];

/** The receipt of a library in Node that lacks one of the sample notes. */
async function receiptOfAnother(): Promise<string> {
  const corpus = join(vectors, "corpus");
  const library = await open(":memory:");
  const files = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const documents = files.map(({ parentPath, name }) => ({
    path: join(parentPath, name).slice(corpus.length + 1),
    text: readFileSync(join(parentPath, name)),
  }));
  await library.add(documents.filter(({ path }) => path !== "games.md"));
  const { receipt } = await library.search(published.query);
  await library.close();
  return printReceipt(receipt);
}

/** In the page: what sticks out of its card to the right. */
function outOfCard(view: string): string[] {
  return [...document.querySelectorAll(`${view} .card`)].flatMap((card) => {
    const { right } = card.getBoundingClientRect();
    return [...card.querySelectorAll("*")]
      .filter((each) => each.checkVisibility() && each.closest("pre, .unseen, .cells") === null)
      .filter((each) => each.getBoundingClientRect().right > right + 0.5)
      .map((each) => each.outerHTML.slice(0, 100));
  });
}

/** Before a library's Worker: it shows that it lives by a lock, and answers what is about "lose" as when a thread of its own is lost. */
const LOSES_THREADS = `navigator.locks.request("library", { mode: "shared" }, () => new Promise(() => undefined));
addEventListener("message", (event) => {
  const { id, args } = event.data;
  if (args?.[0] !== "lose") return;
  event.stopImmediatePropagation();
  postMessage({ type: "error", id, error: { code: "WORKER_FAILED", message: "expected a working thread, got none", hint: "" } });
});`;

/** Before a library's Worker: files wait until the page says "go", and there is no room for the note full.md. */
const HOLDS_FILES = `const go = new BroadcastChannel("go");
addEventListener("message", (event) => {
  const { id, call, args } = event.data;
  if (call === "addFiles" && event.isTrusted) {
    event.stopImmediatePropagation();
    go.onmessage = () => dispatchEvent(new MessageEvent("message", { data: event.data }));
  }
  if (call === "add" && args[0][0].path === "full.md") {
    event.stopImmediatePropagation();
    postMessage({ type: "error", id, error: { code: "QUOTA_EXCEEDED", reason: "expected room, got none", hint: "", details: {} } });
  }
});`;

function press(page: Page, caption: string): Promise<void> {
  return page.$$eval(
    "button",
    (all, text) => all.find((each) => each.textContent === text)!.click(),
    caption,
  );
}

/** Names the note in the open dialog and adds it. */
async function addNote(page: Page, name: string): Promise<void> {
  await page.$eval(
    "#note-name",
    (field, value) => {
      (field as HTMLInputElement).value = value;
    },
    name,
  );
  await press(page, "Add the note");
}

let site: Site;
let foreign: string;
beforeAll(async () => {
  [site, foreign] = await Promise.all([servePage(), receiptOfAnother()]);
});
afterAll(() => site.stop());

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  let page: Page;
  const begin = async () => {
    browser = await launch(name);
    page = await visit(browser, site);
  };
  beforeAll(begin);
  afterAll(() => quit(browser));

  it("indexes the sample notes and shows the published root and canon", async ({ task }) => {
    if (task.result?.retryCount) {
      // The page offers them only where there is nothing yet.
      await quit(browser);
      await begin();
    }
    await addSamples(page);
    const digests = await page.$$eval(".prints-card .fingerprint", (all) =>
      all.map((each) => each.getAttribute("title")),
    );
    expect(digests).toEqual([parameters.root, parameters.canon]);
    const cells = await page.$$eval(".prints-card .cells", (all) => all.map((each) => each.textContent));
    expect(cells).toEqual([parameters.root.slice(0, 8), parameters.canon.slice(0, 8)]);
  });

  it("finds the published results, with their receipt", async () => {
    await ask(page, published.query);
    const shown = await page.$$eval(".result", (all) =>
      all.map((each) => each.querySelector(".path")?.textContent),
    );
    expect(shown).toHaveLength(published.results.length);
    expect(shown[0]).toBe("merkle-trees.md#3");
    expect(await page.$$eval(".result mark", (all) => all.length)).toBeGreaterThan(0);
    expect(JSON.parse(await receiptText(page)).digest).toBe(published.receipt);
  });

  it("asks again when the question is narrowed, and says so when there is nothing", async () => {
    await show(page, "library");
    await page.type('input[aria-label="Only paths that match"]', "notes/**");
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".result .path")].every((path) => path.textContent!.startsWith("notes/")),
    );
    await page.click('input[name="mode"][value="lexical"]');
    await waitForText(page, ".summary", "No chunk contains these words");
    await page.click('input[name="mode"][value="hybrid"]');
    await page.type('input[aria-label="Only paths that match"]', "[");
    await waitForText(page, ".answer .failure", "BAD_ARGUMENT");
    await page.click('input[aria-label="Only paths that match"]', { count: 3 });
    await page.keyboard.press("Backspace");
    await waitForText(page, ".result .path", "merkle-trees.md#3");
    expect(await page.$(".answer .failure")).toBeNull();
    await page.click(".answer > .button");
    await page.waitForFunction(() => document.querySelectorAll(".result").length === 20);
    await ask(page, published.query);
    await page.waitForFunction(() => document.querySelectorAll(".result").length === 10);
  });

  it("says that nothing was found, here and in the ranking, and names no filter where there is none", async () => {
    await ask(page, "-merkle");
    expect(await textOf(page, ".summary")).toBe(
      "Enter at least one word to find: -word only excludes results.",
    );
    await show(page, "ranking");
    expect(await textOf(page, ".view-ranking .empty")).toContain("“-merkle”, found nothing");
    expect(await page.title()).toBe("Ranking – Selfsame");
    await page.click(".view-ranking .empty a");
    await page.waitForSelector(".view-library:not([hidden])");
    // The link is gone: its view's heading has the focus, not the whole page.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await ask(page, published.query);
  });

  it("draws how the ranking came about, and lights one chunk in all three lists", async () => {
    await show(page, "ranking");
    const drawn = await page.$eval(".ranking", (ranking) => {
      const ids = (where: string) =>
        [...ranking.querySelectorAll<HTMLElement>(where)].map((each) => each.dataset["chunk"]!);
      return {
        semantic: ids(".channel.semantic .ranked"),
        lexical: ids(".channel.lexical .ranked"),
        fused: ids(".channel.fused .ranked"),
        lines: ids(".line"),
      };
    });
    expect(drawn.fused).toEqual(published.results.map((result) => result.split(" ")[0]));
    expect(drawn.lines).toEqual([...drawn.semantic, ...drawn.lexical]);
    expect(new Set(drawn.lines).size).toBeGreaterThan(5);
    const second = drawn.fused[1]!;
    await page.focus(`.fused [data-chunk="${second}"]`);
    const lit = await page.$$eval(".ranking .lit", (all) =>
      all.map((each) => (each as HTMLElement).dataset["chunk"]),
    );
    expect(lit.length).toBeGreaterThanOrEqual(3);
    expect(new Set(lit)).toEqual(new Set([second]));
    expect(await textOf(page, ".sum .equation")).toContain("1/(60 + 3) + 1/(60 + 2) = 0.03200205");
  });

  it("verifies a receipt, shows what differs in a foreign one, and what was altered", async () => {
    const receipt = await receiptText(page);
    await verify(page, receipt);
    expect(await textOf(page, ".view-device .headline")).toBe("Same, to the bit");

    await verify(page, foreign);
    const rows = await page.$$eval(".differences tbody tr", (all) =>
      all.map((row) => row.querySelector("th")!.firstChild!.textContent),
    );
    expect(rows[0]).toBe("root");
    expect(await page.$eval(".differences td .fingerprint", (each) => each.getAttribute("title"))).toBe(
      JSON.parse(foreign).root,
    );
    expect(await page.evaluate(outOfCard, ".view-device"), "wider than their card").toEqual([]);

    const [, score] = published.results[2]!.split(" ");
    await verify(page, receipt.replace(score!, "3d000000"));
    expect(await textOf(page, ".view-device .headline")).toBe("This receipt was altered");
    expect(await textOf(page, ".differences tbody")).toContain("score at rank 3");

    await verify(page, '{"version": 1');
    expect(await textOf(page, ".view-device .failure")).toMatch(/not a valid receipt.*BAD_RECEIPT/);

    await verify(page, published.receipt.toUpperCase());
    expect(await textOf(page, ".view-device .headline")).toBe("Same, to the bit");
    await verify(page, await textOf(page, ".digits").then((digits) => digits.replace(/.{4}/g, "$& ")));
    expect(await textOf(page, ".view-device .headline")).toBe("Same, to the bit");
    // Of another question, for all that anybody knows: no verdict.
    await verify(page, "ab".repeat(32));
    expect(await textOf(page, ".view-device .headline")).toBe("Ask the same question here first");
    expect(await page.$(".view-device .judgement.different")).toBeNull();
    expect(await page.$$eval(".qr path", (all) => all.length)).toBe(1);
  });

  it("opens a document, rendered, with the found passages marked, and leads back", async () => {
    await show(page, "library");
    await ask(page, published.query);
    await page.$eval(".result .open-document", (link) => (link as HTMLAnchorElement).click());
    await waitForText(page, ".view-document h1", "merkle-trees.md");
    await page.waitForSelector(".passage.found mark");
    const headings = await page.$$eval(".document-text :is(h2, h3)", (all) =>
      all.map((each) => each.textContent),
    );
    expect(headings).toContain("Structure");
    expect(await textOf(page, ".document-text")).not.toContain("## ");
    expect(await page.$$eval(".document-text [dir=auto]", (all) => all.length)).toBeGreaterThan(5);
    await page.$eval(".way-back", (link) => (link as HTMLAnchorElement).click());
    expect(await page.$$eval(".result", (all) => all.length)).toBe(published.results.length);
  });

  it("takes a digest from its address, as the code on another device's screen has it", async () => {
    await page.evaluate((digest) => {
      location.hash = `device=${digest}`;
    }, published.receipt);
    await waitForText(page, ".view-device .headline", "Same, to the bit");
    await show(page, "library");
  });

  it("is done by the keyboard alone", async () => {
    await show(page, "library");
    await page.keyboard.press("Tab");
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("query");
    await page.keyboard.type("soil for tomatoes");
    await answered(page, "soil for tomatoes");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(
      await page.$$eval(".result details", (all) => all.map((each) => (each as HTMLDetailsElement).open)),
    ).toEqual([false, true, ...Array(8).fill(false)]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("query");
    // Back through the bar to the next view, and from list to list by arrows.
    const stops: (string | null)[] = [];
    for (let i = 0; i < 8 && stops.at(-1) !== "#ranking"; i++) {
      await page.keyboard.down("Shift");
      await page.keyboard.press("Tab");
      await page.keyboard.up("Shift");
      stops.push(await page.evaluate(() => document.activeElement?.getAttribute("href") ?? null));
    }
    expect(stops.at(-1)).toBe("#ranking");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".view-ranking:not([hidden])");
    await page.focus(".channel.semantic .ranked");
    await page.keyboard.press("ArrowDown");
    const chunk = await page.evaluate(() => (document.activeElement as HTMLElement).dataset["chunk"]);
    await page.keyboard.press("ArrowRight");
    const across = await page.evaluate(() => ({
      chunk: (document.activeElement as HTMLElement).dataset["chunk"],
      isFused: document.activeElement!.closest(".fused") !== null,
    }));
    expect(across).toEqual({ chunk, isFused: true });
  });

  it("names every control, and its texts have contrast in light and dark", async () => {
    for (const theme of ["light", "dark"]) {
      if ((await page.$(`[aria-label="Switch to ${theme}"]`)) !== null)
        await page.click(`[aria-label="Switch to ${theme}"]`);
      for (const view of VIEWS) {
        await show(page, view);
        expect(await page.evaluate(nameless), `${view}`).toEqual([]);
        expect(await page.evaluate(contrastFaults), `${view}, ${theme}`).toEqual([]);
      }
    }
  });

  it("recalls memories, draws each score as stacked contributions, and says the reasons", async () => {
    await show(page, "library");
    await ask(page, published.query);
    await show(page, "recall");
    const offered = await page.$eval("#recall-query", (each) => (each as HTMLInputElement).value);
    expect(offered).toBe(published.query);
    await page.click("#recall-query", { count: 3 });
    await page.type("#recall-query", published.query);
    await page.type("#recall-person", "alice");
    await page.click(".view-recall .button.primary");
    await waitForText(page, ".recalled .summary-line", `for “${published.query}”`);
    const memories = await page.$$eval(".memory", (all) =>
      all.map((each) => {
        const bar = each.querySelector<HTMLElement>(".stack")!;
        const parts = [...bar.querySelectorAll<HTMLElement>(".part")];
        return {
          path: each.querySelector(".path")!.textContent,
          score: Number(/^Score (-?[0-9.]+)/.exec(bar.getAttribute("aria-label")!)![1]),
          reasons: [...each.querySelectorAll(".reasons li")].map((reason) => reason.textContent!),
          widths: parts.map((part) => part.getBoundingClientRect().width),
          width: bar.getBoundingClientRect().width,
          shares: parts.map((part) => Number(part.style.getPropertyValue("--share"))),
        };
      }),
    );
    expect(memories).toHaveLength(12);
    expect(memories[0]!.path).toMatch(/^merkle-trees\.md:\d+$/);
    for (const { score, reasons, widths, width, shares } of memories) {
      expect(reasons.at(-1)).toMatch(/^conf≈0\.\d\d$/);
      const terms = reasons.slice(0, -1).map((reason) => Number(/=([+-]?[0-9.]+)$/.exec(reason)![1]));
      // Reasons are rounded to thousandths.
      expect(terms.reduce((sum, term) => sum + term, 0)).toBeCloseTo(score, 2);
      expect(widths).toHaveLength(terms.length);
      for (const [i, share] of shares.entries()) expect(widths[i]! / width).toBeCloseTo(share, 1);
    }
    const longest = Math.max(...memories.map(({ shares }) => shares.reduce((sum, share) => sum + share, 0)));
    expect(longest).toBeCloseTo(1, 1);
    expect(await page.$eval(".recalled .fingerprint", (each) => each.getAttribute("title"))).toMatch(
      /^[0-9a-f]{64}$/,
    );
    expect(await page.evaluate(contrastFaults)).toEqual([]);
    expect(await page.evaluate(nameless)).toEqual([]);
  });

  it("fits a phone: nothing is wider than 375 pixels", async () => {
    await page.setViewport({ width: 375, height: 780 });
    // Firefox gets there by and by.
    await page.waitForFunction(() => innerWidth === 375);
    // Wherever the query is quoted, too.
    await show(page, "library");
    await ask(page, "m".repeat(300));
    await verify(page, await receiptText(page));
    for (const view of VIEWS) {
      await show(page, view);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(375);
    }
    await page.setViewport({ width: 1280, height: 860 });
  });

  it("writes, updates and removes a note", async () => {
    await show(page, "library");
    await press(page, "Note");
    await page.type("#note-text", "# Quokkas\n\nThe quokka lives on Rottnest Island.");
    await addNote(page, "quokka");
    await waitForText(page, ".prints-card .counts", "37 documents, 264 chunks");
    await ask(page, "where do quokkas live?");
    expect(await textOf(page, ".result .path")).toBe("quokka.md#0");
    // By the keyboard: the first press asks, the second removes, and the next document has the focus.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    const labels = await page.$$eval("[data-path]", (all) =>
      all.map((each) => each.getAttribute("aria-label")),
    );
    const next = labels[labels.indexOf("Remove quokka.md") + 1];
    await page.focus('[aria-label="Remove quokka.md"]');
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("Press again to remove quokka.md");
    expect(await textOf(page, ".prints-card .counts")).toBe("37 documents, 264 chunks");
    await page.keyboard.press("Enter");
    await waitForText(page, ".prints-card .counts", "36 documents, 263 chunks");
    expect(await focused()).toBe(next);
    await page.waitForFunction(() => !document.querySelector(".results")!.textContent!.includes("quokka.md"));
    expect(await page.$eval(".prints-card .fingerprint", (each) => each.getAttribute("title"))).toBe(
      parameters.root,
    );
  });

  it("gives each note a name of its own, and replaces one only when the person says so", async () => {
    const field = () => page.$eval("#note-name", (input) => (input as HTMLInputElement).value);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const isOpen = () => page.$eval(".note-dialog", (dialog) => (dialog as HTMLDialogElement).open);
    await press(page, "Note");
    expect(await field()).toBe("note.md");
    await page.type("#note-text", "The numbat eats termites.");
    await press(page, "Add the note");
    await waitForText(page, ".notice", "note.md added, 1 chunk written.");
    expect(await focused()).toBe("Note");

    await press(page, "Note");
    expect(await field()).toBe("note-2.md");
    await page.type("#note-text", "The bilby has long ears.");
    await addNote(page, "../numbat");
    await waitForText(page, "#note-fault", "it has the part ..");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("note-name");
    // By Enter in the field: it asks, and takes the question back with another name.
    await page.click("#note-name", { count: 3 });
    await page.keyboard.type("note");
    await page.keyboard.press("Enter");
    await waitForText(page, "#note-fault", "note.md is in the library already.");
    expect(await focused()).toBe("Replace note.md");
    expect(await page.evaluate(contrastFaults)).toEqual([]);
    await page.click("#note-name");
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    expect(await textOf(page, ".note-dialog [type=submit]")).toBe("Add the note");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await waitForText(page, ".note-dialog [type=submit]", "Replace note.md");
    expect(await isOpen()).toBe(true);
    expect(await textOf(page, ".prints-card .counts")).toBe("37 documents, 264 chunks");
    await page.keyboard.press("Enter");
    await waitForText(page, ".notice", "note.md replaced, 1 chunk written.");
    expect(await isOpen()).toBe(false);
    expect(await focused()).toBe("Note");
    await ask(page, "long ears");
    expect(await textOf(page, ".result .path")).toBe("note.md#0");

    await page.focus('[aria-label="Remove note.md"]');
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await waitForText(page, ".prints-card .counts", "36 documents, 263 chunks");
  });

  it("shows what was left out as a warning, until it is dismissed", async () => {
    await dropFile(page, "picture.png", "\0");
    await waitForText(page, ".notice.undone", "1 file skipped (picture.png: binary).");
    await page.click('.notice [aria-label="Dismiss"]');
    expect(await page.$eval(".notice", (notice) => notice.checkVisibility())).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  it("works with the network off, and keeps the library", async () => {
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // The rest is kept, too: vectors, for instance.
    await page.waitForFunction(
      async (url) => (await caches.match(url)) !== undefined,
      { polling: 200 },
      `${site.origin}${PLACE}test-vectors/search.json`,
    );
    await site.stop();
    try {
      await page.reload();
      await waitForText(page, ".prints-card .counts", "36 documents, 263 chunks");
      await ask(page, published.query);
      expect(JSON.parse(await receiptText(page)).digest).toBe(published.receipt);
    } finally {
      await site.start();
    }
  });

  it("passes every vector in this browser", async () => {
    await show(page, "conformance");
    await page.click(".view-conformance .button.primary");
    await page.waitForSelector(".suites tbody tr.passed");
    await page.click(".view-conformance .button.primary");
    await waitForText(page, ".view-conformance .judgement", "Stopped after ");
    await page.click(".view-conformance .button.primary");
    await page.waitForFunction(() => document.querySelector(".view-conformance .judgement") === null);
    await page.waitForSelector(".view-conformance .judgement, .view-conformance .failure");
    expect(await textOf(page, ".view-conformance .headline")).toMatch(/^All [0-9,]+ cases passed$/);
    const rows = await page.$$eval(".suites tbody tr.passed", (all) => all.length);
    expect(rows).toBeGreaterThan(15);
    expect(await page.$$eval(".suites tbody tr.failed", (all) => all.length)).toBe(0);
    await page.setViewport({ width: 390, height: 780 });
    await page.waitForFunction(() => innerWidth === 390);
    for (const view of VIEWS) {
      await show(page, view);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(390);
      expect(await page.evaluate(outOfCard, `.view-${view}`), view).toEqual([]);
    }
    await page.setViewport({ width: 1280, height: 860 });
  });

  it("offers to open the library again when its thread has ended", async () => {
    const context = await browser.createBrowserContext();
    // As a thread that runs out of memory in the middle of a search.
    beforeWorker(
      site,
      'addEventListener("message", ({ data }) => { if (data.call === "search" && data.args[0] === "end") throw new Error("the end"); });',
    );
    try {
      const other = await visit(context, site);
      await addSamples(other);
      await other.type("#query", "end");
      await waitForText(other, ".failure", "WORKER_FAILED");
      await other.click("#query", { count: 3 });
      await other.type("#query", published.query);
      await other.click(".failure .button.primary");
      await answered(other, published.query);
      expect(await textOf(other, ".result .path")).toBe("merkle-trees.md#3");
      expect(await other.$(".failure")).toBeNull();
    } finally {
      site.intercept = () => null;
      await context.close();
    }
  });

  it("ends a library that lost a thread before it opens it again, and offers that wherever it shows", async () => {
    const context = await browser.createBrowserContext();
    beforeWorker(site, LOSES_THREADS);
    try {
      const other = await visit(context, site);
      const living = () =>
        other.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
      const livingLibraries = async () => (await living())?.filter((each) => each === "library").length;
      await dropFile(other, "quokka.md", "The quokka lives on Rottnest Island.");
      await waitForText(other, ".prints-card .counts", "1 document, 1 chunk");
      await other.type("#query", "lose");
      await waitForText(other, ".alerts .failure", "WORKER_FAILED");
      await other.click("#query", { count: 3 });
      await other.type("#query", "quokka");
      await press(other, "Try again");
      await answered(other, "quokka");
      expect(await livingLibraries()).toBe(1);

      const receipt = await receiptText(other);
      await other.type("#receipt-input", "lose");
      await press(other, "Verify here");
      await waitForText(other, ".alerts .failure", "WORKER_FAILED");
      await waitForText(other, ".view-device .verdict", "The library is not open");
      await press(other, "Verify here");
      await waitForText(other, ".view-device .verdict", "The library is not open");
      await press(other, "Try again");
      await other.waitForFunction(() => document.querySelector(".alerts .failure") === null);
      await show(other, "library");
      await answered(other, "quokka");
      await show(other, "device");
      await verify(other, receipt);
      expect(await textOf(other, ".view-device .headline")).toBe("Same, to the bit");
      expect(await livingLibraries()).toBe(1);
    } finally {
      site.intercept = () => null;
      await context.close();
    }
  });

  it("adds a note after the files that came first, and keeps the text of one that there is no room for", async () => {
    const context = await browser.createBrowserContext();
    beforeWorker(site, HOLDS_FILES);
    try {
      const other = await visit(context, site);
      const text = () => other.$eval("#note-text", (field) => (field as HTMLTextAreaElement).value);
      await other.waitForSelector(".add .picker .button:not(:disabled)", { visible: true });
      await press(other, "Note");
      await other.type("#note-text", "The numbat eats termites.");
      await dropFile(other, "quokka.md", "The quokka lives on Rottnest Island.");
      await other.waitForSelector(".work", { visible: true });
      await addNote(other, "numbat");
      await waitForText(other, ".notice", "Still indexing: this comes next.");
      expect(await text()).toBe("The numbat eats termites.");
      await other.evaluate(() => new BroadcastChannel("go").postMessage("go"));
      await waitForText(other, ".prints-card .counts", "2 documents, 2 chunks");
      await other.waitForFunction(
        () => document.querySelector<HTMLTextAreaElement>("#note-text")!.value === "",
      );

      await press(other, "Note");
      await other.type("#note-text", "The bilby has long ears.");
      await addNote(other, "full");
      await waitForText(other, ".alerts .failure", "QUOTA_EXCEEDED");
      await waitForText(other, ".notice", "its text is still there");
      await press(other, "Note");
      expect(await text()).toBe("The bilby has long ears.");
      await addNote(other, "bilby");
      await waitForText(other, ".prints-card .counts", "3 documents, 3 chunks");
      expect(await other.$(".alerts .failure")).toBeNull();

      // One that comes first under the same name keeps its place.
      await press(other, "Note");
      await other.type("#note-text", "The wombat digs.");
      await dropFile(other, "wombat.md", "The wombat has a pouch that opens backwards.");
      await other.waitForSelector(".work", { visible: true });
      await addNote(other, "wombat");
      await waitForText(other, ".notice", "Still indexing: this comes next.");
      await other.evaluate(() => new BroadcastChannel("go").postMessage("go"));
      await waitForText(
        other,
        ".notice.undone",
        "Another wombat.md was added in the meantime: the note was not added.",
      );
      await press(other, "Note");
      expect(await text()).toBe("The wombat digs.");
      await press(other, "Add the note");
      await waitForText(other, "#note-fault", "wombat.md is in the library already.");
    } finally {
      site.intercept = () => null;
      await context.close();
    }
  });

  it("says what is wrong, and the way out, where the model cannot be had", async () => {
    const context = await browser.createBrowserContext();
    site.intercept = (path) => (path.includes("/model/") ? 404 : null);
    try {
      const other = await visit(context, site);
      const samples = ".welcome .button.primary:not(:disabled)";
      await other.waitForSelector(samples, { visible: true });
      await other.click(samples);
      await waitForText(other, ".failure", "FILE_MISSING");
      expect(await textOf(other, ".failure")).toContain("Way out:");
      site.intercept = () => null;
      await addSamples(other);
      expect(await other.$(".failure")).toBeNull();
    } finally {
      site.intercept = () => null;
      await context.close();
    }
  });
});
