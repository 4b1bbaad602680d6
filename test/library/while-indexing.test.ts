/** The first answer can be had while indexing goes on: of what is written so far, with a receipt of that state. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "selfsame";
import { expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";

test("a search during addFiles answers from the documents that are there, before the last one is", async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "notes"));
  const section = (i: number, part: number) =>
    `# Number ${i}\n\nPart ${part} of the note on lighthouse ${i}.\n\n`;
  for (let i = 0; i < 60; i++)
    writeFileSync(
      join(folder, "notes", `${100 + i}.md`),
      Array.from({ length: 10 }, (_, part) => section(i, part)).join(""),
    );
  const library = await open(join(folder, "notes.db"), { model: "tiny", workers: 1 });
  let isDone = false;
  let asked: Promise<{ results: number; chunks: number; isDone: boolean }> | null = null;
  const report = await library.addFiles([join(folder, "notes")], {
    onDocument: () => {
      asked ??= library.search("lighthouse", { topK: 3 }).then(async ({ results, receipt }) => {
        const stats = await library.stats();
        expect(receipt.results.length).toBe(3);
        return { results: results.length, chunks: stats.chunks, isDone };
      });
    },
  });
  isDone = true;
  const first = await asked!;
  expect(first).toMatchObject({ results: 3, isDone: false });
  expect(first.chunks).toBeLessThan(report.chunks);
  expect((await library.stats()).documents).toBe(60);
  await library.close();
});
