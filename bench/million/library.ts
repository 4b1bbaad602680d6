/** Large libraries with real words and vectors, made once and kept in .cache/. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { forgetGraphs, keepShape } from "#dist/library/kept-graph.js";
import { Library } from "#dist/library/library.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { openParts } from "#dist/library/open.js";
import { writeChunks } from "../../test/search/write-chunks.ts";
import { say } from "../vectors/measure.ts";
import type { Corpus } from "./corpus.ts";

const CHUNKS_EACH = 10;
const BATCH = 500; // documents per transaction

export interface Opened {
  readonly library: Library;
  readonly parts: LibraryParts;
}

const segmentGiven = process.argv.find((each) => each.startsWith("--segment="))?.slice(10);

export function fileOf(chunks: number): string {
  const segment = segmentGiven === undefined ? "" : `-${segmentGiven}`;
  return join(import.meta.dirname, `../../.cache/million-3-${chunks}${segment}.db`);
}

/** Makes the library of so many chunks if it is not there; without graphs. A run that was stopped is continued. */
export async function makeLibrary(chunks: number, corpus: Corpus): Promise<void> {
  const file = fileOf(chunks);
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.part`;
  const { library, parts } = await openLibrary(unfinished);
  // Every transaction writes a whole batch.
  const { written } = parts.database.get<{ written: number }>("SELECT count(*) AS written FROM chunks")!;
  for (let from = written; from < chunks; from += BATCH * CHUNKS_EACH) {
    const numbers: number[] = [];
    const documents: { path: string; chunks: string[] }[] = [];
    for (let at = from; at < Math.min(chunks, from + BATCH * CHUNKS_EACH); at += CHUNKS_EACH) {
      const own = Array.from({ length: CHUNKS_EACH }, (_, i) => at + i);
      numbers.push(...own);
      documents.push({ path: `notes/${at % 97}/${at}.md`, chunks: own.map((i) => corpus.text(i)) });
    }
    let next = 0;
    writeChunks(parts, documents, () => corpus.vector(numbers[next++]!));
    if ((from / CHUNKS_EACH) % 5000 === 0) say(`${chunks}: ${from} chunks written`);
  }
  await library.close();
  renameSync(unfinished, file);
}

/** @param workers the number of threads; default: the number of the device's cores */
export async function openLibrary(
  file: string,
  { workers, onShare }: { workers?: number; onShare?: (share: number) => void } = {},
): Promise<Opened> {
  const parts = await openParts(file, {
    ...(workers === undefined ? {} : { workers }),
    ...(segmentGiven === undefined ? {} : { segment: Number(segmentGiven) }),
    ...(onShare ? { onIndexProgress: ({ share }: { share: number }) => onShare(share) } : {}),
  });
  return { library: new Library(parts), parts };
}

/** Removes stored graphs, so that the next search builds them from scratch. */
export function forgetIndex({ database }: LibraryParts): void {
  database.transaction(() => {
    forgetGraphs(database);
    keepShape(database, { segments: [], bounds: new Map() });
  });
}
