/** Libraries to measure searches on: real words, vectors from the integer PRNG, so that no hours go into embedding. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Library } from "#dist/library/library.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { openParts } from "#dist/library/open.js";
import { splitmix32 } from "../../test/reference/prng.ts";
import { type WrittenDocument, writeChunks } from "../../test/search/write-chunks.ts";
import { clusteredVectors } from "../vectors/data.ts";
import type { Passages } from "./passages.ts";

const CHUNKS_EACH = 10;
const PASSAGES_EACH = 5; // some 80 words a chunk
const BATCH = 200; // documents per transaction
/** Part of the file's name: a library that is made otherwise is another. */
const EDITION = 3;

export interface Opened {
  readonly library: Library;
  readonly parts: LibraryParts;
}

/** The library of so many chunks, from .cache if it was made before. */
export async function openLibrary(chunks: number, passages: Passages): Promise<Opened> {
  const kind = passages.name.split(" ")[0];
  const file = join(import.meta.dirname, `../../.cache/search-${EDITION}-${kind}-${chunks}.db`);
  if (!existsSync(file)) await make(file, chunks, passages);
  return open(file);
}

async function open(file: string): Promise<Opened> {
  const parts = await openParts(file);
  return { library: new Library(parts), parts };
}

async function make(file: string, chunks: number, passages: Passages): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  const { library, parts } = await open(unfinished);
  const vectors = clusteredVectors(chunks);
  let written = 0;
  for (let from = 0; from < chunks / CHUNKS_EACH; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, chunks / CHUNKS_EACH - from) }, (_, i) =>
      documentOf(from + i, passages.passages),
    );
    writeChunks(parts, batch, () => vectors.at(written++));
  }
  // Where the graph answers, the first search builds it, and closing keeps it.
  await library.search("graph");
  await library.close();
  renameSync(unfinished, file);
}

function documentOf(number: number, passages: readonly string[]): WrittenDocument {
  const next = splitmix32(number + 1);
  const passage = () => passages[next() % passages.length]!;
  const chunk = () => `${Array.from({ length: PASSAGES_EACH }, passage).join(" ")}\n`;
  const path = `notes/${number % 97}/${number}.md`;
  return { path, modifiedAt: number, chunks: Array.from({ length: CHUNKS_EACH }, chunk) };
}
