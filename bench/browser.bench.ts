// The library in Chromium against the same in Node, in turns on the same machine: `npm run bench -- browser`. Embedding by the
// clock of the Worker (`timings.embedding`), indexing as a whole, the first search after a reload, and what a search
// does to the page meanwhile. `--firefox` takes Firefox instead.
import type { Page } from "puppeteer-core";
import { open } from "selfsame";
import { corpus, notes } from "../test/browsers/corpus.ts";
import { type BrowserName, launch, openPage, quit, type Site, serve } from "../test/browsers/harness.ts";
import { median } from "./embed/timing.ts";

type Row = Record<string, string | number>;

const ROUNDS = 5;
const TEXTS_A_ROUND = 12;
const WARM_UP_TEXTS = 40;
const CHUNKS = 10_000;
const SEARCHES = 30;
const EMBEDDING_GOAL = 1.25;
const FIRST_SEARCH_GOAL_MS = 2500;
const BLOCKING_GOAL_MS = 16;

const round = (value: number, digits = 1) => Number(value.toFixed(digits));
const verdict = (pass: boolean) => (pass ? "yes" : "NO");

export async function bench(): Promise<{ title: string; rows: Row[] }[]> {
  const name: BrowserName = process.argv.includes("--firefox") ? "firefox" : "chromium";
  const site = await serve();
  const browser = await launch(name);
  try {
    const page = await openPage(browser, site);
    return [
      { title: `Embedding in ${name} against Node (at most ${EMBEDDING_GOAL})`, rows: await embedding(page) },
      { title: `Indexing the ${corpus.length} published documents`, rows: [await indexing(page)] },
      { title: "After a reload, with the model in the cache", rows: [await firstSearch(page, site)] },
      { title: `The page while ${CHUNKS} chunks are searched`, rows: [await blocking(page)] },
    ];
  } finally {
    await quit(browser);
    await site.stop();
  }
}

/** Paragraphs of the corpus, each a query of its own; `length` in words. */
function texts(length: number, count: number): string[] {
  const words = corpus.flatMap(({ text }) => String(text).match(/[a-z]+/gi) ?? []);
  return Array.from({ length: count }, (_, i) => words.slice(i * 37, i * 37 + length).join(" "));
}

async function embedding(page: Page): Promise<Row[]> {
  const node = await open(":memory:");
  await page.evaluate(async () => {
    Object.assign(globalThis, { library: await selfsame.open(":memory:", { modelUrl: "/model/" }) });
  });
  const inNode = async (queries: readonly string[]) => {
    const times: number[] = [];
    for (const query of queries)
      times.push((await node.search(query, { mode: "semantic" })).timings.embedding);
    return times;
  };
  const inPage = (queries: readonly string[]) =>
    page.evaluate(async (given) => {
      const times: number[] = [];
      for (const query of given)
        times.push((await library.search(query, { mode: "semantic" })).timings.embedding);
      return times;
    }, queries);
  const rows: Row[] = [];
  for (const words of [12, 50, 180]) {
    const all = texts(words, WARM_UP_TEXTS + ROUNDS * TEXTS_A_ROUND);
    const warmUp = all.splice(0, WARM_UP_TEXTS);
    for (const run of [inNode, inPage]) await run(warmUp);
    const ratios: number[] = [];
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let i = 0; i < ROUNDS; i++) {
      const some = all.splice(0, TEXTS_A_ROUND);
      const [there, here] = [median(await inNode(some)), median(await inPage(some))];
      theirs.push(there);
      ours.push(here);
      ratios.push(here / there);
    }
    const ratio = median(ratios);
    rows.push({
      words,
      "Node ms": round(median(theirs), 2),
      "browser ms": round(median(ours), 2),
      ratio: round(ratio, 3),
      pass: verdict(ratio <= EMBEDDING_GOAL),
    });
  }
  await node.close();
  await page.evaluate(() => library.close());
  return rows;
}

async function indexing(page: Page): Promise<Row> {
  const started = performance.now();
  const node = await open(":memory:");
  const { chunks } = await node.add(corpus);
  const nodeMs = performance.now() - started;
  await node.close();
  const browserMs = await page.evaluate(async (given) => {
    const began = performance.now();
    const opened = await selfsame.open("bench", { modelUrl: "/model/" });
    await opened.add(given);
    const ms = performance.now() - began;
    await opened.close();
    return ms;
  }, corpus);
  return { chunks, "Node s": round(nodeMs / 1000, 2), "browser s": round(browserMs / 1000, 2) };
}

async function firstSearch(page: Page, site: Site): Promise<Row> {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    await page.goto(`${site.origin}/`);
    await page.waitForFunction("globalThis.selfsame !== undefined");
    const ms = await page.evaluate(async () => {
      const opened = await selfsame.open("bench", { modelUrl: "/model/" });
      const { results } = await opened.search("how are ties broken?");
      // Since the navigation began: the page, the scripts, the wasm, the model, the library, the search.
      const now = results.length > 0 ? performance.now() : Number.NaN;
      await opened.close();
      return now;
    });
    times.push(ms);
  }
  const ms = median(times);
  return {
    "first search ms": round(ms, 0),
    "goal ms": FIRST_SEARCH_GOAL_MS,
    pass: verdict(ms <= FIRST_SEARCH_GOAL_MS),
  };
}

/** The longest time in which the page did not get a turn, at rest and while searches run. */
async function blocking(page: Page): Promise<Row> {
  const { rest, searching, searchMs } = await page.evaluate(
    async (given, searches) => {
      const opened = await selfsame.open(":memory:", { model: "tiny" });
      await opened.add(given);
      const turns = new MessageChannel();
      const longest = async (work: () => Promise<unknown>) => {
        let [last, most, over] = [performance.now(), 0, false];
        turns.port1.onmessage = () => {
          const now = performance.now();
          most = Math.max(most, now - last);
          last = now;
          if (!over) turns.port2.postMessage(0);
        };
        turns.port2.postMessage(0);
        await work();
        over = true;
        return most;
      };
      await opened.search("warm up");
      const began = performance.now();
      const during = await longest(async () => {
        for (let i = 0; i < searches; i++)
          await opened.search(`how are ties ${i} broken by path?`, { topK: 20 });
      });
      const each = (performance.now() - began) / searches;
      const atRest = await longest(() => new Promise((resume) => setTimeout(resume, each * searches)));
      await opened.close();
      return { rest: atRest, searching: during, searchMs: each };
    },
    notes("blocking", CHUNKS),
    SEARCHES,
  );
  return {
    "search ms": round(searchMs),
    "longest pause, at rest ms": round(rest),
    "longest pause, searching ms": round(searching),
    pass: verdict(searching <= BLOCKING_GOAL_MS),
  };
}
