/** The library in real browsers gives what Node gives, byte by byte, and its errors come back typed. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentInput, RecallContext, SearchAnswer } from "#dist/index.js";
import { open } from "#dist/index.js";
import { corpus } from "./corpus.ts";
import { BROWSERS, launch, openPage, quit, type Site, serve } from "./harness.ts";

const QUERIES = [
  "how are ties broken?",
  "soil for tomatoes",
  '"floating point" rounding',
  "-database join",
  "",
];

async function nodeAnswers() {
  const library = await open(":memory:");
  await library.add(corpus);
  const answers: unknown[] = [];
  for (const query of QUERIES) answers.push(withoutTimings(await library.search(query, { explain: true })));
  const state = {
    root: await library.root(),
    stats: await library.stats(),
    documents: await library.documents(),
  };
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
      corpus,
      QUERIES,
    );
    expect(got.json).toBe(expected);
    expect(got.progress.length).toBeGreaterThan(1);
  });

  it("recalls as Node does: the same memories, reasons and receipts, also with a cross-encoder", async () => {
    const file = new URL("../../test-vectors/recall.json", import.meta.url);
    const { documents, cases } = JSON.parse(readFileSync(file, "utf8")) as {
      documents: DocumentInput[];
      cases: { query: string; ctx: RecallContext }[];
    };
    const options = { model: "tiny", namespace: "shared:household", crossEncoder: "tiny-cross" } as const;
    const inNode = await open(":memory:", options);
    await inNode.add(documents);
    const recalled = [];
    for (const { query, ctx } of cases) {
      const { used_time_ms: _, ...answer } = await inNode.recall({ query_text: query, ctx });
      recalled.push(answer);
    }
    await inNode.close();
    const got = await page.evaluate(
      async (settings, given, asked) => {
        const library = await selfsame.open(":memory:", settings);
        await library.add(given);
        const answers = [];
        for (const { query, ctx } of asked) {
          const { used_time_ms: _, ...answer } = await library.recall({ query_text: query, ctx });
          answers.push(answer);
        }
        const { isSame } = await library.verifyReceipt(answers[0]!.receipt!);
        const feedback = await library.feedback({ query: "cake", accepted: ["recipes/cake.md"], at: 1 });
        const forgotten = await library.resetFeedback();
        await library.close();
        return { json: JSON.stringify(answers), isSame, accepted: feedback.accepted.length, forgotten };
      },
      options,
      documents,
      cases,
    );
    expect(got.json).toBe(JSON.stringify(recalled));
    expect(got).toMatchObject({ isSame: true, accepted: 1, forgotten: 1 });
  });

  it("takes files with their paths, times and types, and says which it skipped", async () => {
    const inNode = await open(":memory:", { model: "tiny" });
    await inNode.add([
      { path: "notes/a.md", text: "# A", modifiedAt: 1000, mime: "text/markdown" },
      { path: "b.txt", text: "plain", modifiedAt: 2000, mime: "text/plain" },
    ]);
    const expectedRoots = [await inNode.root(), await inNode.metadataRoot()];
    await inNode.close();
    const got = await page.evaluate(async () => {
      const library = await selfsame.open(":memory:", { model: "tiny" });
      const report = await library.addFiles(
        [
          { path: "notes/a.md", file: new File(["# A"], "a.md", { lastModified: 1000 }) },
          new File(["plain"], "b.txt", { lastModified: 2000 }),
          new File(["\u0000\u0001"], "binary.txt"),
          new File(["x".repeat(101)], "large.txt"),
          { path: "../out.md", file: new File(["x"], "out.md") },
          new File(["not wanted"], "c.tmp"),
        ],
        { exclude: ["*.tmp"], maxBytes: 100 },
      );
      const roots = [await library.root(), await library.metadataRoot()];
      const { isSound, findings } = await library.check();
      await library.close();
      const skipped = report.skipped.map(({ path, reason }) => [path, reason]);
      return { added: report.added, skipped, roots, isSound, findings: findings.length };
    });
    expect(got).toMatchObject({ added: 2, roots: expectedRoots, isSound: true });
    expect(got.findings).toBeGreaterThan(5);
    expect(got.skipped).toEqual([
      ["../out.md", "bad name"],
      ["binary.txt", "binary"],
      ["large.txt", "too large"],
    ]);
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
        Array.from({ length: 20_000 }, (_, i) => ({ path: `${i}.md`, text: `text ${i}` })),
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
