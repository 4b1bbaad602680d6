/** The library in real browsers gives what Node gives, byte by byte, and its errors come back typed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchAnswer } from "#dist/index.js";
import { open } from "#dist/index.js";
import { BROWSERS, launch, openPage, quit, type Site, serve } from "./harness.ts";

const CORPUS = join(import.meta.dirname, "../../test-vectors/corpus");
const QUERIES = [
  "how are ties broken?",
  "soil for tomatoes",
  '"floating point" rounding',
  "-database join",
  "",
];

const documents = readdirSync(CORPUS, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(CORPUS.length + 1), text: readFileSync(path, "utf8"), modifiedAt: 0 }));

async function nodeAnswers() {
  const library = await open(":memory:");
  await library.add(documents);
  const answers: unknown[] = [];
  for (const query of QUERIES) answers.push(withoutTimings(await library.search(query, { explain: true })));
  const state = { root: await library.root(), stats: library.stats(), documents: library.documents() };
  await library.close();
  return JSON.stringify({ ...state, answers });
}

function withoutTimings({ timings: _, ...answer }: SearchAnswer): unknown {
  return answer;
}

let site: Site;
let expected: string;
beforeAll(async () => {
  site = await serve();
  expected = await nodeAnswers();
});
afterAll(() => site.stop());

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launch(name);
    page = await openPage(browser, site);
  });
  afterAll(() => quit(browser));

  it("answers with Node's bytes", async () => {
    const got = await page.evaluate(
      async (given, queries) => {
        const library = await selfsame.open(":memory:", { modelUrl: "/model/" });
        const progress: number[] = [];
        await library.add(given, { onProgress: ({ chunks }) => progress.push(chunks) });
        const answers: unknown[] = [];
        for (const query of queries) {
          const { timings: _, ...answer } = await library.search(query, { explain: true });
          answers.push(answer);
        }
        const state = {
          root: await library.root(),
          stats: await library.stats(),
          documents: await library.documents(),
        };
        await library.close();
        return { json: JSON.stringify({ ...state, answers }), progress };
      },
      documents,
      QUERIES,
    );
    expect(got.json).toBe(expected);
    expect(got.progress.length).toBeGreaterThan(1);
  });

  it("brings errors back with their codes and ways out", async () => {
    const errors = await page.evaluate(async () => {
      const { open, SelfsameError } = selfsame;
      const told = (work: Promise<unknown>) =>
        work.then(
          () => null,
          (error) => [error instanceof SelfsameError, error.code, error.message.endsWith(error.hint)],
        );
      const library = await open(":memory:", { model: "tiny" });
      const stop = new AbortController();
      const stopped = library.add(
        Array.from({ length: 2000 }, (_, i) => ({ path: `${i}.md`, text: `text ${i}` })),
        { signal: stop.signal, onProgress: () => stop.abort() },
      );
      const all = [
        await told(stopped),
        await told(library.add([{ path: "/a", text: "" }])),
        await told(library.verifyReceipt("{}")),
        await told(library.search("x", { topK: -1 })),
        await told(library.add([{ path: "a", text: (() => "no data") as never }])),
        await told(open("x", { model: "no such model" })),
      ];
      await library.close();
      return [...all, await told(library.root())];
    });
    expect(errors).toEqual([
      [true, "ABORTED", true],
      [true, "BAD_ARGUMENT", true],
      [true, "BAD_RECEIPT", true],
      [true, "BAD_ARGUMENT", true],
      [true, "BAD_ARGUMENT", true],
      [true, "BAD_ARGUMENT", true],
      [true, "BAD_ARGUMENT", true],
    ]);
  });
});
