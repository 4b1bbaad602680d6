/** Folding of near-duplicates in a search. SPEC §16.6, §20.5 */
import { type Library, open } from "selfsame";
import { afterAll, beforeAll, expect, it } from "vitest";

const TEXT = "Any device can check receipts.";
const DOCUMENTS = [
  { path: "a.txt", text: TEXT },
  { path: "copy/a.txt", text: `${TEXT.toUpperCase()}\n` },
  { path: "copy/b.txt", text: TEXT },
  { path: "other.txt", text: "Receipts: bread and rolls. Check." },
];

let library: Library;
beforeAll(async () => {
  library = await open(":memory:", { model: "tiny" });
  await library.add(DOCUMENTS);
});
afterAll(() => library.close());

it("folds results into the better one, which lists them, before results are counted", async () => {
  const plain = await library.search("check receipts", { mode: "lexical" });
  expect(plain.results).toHaveLength(4);
  expect(plain.results.every((result) => !("duplicates" in result))).toBe(true);
  expect(plain.receipt.parameters).not.toHaveProperty("nearDuplicates");
  const folded = await library.search("check receipts", { mode: "lexical", nearDuplicates: 3, topK: 2 });
  const [first] = folded.results.filter(({ path }) => path !== "other.txt");
  expect(folded.results.map(({ path }) => path).sort()).toEqual([first!.path, "other.txt"].sort());
  const twins = plain.results.filter(
    ({ path, chunkId }) => path !== "other.txt" && chunkId !== first!.chunkId,
  );
  expect(first!.duplicates).toEqual(twins.map(({ chunkId }) => chunkId));
  expect(folded.receipt.parameters["nearDuplicates"]).toBe(3);
  expect(await library.verifyReceipt(JSON.parse(JSON.stringify(folded.receipt)))).toMatchObject({
    isSame: true,
  });
});

it("folds in every mode and with pages, and 0 folds nothing", async () => {
  for (const mode of ["hybrid", "semantic", "lexical"] as const) {
    const { results } = await library.search("check receipts", { mode, nearDuplicates: 3 });
    expect(results.filter(({ duplicates }) => duplicates!.length === 2)).toHaveLength(1);
  }
  const all = await library.search("check receipts", { nearDuplicates: 64, pageSize: 1 });
  expect(all.nextCursor).toBeNull();
  expect(all.results[0]!.duplicates).toHaveLength(3);
  const none = await library.search("check receipts", { nearDuplicates: 0 });
  expect(none.results).toHaveLength(4);
  for (const nearDuplicates of [-1, 65, 1.5])
    await expect(library.search("x", { nearDuplicates })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
});
