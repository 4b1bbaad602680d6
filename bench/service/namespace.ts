/** Namespaces to measure: short texts, vectors from the integer PRNG, so that no hours go into embedding. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openParts } from "#dist/library/open.js";
import { encodeNamespace } from "#dist/namespaces/names.js";
import { splitmix32 } from "../../test/reference/prng.ts";
import { writeChunks } from "../../test/search/write-chunks.ts";
import { clusteredVectors } from "../vectors/data.ts";

const root = join(import.meta.dirname, "../..");

/** Libraries are made again when what a library is has changed. */
const key = createHash("sha256")
  .update(readFileSync(join(root, "dist/store/schema.js")))
  .update(readFileSync(join(root, "dist/library/canon.js")))
  .digest("hex")
  .slice(0, 12);

/** Returns the folder of one measurement's namespaces. */
export function dataFolder(name: string): string {
  return join(root, ".cache", `service-${key}-${name}`);
}

const BATCH = 500;
const WORDS = 20;
const VOCABULARY = 5000;

/** Makes a namespace of documents with some chunks each, if it is not there. */
export async function makeNamespace(
  data: string,
  name: string,
  documents: number,
  chunksEach: number,
): Promise<void> {
  const folder = join(data, "namespaces", encodeNamespace(name));
  const file = join(folder, "library.db");
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  const parts = await openParts(unfinished, { namespace: name });
  const vectors = clusteredVectors(documents * chunksEach);
  let written = 0;
  for (let from = 0; from < documents; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, documents - from) }, (_, i) => {
      const next = splitmix32(from + i + 1);
      const text = () => `${Array.from({ length: WORDS }, () => `word${next() % VOCABULARY}`).join(" ")}\n`;
      return { path: `${name}/${from + i}.md`, chunks: Array.from({ length: chunksEach }, text) };
    });
    writeChunks(parts, batch, () => vectors.at(written++));
  }
  parts.embedder.close();
  parts.database.close();
  renameSync(unfinished, file);
}
