import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { printReceipt, type SearchAnswer } from "selfsame";
import { evaluateSearch } from "selfsame/eval";
import { describe, expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { scratchFolder } from "../store/scratch.ts";
import { DOCUMENTS } from "./documents.ts";
import { printed } from "./selves.ts";

const folder = scratchFolder();
const MODELS = join(import.meta.dirname, "../../models");

const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");

const run = (...args: string[]) => spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
const ids = ({ results }: SearchAnswer) => results.map(({ chunkId }) => chunkId);

describe("where one channel finds nothing", () => {
  test("the other's list stands unchanged, in its own order, whatever the weights", async () => {
    const { library } = await openTiny(":memory:");
    await library.add(DOCUMENTS);
    for (const weights of [{}, { semantic: 0, lexical: 0 }, { semantic: 5 }]) {
      const nowhere = await library.search("nowhere", { topK: 30, weights });
      expect(ids(nowhere)).toStrictEqual(
        ids(await library.search("nowhere", { mode: "semantic", topK: 30 })),
      );
      expect(nowhere.results.every(({ match }) => match === "semantic")).toBe(true);
      expect(nowhere.warnings).toStrictEqual([]);
    }
    await library.close();
  });

  test("both find nothing: no results, no error", async () => {
    const { library } = await openTiny(":memory:");
    for (const mode of ["hybrid", "semantic", "lexical"] as const) {
      const { results, warnings, nextCursor } = await library.search("anything", { mode, pageSize: 3 });
      expect([results, warnings, nextCursor]).toStrictEqual([[], [], null]);
    }
    await library.add(DOCUMENTS);
    for (const mode of ["hybrid", "semantic", "lexical"] as const) {
      expect((await library.search("fox", { mode, filters: { path: "none" } })).results).toStrictEqual([]);
    }
    await library.close();
  });
});

/** The tiny model's folder with its tokenizer, and with its weights only for as long as they are needed. */
async function withoutWeights(name: string): Promise<{ opened: Opened; restore: () => void }> {
  const models = join(folder, name);
  mkdirSync(models);
  const restore = () => cpSync(join(MODELS, "tiny"), join(models, "tiny"), { recursive: true });
  restore();
  cpSync(join(MODELS, "tiny.json"), join(models, "tiny.json"));
  const file = join(folder, `${name}.db`);
  const made = await openTiny(file);
  await made.library.add(DOCUMENTS);
  await made.library.close();
  rmSync(join(models, "tiny/model.safetensors"));
  return { opened: await openTiny(file, { model: pathToFileURL(join(models, "tiny.json")) }), restore };
}

describe("without the model's weights", () => {
  test("the command line says that nothing was searched, and does not guess that the library is empty", async () => {
    const { opened } = await withoutWeights("command-line");
    await opened.library.close();
    const model = pathToFileURL(join(folder, "command-line/tiny.json")).href;
    const db = join(folder, "command-line.db");
    const { stdout, stderr } = run("search", "quick fox", "--mode", "semantic", "--db", db, "--model", model);
    expect(stderr).toContain("the query could not be embedded, so nothing was searched (FILE_MISSING");
    expect(stdout).toMatch(/^Nothing was searched\. --mode lexical needs no model\.\n/);
  });

  test("hybrid gives what words find, with a warning; semantic nothing, with a warning; lexical is as ever", async () => {
    const { opened, restore } = await withoutWeights("missing");
    const { library } = opened;
    const lexical = await library.search("quick fox", { mode: "lexical" });
    expect(lexical.warnings).toStrictEqual([]);
    const hybrid = await library.search("quick fox");
    expect(ids(hybrid)).toStrictEqual(ids(lexical));
    expect(hybrid.results.every(({ match }) => match === "lexical")).toBe(true);
    expect(hybrid.results[0]!.scoreBreakdown).toMatchObject({ lexicalRank: 1, semanticRank: null });
    expect(hybrid.warnings).toStrictEqual([expect.stringMatching(/only words were searched \(FILE_MISSING/)]);
    const semantic = await library.search("quick fox", { mode: "semantic" });
    expect(semantic.results).toStrictEqual([]);
    expect(semantic.warnings).toStrictEqual([expect.stringMatching(/nothing was searched \(FILE_MISSING/)]);
    const diverse = await library.search("quick fox", { mode: "lexical", diversify: true });
    expect(ids(diverse)).toStrictEqual(ids(lexical));
    expect(diverse.warnings).toHaveLength(1);

    // What was told with a warning is not remembered: with the weights back, the whole answer comes.
    restore();
    const whole = await library.search("quick fox");
    expect(whole.warnings).toStrictEqual([]);
    const other = await openTiny(":memory:");
    await other.library.add(DOCUMENTS);
    expect(printed(whole)).toBe(printed(await other.library.search("quick fox")));
    await other.library.close();
    await library.close();
  });

  test("receipts say what was really done, so that any device checks them as that", async () => {
    const whole = await openTiny(":memory:");
    await whole.library.add(DOCUMENTS);
    const { opened } = await withoutWeights("receipts");
    const { library } = opened;
    const given = { diversify: true, groupBy: "path", filters: { path: "**" } } as const;
    for (const [parameters, done] of [
      [{}, "lexical"],
      [given, "lexical"],
      [{ mode: "lexical", diversify: { lambda: 0.2 } }, "lexical"],
      [{ mode: "semantic" }, "none"],
      [{ mode: "semantic", ...given }, "none"],
    ] as const) {
      const { receipt, warnings, results } = await library.search("quick fox", parameters);
      expect(warnings).toHaveLength(1);
      expect(receipt.parameters).toMatchObject({ mode: done, lambda: null });
      expect(receipt.results.map(({ id }) => id)).toStrictEqual(results.map(({ chunkId }) => chunkId));
      for (const each of [library, whole.library]) {
        expect(await each.verifyReceipt(printReceipt(receipt))).toMatchObject({ isSame: true, warnings: [] });
      }
    }
    // The scores of a search by words, too.
    const hybrid = await library.search("quick fox");
    const lexical = await whole.library.search("quick fox", { mode: "lexical" });
    expect(printReceipt(hybrid.receipt)).toBe(printReceipt(lexical.receipt));
    const later = await library.search("quick fox", { pageSize: 1 });
    const second = await library.search("quick fox", { pageSize: 1, cursor: later.nextCursor! });
    expect(second.receipt.parameters).toMatchObject({ mode: "lexical", from: 1 });
    expect(await whole.library.verifyReceipt(second.receipt)).toMatchObject({ isSame: true });
    // Nobody can ask for nothing, and a receipt that claims to have found something by it is none.
    await expect(library.search("fox", { mode: "none" as "lexical" })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
    await whole.library.close();
    await library.close();
  });

  test("a whole search's receipt is not the same here, and the verdict says why", async () => {
    const whole = await openTiny(":memory:");
    await whole.library.add(DOCUMENTS);
    const { receipt } = await whole.library.search("quick fox");
    const semantic = await whole.library.search("quick fox", { mode: "semantic" });
    await whole.library.close();
    const { opened } = await withoutWeights("verdict");
    const { isSame, warnings, differences } = await opened.library.verifyReceipt(receipt);
    expect(isSame).toBe(false);
    expect(warnings).toStrictEqual([expect.stringMatching(/only words were searched \(FILE_MISSING/)]);
    expect(differences[0]).toStrictEqual({
      what: "parameters.mode",
      rank: null,
      expected: '"hybrid"',
      actual: '"lexical"',
    });
    expect(await opened.library.verifyReceipt(semantic.receipt)).toMatchObject({
      isSame: false,
      warnings: [expect.stringMatching(/nothing was searched/)],
    });
    await opened.library.close();
  });

  test("the command line says so too", async () => {
    const whole = await openTiny(":memory:");
    await whole.library.add(DOCUMENTS);
    const receipt = join(folder, "whole.json");
    writeFileSync(receipt, printReceipt((await whole.library.search("quick fox")).receipt));
    await whole.library.close();
    const { opened } = await withoutWeights("command");
    const { library } = opened;
    const model = pathToFileURL(join(folder, "command/tiny.json")).href;
    await library.close();
    const args = ["verify-receipt", receipt, "--db", library.name, "--model", model];
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toStrictEqual([1, expect.stringContaining("Different.")]);
    expect(stderr).toMatch(/only words were searched/);
    expect(JSON.parse(run(...args, "--json").stdout)).toMatchObject({
      isSame: false,
      warnings: [expect.stringMatching(/only words were searched/)],
    });
  });

  test("a cursor of the list of words alone is none of the whole list, which is another", async () => {
    const { opened, restore } = await withoutWeights("paged");
    const { library } = opened;
    const pageSize = 1;
    const words = await library.search("quick fox", { pageSize });
    expect(words.warnings).toHaveLength(1);
    const next = { pageSize, cursor: words.nextCursor! };
    expect((await library.search("quick fox", next)).results).toHaveLength(1);
    restore();
    await expect(library.search("quick fox", next)).rejects.toMatchObject({ code: "CURSOR_STALE" });
    await library.close();
  });

  test("an evaluation says that its figures are not those of the modes", async () => {
    const { opened } = await withoutWeights("evaluated");
    const queries = [
      { id: "1", text: "quick fox" },
      { id: "2", text: "merkle tree" },
    ];
    const judgements = new Map(queries.map(({ id }) => [id, new Map([["fox.txt", 1]])]));
    const { warnings } = await evaluateSearch(opened.library, queries, judgements, 5);
    expect(warnings).toStrictEqual([
      expect.stringMatching(/only words were searched/),
      expect.stringMatching(/nothing was searched/),
    ]);
    await opened.library.close();
    const files = { queries: join(folder, "queries.tsv"), qrels: join(folder, "qrels.trec") };
    writeFileSync(files.queries, "1\tquick fox\n");
    writeFileSync(files.qrels, "1 0 fox.txt 1\n");
    const model = pathToFileURL(join(folder, "evaluated/tiny.json")).href;
    const args = ["eval", "--queries", files.queries, "--qrels", files.qrels, "--model", model];
    expect(run(...args, "--db", opened.library.name).stderr).toMatch(/only words were searched/);
  });

  test("an error that is not the model's is not hidden", async () => {
    const opened = await openTiny(":memory:");
    await opened.library.add(DOCUMENTS);
    opened.parts.embedder.embed = () => Promise.reject(new TypeError("a bug"));
    await expect(opened.library.search("fox")).rejects.toThrow("a bug");
    await opened.library.close();
  });
});

test("a library whose vectors are gone finds words and says so", async () => {
  const path = join(folder, "without-vectors.db");
  const before = await openTiny(path);
  await before.library.add(DOCUMENTS);
  await before.library.close();
  const { library, parts } = await openTiny(path); // which has no vector in memory yet
  parts.database.run("DELETE FROM embeddings");
  const hybrid = await library.search("quick fox");
  expect(ids(hybrid)).toStrictEqual(ids(await library.search("quick fox", { mode: "lexical" })));
  expect(hybrid.warnings).toStrictEqual([expect.stringContaining("no chunk has a vector")]);
  const semantic = await library.search("quick fox", { mode: "semantic" });
  expect([semantic.results, semantic.warnings.length]).toStrictEqual([[], 1]);
  const modes = [hybrid, semantic].map(({ receipt }) => receipt.parameters["mode"]);
  expect(modes).toStrictEqual(["lexical", "none"]);
  const diverse = await library.search("quick fox", { diversify: true });
  const verdict = await library.verifyReceipt(diverse.receipt);
  expect([verdict.isSame, verdict.warnings]).toStrictEqual([true, []]);
  await library.close();
});
