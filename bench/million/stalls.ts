/** What a split costs: additions one by one to a library near its limit, and a search after each. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Library } from "#dist/library/library.js";
import { openParts } from "#dist/library/open.js";
import { writeChunks } from "../../test/search/write-chunks.ts";
import { median } from "../embed/timing.ts";
import { type Row, round, say, verdict } from "../vectors/measure.ts";
import type { Corpus } from "./corpus.ts";

const SEGMENT = 16_384;
const BEFORE = SEGMENT - 30;
const ADDED = 60;
const EACH = 9; // chunks per document, so that the last ones before the limit come one by one

export async function stalls(corpus: Corpus): Promise<Row[]> {
  const file = join(import.meta.dirname, "../../.cache/million-stalls.db");
  rmSync(file, { force: true });
  const parts = await openParts(file, { segment: SEGMENT });
  const library = new Library(parts);
  for (let from = 0; from < BEFORE; from += 500 * EACH) {
    const numbers = Array.from({ length: Math.min(500 * EACH, BEFORE - from) }, (_, i) => from + i);
    const documents: { path: string; chunks: string[] }[] = [];
    for (let at = 0; at < numbers.length; at += EACH) {
      const chunks = numbers.slice(at, at + EACH).map((i) => corpus.text(i));
      documents.push({ path: `${from + at}.md`, chunks });
    }
    let written = 0;
    writeChunks(parts, documents, () => corpus.vector(numbers[written++]!));
  }
  await library.search("first"); // loads the index, and starts to prepare the halves
  const index = await parts.semantic.current(await library.root());
  say(`stalls: preparing the halves of ${index.size}`);
  while (index.unprepared.length > 0) await new Promise((resume) => setTimeout(resume, 50));
  const ordinary: number[] = [];
  const splitting: number[] = [];
  const searches: number[] = [];
  for (let i = 0; i < ADDED; i++) {
    const before = index.segments.length;
    const started = performance.now();
    await library.add([{ path: `new/${i}.md`, text: corpus.queries[i]! }]);
    (index.segments.length > before ? splitting : ordinary).push(performance.now() - started);
    const asked = performance.now();
    await new Library(parts).search(corpus.queries[500 + i]!.slice(0, 80));
    searches.push(performance.now() - asked);
  }
  await library.close();
  rmSync(file, { force: true });
  const [usual, split] = [median(ordinary), Math.max(...splitting)];
  return [
    {
      "addition ms": round(usual, 1),
      "the one that splits ms (≤ 3×)": round(split, 1),
      "search after it ms, median": round(median(searches), 1),
      most: round(Math.max(...searches), 1),
      pass: verdict(splitting.length > 0 && split <= 3 * usual),
    },
  ];
}
